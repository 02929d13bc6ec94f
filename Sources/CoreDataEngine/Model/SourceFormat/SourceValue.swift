import Foundation

/// How values stand in the attributes of a model's source.
package enum SourceValue {
    static let typeNames: [(name: String, type: NSAttributeType)] = [
        ("Integer 16", .integer16AttributeType), ("Integer 32", .integer32AttributeType),
        ("Integer 64", .integer64AttributeType), ("Decimal", .decimalAttributeType), ("Double", .doubleAttributeType),
        ("Float", .floatAttributeType), ("String", .stringAttributeType), ("Boolean", .booleanAttributeType),
        ("Date", .dateAttributeType), ("Binary", .binaryDataAttributeType), ("UUID", .UUIDAttributeType),
        ("URI", .URIAttributeType), ("Transformable", .transformableAttributeType),
        ("ObjectID", .objectIDAttributeType),
        ("Composite", .compositeAttributeType), ("Undefined", .undefinedAttributeType),
    ]

    static let deleteRuleNames: [(name: String, rule: NSDeleteRule)] = [
        ("No Action", .noActionDeleteRule), ("Nullify", .nullifyDeleteRule), ("Cascade", .cascadeDeleteRule),
        ("Deny", .denyDeleteRule),
    ]

    package static func attributeType(named name: String) -> NSAttributeType? {
        typeNames.first { $0.name == name }?.type
    }

    package static func name(of type: NSAttributeType) -> String? { typeNames.first { $0.type == type }?.name }

    static func bool(_ string: String) -> Bool? {
        switch string {
        case "YES", "true", "1": true
        case "NO", "false", "0": false
        default: nil
        }
    }

    /// A default value as its attribute's type wants it; nil when the string is no value of the type.
    ///
    /// As in Apple's compiler, the number of a string is the one that it begins with, or 0: an attribute that was made
    /// an integer keeps a default of "NO" in its source.
    package static func value(_ string: String, of type: NSAttributeType) -> Any? {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            NSNumber(value: Int64(string) ?? Int64(clamping: (string as NSString).integerValue))
        case .doubleAttributeType: NSNumber(value: Double(string) ?? (string as NSString).doubleValue)
        case .floatAttributeType: NSNumber(value: Float(string) ?? (string as NSString).floatValue)
        case .decimalAttributeType: Decimal(string: string, locale: Locale(identifier: "en_US_POSIX"))
        case .booleanAttributeType: NSNumber(value: bool(string) ?? (string as NSString).boolValue)
        case .stringAttributeType: string
        case .UUIDAttributeType: UUID(uuidString: string)
        case .URIAttributeType: URL(string: string)
        case .dateAttributeType: Double(string).map { Date(timeIntervalSinceReferenceDate: $0) }
        case .binaryDataAttributeType: Data(base64Encoded: string)
        case .compositeAttributeType: CompositeSource.defaultValue(string)
        case .transformableAttributeType, .objectIDAttributeType, .undefinedAttributeType: string
        }
    }

    /// The string of a default value; nil for a value that has none.
    package static func string(_ value: Any?, of type: NSAttributeType) -> String? {
        switch value {
        case let value? where type == .compositeAttributeType: return CompositeSource.defaultString(value)
        case let string as String: return string
        case let uuid as UUID: return uuid.uuidString
        case let url as URL: return url.absoluteString
        case let date as Date: return number(date.timeIntervalSinceReferenceDate)
        case let data as Data: return data.base64EncodedString()
        case let decimal as Decimal: return "\(decimal)"
        case let number as NSNumber:
            switch type {
            case .booleanAttributeType: return number.boolValue ? "YES" : "NO"
            case .doubleAttributeType: return self.number(number.doubleValue)
            case .floatAttributeType: return number.floatValue.description
            default: return "\(number)"
            }
        default: return nil
        }
    }

    /// A number without a fraction that says nothing.
    static func number(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}
