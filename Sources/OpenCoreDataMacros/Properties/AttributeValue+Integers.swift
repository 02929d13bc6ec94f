// What the form says is documented once, at the requirement of the protocol.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CoreDataPlatform

// Models have integers of 16, 32 and 64 bits. A width that is not among them is kept in the next that holds all its values.

extension AttributeForm where Value: FixedWidthInteger {
    fileprivate static func integer(_ type: NSAttributeDescription.AttributeType) -> AttributeForm {
        AttributeForm(type) { NSNumber(value: Int64(truncatingIfNeeded: $0)) }
    }
}

extension Int8: ManagedInteger, RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<Int8> { .integer(.integer16) }
}

extension UInt8: ManagedInteger, RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<UInt8> { .integer(.integer16) }
}

extension Int16: RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<Int16> { .integer(.integer16) }
}

extension UInt16: ManagedInteger, RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<UInt16> { .integer(.integer32) }
}

extension Int32: RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<Int32> { .integer(.integer32) }
}

extension UInt32: ManagedInteger, RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<UInt32> { .integer(.integer64) }
}

extension Int64: RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<Int64> { .integer(.integer64) }
}

extension Int: RequiredAttributeValue {
    public static var managedAttributeForm: AttributeForm<Int> { .integer(.integer64) }
}
