/// The value of an attribute in a new object.
public struct DefaultValue<Value> {
    enum Content {
        case none
        case constant(Value)
        case fresh(@Sendable () -> Value)
    }

    let content: Content

    /// No value.
    public static var none: DefaultValue { DefaultValue(content: .none) }

    /// One value for all objects; the model has it.
    ///
    /// It is part of the model, like a default value of the model editor.
    ///
    /// - Parameter value: The value.
    /// - Returns: The default value.
    public static func constant(_ value: Value) -> DefaultValue { DefaultValue(content: .constant(value)) }

    /// A value that is made for each object; the model doesn't have it.
    ///
    /// The closure is called when an object is inserted, for example for the present date or a new UUID.
    ///
    /// - Parameter make: Makes a value.
    /// - Returns: The default value.
    public static func fresh(_ make: @escaping @Sendable () -> Value) -> DefaultValue {
        DefaultValue(content: .fresh(make))
    }
}
