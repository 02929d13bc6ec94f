/// An option for storing or computing an attribute.
public struct AttributeOption: Sendable {
    enum Kind: Sendable, Equatable {
        case unique
        case externalStorage
        case transient
        case preservedAfterDeletion
        case derived(String)
        case transformable(String?)
    }

    let kind: Kind

    /// No two objects may have the same value.
    public static let unique = AttributeOption(kind: .unique)
    /// Large data may be kept in files of its own beside the store.
    public static let externalStorage = AttributeOption(kind: .externalStorage)
    /// The attribute is left out of the store.
    public static let transient = AttributeOption(kind: .transient)
    /// The history of the store keeps the value when the object is deleted.
    public static let preservedAfterDeletion = AttributeOption(kind: .preservedAfterDeletion)
    /// The value is kept as a keyed archive; its type is one that such archives have.
    public static let transformable = AttributeOption(kind: .transformable(nil))

    /// The store computes the value when it saves.
    ///
    /// The attribute has no value before the first save, so it is always optional. An expression that isn't valid makes
    /// creating the model throw.
    ///
    /// - Parameter expression: How, such as `"books.@count"` or `"canonical:(name)"`.
    /// - Returns: The option.
    public static func derived(_ expression: String) -> AttributeOption { AttributeOption(kind: .derived(expression)) }

    /// A value transformer makes data of the value.
    ///
    /// Register the transformer before the first store is opened.
    ///
    /// - Parameter name: The name under which the transformer is registered.
    /// - Returns: The option.
    public static func transformable(by name: String) -> AttributeOption {
        AttributeOption(kind: .transformable(name))
    }
}
