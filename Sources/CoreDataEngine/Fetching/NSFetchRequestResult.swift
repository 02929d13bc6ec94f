public import Foundation

/// What a fetch request can return: managed objects, their identifiers, dictionaries, and numbers (counts).
///
/// Only the engine gives conformances.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
