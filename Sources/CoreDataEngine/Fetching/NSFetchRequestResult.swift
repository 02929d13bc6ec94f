public import Foundation

/// What a fetch request can return: managed objects, their identifiers, dictionaries, and numbers (counts).
///
/// Only the engine gives conformances. Swift's dictionaries and integers have one too, and the protocol isn't one of classes
/// alone: otherwise the compiler would take `result as? [String: Any]` for a cast that can't succeed.
public protocol NSFetchRequestResult {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
extension Dictionary: NSFetchRequestResult where Key == String {}
extension Int: NSFetchRequestResult {}

// Results are mostly objects, and delegates compare them.

/// Whether a result is an object.
///
/// Swift can't compare a value of the protocol's type with an object otherwise. Two `nil` values are the same.
///
/// - Parameters:
///   - result: An element of a fetch's result.
///   - object: The object.
@_disfavoredOverload
public func === (result: (any NSFetchRequestResult)?, object: AnyObject?) -> Bool {
    (result as AnyObject?) === object
}

/// Whether an object is a result.
///
/// Swift can't compare a value of the protocol's type with an object otherwise. Two `nil` values are the same.
///
/// - Parameters:
///   - result: An element of a fetch's result.
///   - object: The object.
@_disfavoredOverload
public func === (object: AnyObject?, result: (any NSFetchRequestResult)?) -> Bool {
    object === (result as AnyObject?)
}
