/// Managed object classes whose objects are identified by the value of one attribute.
///
/// ```swift
/// extension Book: Keyed {
///     typealias Key = String
///     static var keyAttribute: String { "isbn" }
/// }
/// ```
///
/// The attribute should be indexed, or better be a uniqueness constraint of the model: looking for a key then takes no
/// longer in a large store than in a small one, and no two contexts can save the same key.
public protocol Keyed: NSManagedObject {
    /// The type of the key: what the attribute holds, a string, a whole number, a UUID, a date or a URL.
    associatedtype Key: Hashable & Sendable
    /// The name of the attribute.
    static var keyAttribute: String { get }
}

/// What became of the items of an `upsert`.
public struct UpsertOutcome: Sendable, Hashable {
    /// How many objects are new.
    public var inserted = 0
    /// How many objects were there and were handed to the block.
    public var updated = 0

    /// Nothing yet.
    public init() {}

    /// The objects that the items stood for. Items with equal keys stand for one.
    public var count: Int { inserted + updated }
}
