/// Something with a value that distinguishes it from others of its kind: a managed object class, or what an import
/// brings.
public protocol UniqueIdentifiable {
    /// What the value is: a string, a number, a UUID.
    associatedtype UniqueIDValue: Hashable = String
    /// The name of the attribute that holds the value.
    static var uniqueIDKey: String { get }
    /// The value.
    var uniqueIDValue: UniqueIDValue { get }
}
