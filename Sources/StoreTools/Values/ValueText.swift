import Foundation

/// Values as people read them in tables, and as CSV has them.
package enum ValueText {
    /// The text for a cell of CSV; nil for no value. Objects' URIs are separated by spaces, other arrays are JSON.
    package static func csv(_ value: JSONValue) -> String? {
        switch value {
        case .null: return nil
        case .string(let string): return string
        case .array(let elements) where !elements.isEmpty && elements.allSatisfy(\.isObjectURI):
            return csv(objects: elements)
        default: return JSONText.string(of: value)
        }
    }

    /// The text for a cell of CSV with the URIs of objects.
    static func csv(objects: [JSONValue]) -> String {
        objects.compactMap { if case .string(let uri) = $0 { uri } else { nil } }.joined(separator: " ")
    }

    /// The text for a cell of a table: object URIs without their store, arrays of them as a count, numbers with as many
    /// digits as people read.
    ///
    /// - Parameters:
    ///   - isNumber: Whether a string is a decimal number.
    ///   - isAverage: Whether a number was computed of others, so that most of its digits mean nothing.
    package static func cell(_ value: JSONValue, isNumber: Bool = false, isAverage: Bool = false) -> String {
        switch value {
        case .null: return "–"
        case .string(let digits) where isNumber: return TableNumber.string(decimal: digits, isAverage: isAverage)
        case .number(let number): return TableNumber.string(number, isAverage: isAverage)
        case .string(let string): return ObjectName.short(string)
        case .array(let elements):
            if elements.isEmpty { return "none" }
            if elements.allSatisfy(\.isObjectURI) {
                return elements.count == 1 ? "1 object" : "\(elements.count) objects"
            }
            return JSONText.string(of: value)
        default: return JSONText.string(of: value)
        }
    }
}

extension JSONValue {
    fileprivate var isObjectURI: Bool {
        if case .string(let string) = self { return string.hasPrefix(ObjectName.scheme) }
        return false
    }
}
