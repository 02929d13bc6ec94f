/// The kind of value that an attribute holds.
///
/// Raw values are those that Apple's model files and version hashes use.
public enum NSAttributeType: UInt, Sendable {
    /// No type; valid only for transient attributes.
    case undefinedAttributeType = 0
    /// An integer of 16 bits.
    case integer16AttributeType = 100
    /// An integer of 32 bits.
    case integer32AttributeType = 200
    /// An integer of 64 bits.
    case integer64AttributeType = 300
    /// A decimal number. SQLite stores keep about 16 digits.
    case decimalAttributeType = 400
    /// A floating-point number of 64 bits.
    case doubleAttributeType = 500
    /// A floating-point number of 32 bits.
    case floatAttributeType = 600
    /// A string.
    case stringAttributeType = 700
    /// A Boolean value.
    case booleanAttributeType = 800
    /// A point in time.
    case dateAttributeType = 900
    /// Bytes, which can be kept in a file of their own.
    case binaryDataAttributeType = 1000
    /// A UUID.
    case UUIDAttributeType = 1100
    /// A URL.
    case URIAttributeType = 1200
    /// A value that a ``ValueTransformer`` converts to bytes and back.
    case transformableAttributeType = 1800
    /// An object ID, in the results of expressions only.
    case objectIDAttributeType = 2000
    /// A dictionary of named elements; see ``NSCompositeAttributeDescription``.
    case compositeAttributeType = 2100

    /// The name of the class that values of this type have unless an attribute names another one.
    package var defaultValueClassName: String? {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .booleanAttributeType:
            "NSNumber"
        case .decimalAttributeType: "NSDecimalNumber"
        case .stringAttributeType: "NSString"
        case .dateAttributeType: "NSDate"
        case .binaryDataAttributeType: "NSData"
        case .UUIDAttributeType: "NSUUID"
        case .URIAttributeType: "NSURL"
        case .compositeAttributeType: "NSDictionary"
        case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType: nil
        }
    }
}
