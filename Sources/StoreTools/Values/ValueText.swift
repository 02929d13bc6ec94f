import Foundation

/// Values as people read them in tables, and as CSV has them.
package enum ValueText {
    /// The text for a cell of CSV; nil for no value. Arrays of plain values are separated by spaces.
    package static func csv(_ value: JSONValue) -> String? {
        switch value {
        case .null: return nil
        case .string(let text): return text
        case .array(let elements):
            let texts = elements.compactMap { element -> String? in
                if case .string(let text) = element, !text.contains(" ") { return text }
                return nil
            }
            return texts.count == elements.count ? texts.joined(separator: " ") : JSONText.text(of: value)
        default: return JSONText.text(of: value)
        }
    }

    /// The text for a cell of a table: object URIs without their store, arrays of them as a count.
    package static func cell(_ value: JSONValue) -> String {
        switch value {
        case .null: return "–"
        case .string(let text): return ObjectName.short(text)
        case .array(let elements):
            if elements.isEmpty { return "none" }
            if elements.allSatisfy(\.isObjectURI) {
                return elements.count == 1 ? "1 object" : "\(elements.count) objects"
            }
            return JSONText.text(of: value)
        default: return JSONText.text(of: value)
        }
    }
}

extension JSONValue {
    fileprivate var isObjectURI: Bool {
        if case .string(let text) = self { return text.hasPrefix(ObjectName.scheme) }
        return false
    }
}
