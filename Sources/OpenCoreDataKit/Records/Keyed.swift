/// A managed object class whose objects are identified by the value of one attribute.
///
/// ```swift
/// extension Book: Keyed {
///     typealias Key = String
///     static var keyAttribute: String { "isbn" }
/// }
/// ```
///
/// The attribute should have a uniqueness constraint, or at least an index, in the model: then finding a key is fast in
/// a large store, too, and with a constraint no two contexts can save the same key.
public protocol Keyed: NSManagedObject {
    /// The type of the key: what the attribute holds, a string, a whole number, a UUID, a date or a URL.
    associatedtype Key: Hashable & Sendable
    /// The name of the attribute.
    static var keyAttribute: String { get }
}

/// The result of an `upsert`.
public struct UpsertOutcome: Sendable, Hashable {
    /// The number of inserted objects.
    public var inserted = 0
    /// The number of existing objects that were passed to the block.
    public var updated = 0

    /// Creates a result without objects.
    ///
    /// Both numbers are 0. Add them up over several calls of `upsert` to report a whole import.
    public init() {}

    /// The number of objects. Items with equal keys refer to the same object.
    public var count: Int { inserted + updated }
}
