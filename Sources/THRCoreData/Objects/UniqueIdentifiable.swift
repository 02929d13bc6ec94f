/// A type whose instances are identified by a value: a managed object class, or the items of an import.
public protocol UniqueIdentifiable {
    /// The type of the value, such as a string, a number or a UUID.
    associatedtype UniqueIDValue: Hashable = String
    /// The name of the attribute that holds the value.
    static var uniqueIDKey: String { get }
    /// The value.
    var uniqueIDValue: UniqueIDValue { get }
}
