import Foundation
package import OpenCoreData

/// Values as a user types them: `null`, or the string of a value of the attribute's type.
package enum CommandLineValue {
    /// The value that `string` represents.
    ///
    /// - Throws: `ToolFailure` if it isn't a value of the attribute's type.
    package static func value(_ string: String, of attribute: NSAttributeDescription) throws -> Any? {
        try AttributeCoding.value(json(string, attribute), of: attribute)
    }

    /// The value that `string` represents as an element of a composite attribute.
    ///
    /// - Throws: `ToolFailure` if it isn't a value of the element's type.
    package static func value(_ string: String, ofElement element: NSAttributeDescription) throws -> Any? {
        if element.attributeType == .binaryDataAttributeType, string.hasPrefix("[") || string.hasPrefix("{"),
            let json = parsed(string)
        {
            return try CompositeJSON.value(json, ofElement: element)
        }
        return try value(string, of: element)
    }

    /// The value that a field of CSV represents: a string is the field itself, other values are as a user types them.
    ///
    /// - Throws: `ToolFailure` if it isn't a value of the attribute's type.
    static func value(field: String, of attribute: NSAttributeDescription) throws -> Any? {
        switch attribute.attributeType {
        case .stringAttributeType, .URIAttributeType, .binaryDataAttributeType:
            return try AttributeCoding.value(.string(field), of: attribute)
        case .compositeAttributeType:
            guard let composite = attribute as? NSCompositeAttributeDescription,
                case .rawValues(let element) = CompositeShape(of: composite)
            else { return try value(field, of: attribute) }
            return try value(field: field, of: element).map { [element.name: $0] }
        default: return try value(field, of: attribute)
        }
    }

    private static func json(_ string: String, _ attribute: NSAttributeDescription) throws -> JSONValue {
        if string == "null" { return .null }
        switch attribute.attributeType {
        case .compositeAttributeType where !string.hasPrefix("{"):
            guard let composite = attribute as? NSCompositeAttributeDescription,
                case .rawValues(let element) = CompositeShape(of: composite)
            else { return .string(string) }
            return try json(string, element)
        case .stringAttributeType where !isQuoted(string):
            return .string(string)
        case .booleanAttributeType:
            return flag(string).map(JSONValue.bool) ?? .string(string)
        case .dateAttributeType, .binaryDataAttributeType, .UUIDAttributeType, .URIAttributeType, .decimalAttributeType:
            return .string(string)
        default:
            // Numbers, quoted strings, and the property lists of transformables.
            return parsed(string) ?? .string(string)
        }
    }

    private static func parsed(_ string: String) -> JSONValue? {
        var parser = JSONPullParser(string)
        guard let value = try? parser.readValue(), (try? parser.next()) == .endOfDocument else { return nil }
        return value
    }

    /// Quotes let a string be the word null, or start and end with quotes of its own.
    private static func isQuoted(_ string: String) -> Bool {
        string.count >= 2 && string.hasPrefix("\"") && string.hasSuffix("\"")
    }

    static func flag(_ string: String) -> Bool? {
        switch string.lowercased() {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }
}
