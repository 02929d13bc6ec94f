package import Foundation
package import OpenCoreData

/// What a composite attribute represents. SwiftData makes one of each enumeration and each Codable struct, and the
/// model's user info says which it is.
package enum CompositeShape {
    /// An enumeration with raw values: the value is in the one element, which has the attribute's own name.
    case rawValues(NSAttributeDescription)
    /// An enumeration without: the element of the chosen case has the case's name as its value, all others have none.
    case cases([String])
    /// One element for each property of a struct.
    case structure

    package init(of composite: NSCompositeAttributeDescription) {
        let info = composite.userInfo ?? [:]
        guard (info["EnumType"] as? NSNumber)?.boolValue == true else {
            self = .structure
            return
        }
        let isPlain = !composite.elements.contains { $0 is NSCompositeAttributeDescription }
        if info["enum"] is [Any], isPlain, composite.elements.allSatisfy({ $0.attributeType == .stringAttributeType }) {
            // The elements are the cases; the list in the user info may be of another version.
            self = .cases(composite.elements.map(\.name))
        } else if isPlain, let only = composite.elements.first, composite.elements.count == 1,
            only.name == composite.name
        {
            self = .rawValues(only)
        } else {
            self = .structure
        }
    }
}

/// Values of composite attributes as JSON, and back.
package enum CompositeJSON {
    /// An enumeration's raw value or case; otherwise an object by names of elements.
    package static func json(_ value: Any, of composite: NSCompositeAttributeDescription) -> JSONValue {
        guard let elements = value as? [String: Any] else { return DynamicJSON.json(value) }
        switch CompositeShape(of: composite) {
        case .rawValues(let element):
            return AttributeCoding.json(elements[element.name], of: element)
        case .cases:
            if elements.isEmpty { return .null }
            if elements.count == 1, let name = elements.keys.first, elements[name] as? String == name {
                return .string(name)
            }
        case .structure: break
        }
        return .object(
            composite.elements.compactMap { element in
                elements[element.name].map { JSONMember(key: element.name, value: json($0, ofElement: element)) }
            })
    }

    /// An element's value. Data that is JSON, as SwiftData keeps arrays in structs, is shown as such.
    package static func json(_ value: Any?, ofElement element: NSAttributeDescription) -> JSONValue {
        if element.attributeType == .binaryDataAttributeType, let data = value as? Data, let json = DataJSON.json(data)
        {
            return json
        }
        return AttributeCoding.json(value, of: element)
    }

    /// The elements that a JSON value represents.
    ///
    /// - Throws: `ToolFailure` for an unknown case or element, and for an element of another type.
    package static func value(_ json: JSONValue, of composite: NSCompositeAttributeDescription) throws -> [String: Any]?
    {
        if case .object(let members) = json { return try elements(members, of: composite) }
        switch (CompositeShape(of: composite), json) {
        case (.rawValues(let element), _):
            return try AttributeCoding.value(json, of: element).map { [element.name: $0] }
        case (.cases(let names), .string(let name)):
            guard names.contains(name) else {
                throw ToolFailure(
                    "\(name) is not a case of the enumeration \(composite.name); it has \(StoreSession.listed(names)).")
            }
            return [name: name]
        default: return nil
        }
    }

    /// The value of one element that a JSON value represents.
    ///
    /// - Throws: `ToolFailure` if it isn't a value of the element's type.
    package static func value(_ json: JSONValue, ofElement element: NSAttributeDescription) throws -> Any? {
        switch json {
        case .array, .object:
            return element.attributeType == .binaryDataAttributeType
                ? DataJSON.data(json) : try AttributeCoding.value(json, of: element)
        default: return try AttributeCoding.value(json, of: element)
        }
    }

    private static func elements(
        _ members: [JSONMember], of composite: NSCompositeAttributeDescription
    ) throws -> [String: Any] {
        var result: [String: Any] = [:]
        for member in members {
            guard let element = composite.elements.first(where: { $0.name == member.key }) else {
                let names = StoreSession.listed(composite.elements.map(\.name))
                throw ToolFailure(
                    "The attribute \(composite.name) has no element named \(member.key); it has \(names).")
            }
            result[member.key] = try value(member.value, ofElement: element)
        }
        return result
    }
}

/// JSON inside binary values, as Foundation writes it.
///
/// Only bytes that come back the same are taken for JSON, so that nothing is changed by an export and an import.
package enum DataJSON {
    /// So deep, the value may stand within an export.
    private static let deepest = 64

    /// The array or object that the bytes are; nil for anything else.
    package static func json(_ data: Data) -> JSONValue? {
        guard let first = data.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "{"),
            let string = String(data: data, encoding: .utf8)
        else { return nil }
        var parser = JSONPullParser(string)
        guard let value = try? parser.readValue(), (try? parser.next()) == .endOfDocument, depth(of: value) <= deepest,
            self.data(value) == data
        else { return nil }
        return value
    }

    /// The bytes for a value, without spaces and with `\/` for a slash.
    package static func data(_ value: JSONValue) -> Data {
        var string = ""
        append(value, to: &string)
        return Data(string.utf8)
    }

    private static func append(_ value: JSONValue, to output: inout String) {
        switch value {
        case .array(let elements):
            output += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { output += "," }
                append(element, to: &output)
            }
            output += "]"
        case .object(let members):
            output += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { output += "," }
                appendQuoted(member.key, to: &output)
                output += ":"
                append(member.value, to: &output)
            }
            output += "}"
        case .string(let string): appendQuoted(string, to: &output)
        case .number(let number) where number.isFinite: output += number.description
        default: JSONText.append(value, to: &output)
        }
    }

    private static func appendQuoted(_ string: String, to output: inout String) {
        output += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "/": output += "\\/"
            case "\u{8}": output += "\\b"
            case "\u{C}": output += "\\f"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            case "\u{0}"..."\u{F}": output += "\\u000" + String(scalar.value, radix: 16)
            case "\u{10}"..."\u{1F}": output += "\\u00" + String(scalar.value, radix: 16)
            default: output.unicodeScalars.append(scalar)
            }
        }
        output += "\""
    }

    private static func depth(of value: JSONValue) -> Int {
        switch value {
        case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
        case .object(let members): 1 + (members.map { depth(of: $0.value) }.max() ?? 0)
        default: 0
        }
    }
}
