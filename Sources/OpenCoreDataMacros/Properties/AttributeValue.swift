// What the form says is documented once, at the requirement of the protocol.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CoreDataPlatform

/// A type that an attribute can have without conversion: numbers, `Bool`, `String`, `Date`, `Data`, `UUID`, `URL`,
/// `Decimal`, and their optionals.
public protocol AttributeValue: ManagedValue {
    /// What the type is in a model.
    static var managedAttributeForm: AttributeForm<Self> { get }
}

/// An attribute value that isn't optional.
public protocol RequiredAttributeValue: AttributeValue, OptionalManagedValue {}

extension Optional: AttributeValue where Wrapped: RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<Wrapped?> {
        let form = Wrapped.managedAttributeForm
        return AttributeForm(form.type, isOptional: true) { $0.flatMap(form.modelValue) }
    }
}

extension Bool: RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<Bool> { AttributeForm(.boolean) { NSNumber(value: $0) } }
}

extension Double: RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<Double> { AttributeForm(.double) { NSNumber(value: $0) } }
}

extension Float: RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<Float> { AttributeForm(.float) { NSNumber(value: $0) } }
}

extension Date: RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<Date> { AttributeForm(.date) { $0 } }
}

extension String: RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<String> { AttributeForm(.string) { $0 } }
}

extension Data: RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<Data> { AttributeForm(.binaryData) { $0 } }
}

extension UUID: RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<UUID> { AttributeForm(.uuid) { $0 } }
}

extension URL: RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<URL> { AttributeForm(.uri) { $0 } }
}

extension Decimal: RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<Decimal> { AttributeForm(.decimal) { $0 } }
}
