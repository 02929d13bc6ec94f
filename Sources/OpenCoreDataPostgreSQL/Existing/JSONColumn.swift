#if PostgreSQL
import Foundation
import OpenCoreData

/// A column whose values are JSON in objects: one of type `json` or `jsonb`, as UTF-8 or as a string, or an array, which the server
/// makes JSON of, and the other way round.
enum JSONColumn: Hashable, Sendable {
    /// The elements of an array.
    enum Element: Hashable, Sendable {
        case boolean, integer16, integer32, integer64, double
        /// Any other type, as strings; `labels` are the only ones that an enumeration has, and none where there are others.
        case string(labels: [String])

        /// - Returns: nil for a type that no attribute could have either.
        init?(_ kind: SlotKind?, labels: [String]) {
            switch kind {
            case .boolean: self = .boolean
            case .integer16: self = .integer16
            case .integer32: self = .integer32
            case .integer64: self = .integer64
            case .double, .float: self = .double
            case nil: return nil
            default: self = .string(labels: labels)
            }
        }
    }

    case json(hasNull: Bool)
    /// The same as a string in objects.
    case text(hasNull: Bool)
    case array(Element)

    // MARK: SQL

    /// The bytes, or the text, of a column's value. An array that is more than a list of values is as the server writes it, in braces.
    func read(_ column: String) -> String {
        if case .text = self { return "(\(column)::text COLLATE \"C\")" }
        guard case .array(let element) = self else { return "convert_to(\(column)::text, 'UTF8')" }
        var list = column
        if case .string = element { list += "::text[]" }
        return "convert_to(CASE WHEN array_ndims(\(column)) > 1 OR (array_ndims(\(column)) = 1 AND EXISTS "
            + "(SELECT 1 FROM unnest(\(list)) AS e(v) WHERE e.v IS NULL)) THEN \(column)::text "
            + "ELSE to_jsonb(\(list))::text END, 'UTF8')"
    }

    /// A column's value of bytes, or of a text.
    func written(_ bytes: String, type: String) -> String {
        if case .text = self { return "\(bytes)::\(type)" }
        let text = "convert_from(\(bytes), 'UTF8')"
        guard case .array = self else { return "\(text)::\(type)" }
        return
            "(CASE WHEN \(bytes) IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(\(text)::jsonb)) END)::\(type)"
    }

    // MARK: Values

    /// Why the column can't have bytes, as the end of a sentence; nil if it can.
    func problem(of data: Data) -> String? {
        guard let text = String(data: data, encoding: .utf8),
            (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
        else { return "isn't JSON in UTF-8" }
        switch self {
        case .json(let hasNull), .text(let hasNull):
            return !hasNull && Self.hasNullCharacter(text)
                ? "has the character U+0000, which PostgreSQL can't store" : nil
        case .array(let element):
            if Self.hasNullCharacter(text) { return "has the character U+0000, which PostgreSQL can't store" }
            return Self.problem(of: data, element)
        }
    }

    private static func problem(of data: Data, _ element: Element) -> String? {
        switch element {
        case .boolean: return problem(of: data, [Bool?].self, "a boolean")
        case .integer16: return problem(of: data, [Int16?].self, "an integer of 16 bits")
        case .integer32: return problem(of: data, [Int32?].self, "an integer of 32 bits")
        case .integer64: return problem(of: data, [Int64?].self, "an integer of 64 bits")
        case .double: return problem(of: data, [Double?].self, "a number")
        case .string(let labels):
            if let problem = problem(of: data, [String?].self, "a string") { return problem }
            guard !labels.isEmpty, let strings = try? decoder.decode([String].self, from: data),
                let other = strings.first(where: { !labels.contains($0) })
            else { return nil }
            return "has the element \(other), which isn't one of \(labels.joined(separator: ", "))"
        }
    }

    private static func problem<Value: Decodable>(
        of data: Data, _ type: [Value?].Type, _ expected: String
    ) -> String? {
        guard let values = try? decoder.decode(type, from: data) else {
            return "isn't an array in which each element is \(expected)"
        }
        return values.contains { $0 == nil } ? "has an element that is null" : nil
    }

    /// JSON has no numbers that are no numbers: these are strings, as the server writes them.
    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return decoder
    }

    /// Whether JSON has an escaped U+0000.
    private static func hasNullCharacter(_ text: String) -> Bool {
        var isEscaped = false
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if isEscaped, rest.count >= 4, byte == UInt8(ascii: "u"),
                rest.prefix(4).allSatisfy({ $0 == UInt8(ascii: "0") })
            {
                return true
            }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        }
        return false
    }
}
#endif
