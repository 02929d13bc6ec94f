public import Foundation

/// No store of a stack keeps objects of a class.
public struct CoreDataUnregisteredClass: LocalizedError, CustomStringConvertible {
    /// The class that was requested.
    public let className: String
    /// The classes whose objects the stack's stores keep.
    public let registered: [String]

    /// The sentence that `localizedDescription` gives.
    public var errorDescription: String? { description }

    /// A description in one line.
    public var description: String {
        let known = registered.isEmpty ? "There are none." : "There are: \(registered.joined(separator: ", "))."
        return "\(className) isn't a registered class: none of the stores has its entity. \(known)"
    }
}
