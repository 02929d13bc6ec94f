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

    static func bool(_ text: String) -> Bool? {
        switch text {
        case "YES", "true", "1": true
        case "NO", "false", "0": false
        default: nil
        }
    }

    /// A default value as its attribute's type wants it; nil when the string is no value of the type.
    ///
    /// As in Apple's compiler, the number of a string is the one that it begins with, or 0: an attribute that was made
    /// an integer keeps a default of "NO" in its source.
    package static func value(_ text: String, of type: NSAttributeType) -> Any? {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            NSNumber(value: Int64(text) ?? Int64(clamping: (text as NSString).integerValue))
        case .doubleAttributeType: NSNumber(value: Double(text) ?? (text as NSString).doubleValue)
        case .floatAttributeType: NSNumber(value: Float(text) ?? (text as NSString).floatValue)
        case .decimalAttributeType: Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
        case .booleanAttributeType: NSNumber(value: bool(text) ?? (text as NSString).boolValue)
        case .stringAttributeType: text
        case .UUIDAttributeType: UUID(uuidString: text)
        case .URIAttributeType: URL(string: text)
        case .dateAttributeType: Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
        case .binaryDataAttributeType: Data(base64Encoded: text)
        case .compositeAttributeType: CompositeSource.defaultValue(text)
        case .transformableAttributeType, .objectIDAttributeType, .undefinedAttributeType: text
        }
    }

    /// The string of a default value; nil for a value that has none.
    package static func text(_ value: Any?, of type: NSAttributeType) -> String? {
        switch value {
        case let value? where type == .compositeAttributeType: return CompositeSource.defaultText(value)
        case let text as String: return text
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
