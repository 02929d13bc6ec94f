import Foundation
package import OpenCoreData

/// Values as a user types them: `null`, or the text of a value of the attribute's type.
package enum CommandLineValue {
    /// The value that `text` stands for.
    ///
    /// - Throws: `ToolFailure` when it is none of the attribute's type.
    package static func value(_ text: String, of attribute: NSAttributeDescription) throws -> Any? {
        try AttributeCoding.value(json(text, attribute), of: attribute)
    }

    /// The value that `text` stands for as an element of a composite attribute.
    ///
    /// - Throws: `ToolFailure` when it is none of the element's type.
    package static func value(_ text: String, ofElement element: NSAttributeDescription) throws -> Any? {
        if element.attributeType == .binaryDataAttributeType, text.hasPrefix("[") || text.hasPrefix("{"),
            let json = parsed(text)
        {
            return try CompositeJSON.value(json, ofElement: element)
        }
        return try value(text, of: element)
    }

    private static func json(_ text: String, _ attribute: NSAttributeDescription) throws -> JSONValue {
        if text == "null" { return .null }
        switch attribute.attributeType {
        case .compositeAttributeType where !text.hasPrefix("{"):
            guard let composite = attribute as? NSCompositeAttributeDescription,
                case .rawValues(let element) = CompositeShape(of: composite)
            else { return .string(text) }
            return try json(text, element)
        case .stringAttributeType where !isQuoted(text):
            return .string(text)
        case .booleanAttributeType:
            return flag(text).map(JSONValue.bool) ?? .string(text)
        case .dateAttributeType, .binaryDataAttributeType, .UUIDAttributeType, .URIAttributeType, .decimalAttributeType:
            return .string(text)
        default:
            // Numbers, quoted strings, and the property lists of transformables.
            return parsed(text) ?? .string(text)
        }
    }

    private static func parsed(_ text: String) -> JSONValue? {
        var parser = JSONPullParser(text)
        guard let value = try? parser.readValue(), (try? parser.next()) == .endOfDocument else { return nil }
        return value
    }

    /// Quotes let a string be the word null, or start and end with quotes of its own.
    private static func isQuoted(_ text: String) -> Bool {
        text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
    }

    static func flag(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }
}
