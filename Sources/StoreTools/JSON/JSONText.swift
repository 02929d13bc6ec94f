/// Turns JSON values into text.
package enum JSONText {
    /// How values are laid out.
    package enum Layout {
        /// Everything on one line.
        case compact
        /// Two spaces per level; short arrays of plain values stay on one line.
        case indented
    }

    package static func string(of value: JSONValue, layout: Layout = .compact) -> String {
        var output = ""
        switch layout {
        case .compact: append(value, to: &output)
        case .indented: append(value, to: &output, level: 0)
        }
        return output
    }

    package static func append(_ value: JSONValue, to output: inout String) {
        switch value {
        case .array(let elements):
            output += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { output += ", " }
                append(element, to: &output)
            }
            output += "]"
        case .object(let members):
            output += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { output += ", " }
                appendQuoted(member.key, to: &output)
                output += ": "
                append(member.value, to: &output)
            }
            output += "}"
        default:
            appendScalar(value, to: &output)
        }
    }

    /// Appends `string` as a JSON string, quotes included.
    ///
    /// What a terminal would obey or not show is escaped, which represents the same character.
    package static func appendQuoted(_ string: String, to output: inout String) {
        output += "\""
        for scalar in string.unicodeScalars { appendScalar(scalar, to: &output) }
        output += "\""
    }

    /// Appends a character of a string.
    static func appendScalar(_ scalar: Unicode.Scalar, to output: inout String) {
        switch scalar {
        case "\"": output += "\\\""
        case "\\": output += "\\\\"
        case "\n": output += "\\n"
        case "\r": output += "\\r"
        case "\t": output += "\\t"
        case "\u{8}": output += "\\b"
        case "\u{C}": output += "\\f"
        case _ where TerminalText.isHidden(scalar) && !isJoiner(scalar):
            for unit in String(scalar).utf16 { appendEscaped(unit, to: &output) }
        default:
            output.unicodeScalars.append(scalar)
        }
    }

    private static func appendEscaped(_ unit: UInt16, to output: inout String) {
        let digits = String(unit, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Part of many an emoji, and harmless.
    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{200C}" || scalar == "\u{200D}" }

    /// JSON has no spelling for these numbers, so they are written as strings; `AttributeCoding` reads them back.
    package static func nameOfNonFinite(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        return number < 0 ? "-Infinity" : "Infinity"
    }

    private static func appendScalar(_ value: JSONValue, to output: inout String) {
        switch value {
        case .null: output += "null"
        case .bool(let flag): output += flag ? "true" : "false"
        case .integer(let number): output += String(number)
        case .number(let number) where number.isFinite: output += number.description
        case .number(let number): appendQuoted(nameOfNonFinite(number), to: &output)
        case .string(let string): appendQuoted(string, to: &output)
        case .array, .object: append(value, to: &output)
        }
    }

    private static func append(_ value: JSONValue, to output: inout String, level: Int) {
        let inner = String(repeating: "  ", count: level + 1)
        let outer = String(repeating: "  ", count: level)
        switch value {
        case .array(let elements) where !elements.isEmpty && !elements.allSatisfy(\.isScalar):
            output += "[\n"
            for (index, element) in elements.enumerated() {
                output += inner
                append(element, to: &output, level: level + 1)
                output += index + 1 < elements.count ? ",\n" : "\n"
            }
            output += outer + "]"
        case .object(let members) where !members.isEmpty:
            output += "{\n"
            for (index, member) in members.enumerated() {
                output += inner
                appendQuoted(member.key, to: &output)
                output += ": "
                append(member.value, to: &output, level: level + 1)
                output += index + 1 < members.count ? ",\n" : "\n"
            }
            output += outer + "}"
        default:
            append(value, to: &output)
        }
    }
}

extension JSONValue {
    fileprivate var isScalar: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }
}
