import Foundation
package import OpenCoreData

/// Values of attributes as JSON, and back.
package enum AttributeCoding {
    /// The JSON form of a value of `attribute`.
    ///
    /// Dates are ISO 8601, data is base64, decimals and UUIDs are strings.
    package static func json(_ value: Any?, of attribute: NSAttributeDescription) -> JSONValue {
        guard let value, !(value is NSNull) else { return .null }
        switch attribute.attributeType {
        case .booleanAttributeType:
            if let number = value as? NSNumber { return .bool(number.boolValue) }
        case .floatAttributeType:
            // The shortest string of the float itself, not of the double it widens to.
            if let number = value as? NSNumber { return json(number: number.floatValue) }
        case .doubleAttributeType:
            if let number = value as? NSNumber { return .number(number.doubleValue) }
        case .decimalAttributeType:
            if let number = value as? NSDecimalNumber { return .string(number.decimalValue.description) }
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            if let number = value as? NSNumber { return .integer(number.int64Value) }
        case .transformableAttributeType:
            return TransformableJSON.json(value, of: attribute)
        case .compositeAttributeType:
            if let composite = attribute as? NSCompositeAttributeDescription {
                return CompositeJSON.json(value, of: composite)
            }
        default:
            break
        }
        return DynamicJSON.json(value)
    }

    /// The value that a JSON value represents.
    ///
    /// - Throws: `ToolFailure` if it isn't a value of the attribute's type.
    package static func value(_ json: JSONValue, of attribute: NSAttributeDescription) throws -> Any? {
        if case .null = json { return nil }
        if let value = try parsed(json, attribute) { return value }
        // What was written says more than its kind, unless it is long.
        var shown = json.kind
        switch json {
        case .string(let string) where string.count <= 40: shown = JSONText.string(of: json)
        case .integer, .number: shown = JSONText.string(of: json)
        default: break
        }
        throw ToolFailure(
            "\(shown) is not a value for the attribute \(attribute.name), which is \(kind(of: attribute))."
                .capitalizedFirst)
    }

    /// What a value of an attribute is, for messages.
    package static func kind(of attribute: NSAttributeDescription) -> String {
        switch attribute.attributeType {
        case .integer16AttributeType: "a 16-bit integer"
        case .integer32AttributeType: "a 32-bit integer"
        case .integer64AttributeType: "a 64-bit integer"
        case .decimalAttributeType: "a decimal written as a string"
        case .doubleAttributeType, .floatAttributeType: "a number"
        case .stringAttributeType: "a string"
        case .booleanAttributeType: "true or false"
        case .dateAttributeType: "a date such as 2024-05-01T12:30:00.000Z"
        case .binaryDataAttributeType: "data in base64"
        case .UUIDAttributeType: "a UUID"
        case .URIAttributeType: "a URI"
        case .compositeAttributeType: "an object with the names of elements, or a case of an enumeration"
        case .transformableAttributeType: "transformable: its value is written as JSON, such as {\"pages\": 12}"
        default: "of another type"
        }
    }

    private static func parsed(_ json: JSONValue, _ attribute: NSAttributeDescription) throws -> Any? {
        switch (attribute.attributeType, json) {
        case (.integer16AttributeType, .integer(let number)): Int16(exactly: number).map(NSNumber.init(value:))
        case (.integer32AttributeType, .integer(let number)): Int32(exactly: number).map(NSNumber.init(value:))
        case (.integer64AttributeType, .integer(let number)): NSNumber(value: number)
        case (.booleanAttributeType, .bool(let flag)): NSNumber(value: flag)
        case (.doubleAttributeType, _): number(json).map(NSNumber.init(value:))
        case (.floatAttributeType, _): try number(json).map { try float($0, attribute) }
        case (.decimalAttributeType, .string(let string)): decimal(string)
        case (.decimalAttributeType, .integer(let number)): NSDecimalNumber(decimal: Decimal(number))
        case (.decimalAttributeType, .number(let number)): decimal(number.description)
        case (.stringAttributeType, .string(let string)): string
        case (.dateAttributeType, .string(let string)): date(string)
        case (.binaryDataAttributeType, .string(let string)): Data(base64Encoded: string)
        case (.UUIDAttributeType, .string(let string)): UUID(uuidString: string)
        case (.URIAttributeType, .string(let string)): URL(string: string)
        case (.transformableAttributeType, _): try TransformableJSON.value(json, of: attribute)
        case (.compositeAttributeType, _):
            try (attribute as? NSCompositeAttributeDescription).flatMap { try CompositeJSON.value(json, of: $0) }
        default: nil
        }
    }

    private static func json(number: Float) -> JSONValue {
        guard number.isFinite, let shortest = Double(number.description) else { return .number(Double(number)) }
        return .number(shortest)
    }

    private static func float(_ number: Double, _ attribute: NSAttributeDescription) throws -> NSNumber {
        let float = Float(number)
        guard float.isFinite || !number.isFinite else {
            throw ToolFailure("\(number) is too large for the attribute \(attribute.name), a number of 32 bits.")
        }
        return NSNumber(value: float)
    }

    private static func number(_ json: JSONValue) -> Double? {
        switch json {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .string("NaN"): .nan
        case .string("Infinity"): .infinity
        case .string("-Infinity"): -.infinity
        default: nil
        }
    }

    /// Decimals in files are written the same way in every region.
    private static let plainLocale = Locale(identifier: "en_US_POSIX")

    static func decimal(_ string: String) -> NSDecimalNumber? {
        guard string == "NaN" || isDecimal(string.utf8) else { return nil }
        return Decimal(string: string, locale: plainLocale).map(NSDecimalNumber.init(decimal:))
    }

    /// Whether the whole of a string is a number such as `-12.5e3`. Read byte by byte, as an import has millions of
    /// them.
    private static func isDecimal(_ bytes: String.UTF8View) -> Bool {
        var rest = bytes[...]
        func skip(_ isWanted: (UInt8) -> Bool) -> Int {
            let count = rest.prefix(while: isWanted).count
            rest = rest.dropFirst(count)
            return count
        }
        func skipOne(_ letters: StaticString) {
            if let first = rest.first, letters.description.utf8.contains(first) { rest = rest.dropFirst() }
        }
        let isDigit = { (byte: UInt8) in byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
        skipOne("+-")
        var digits = skip(isDigit)
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            digits += skip(isDigit)
        }
        guard digits > 0 else { return false }
        guard let mark = rest.first else { return true }
        guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return false }
        rest = rest.dropFirst()
        skipOne("+-")
        return skip(isDigit) > 0 && rest.isEmpty
    }

    /// Dates that ISO 8601 cannot name are numbers of seconds since 2001.
    static func date(_ string: String) -> Date? {
        if let date = ISODate.date(from: string) { return date }
        guard string.hasPrefix("@"), let seconds = Double(string.dropFirst()) else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }
}

extension String {
    /// The string with its first letter in upper case.
    package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
