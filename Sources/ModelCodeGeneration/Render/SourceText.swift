/// Source that grows line by line.
package struct SourceText {
    package private(set) var text = ""
    private var indentation = 0

    package init() {}

    package mutating func line(_ line: String) {
        text += line.isEmpty ? "\n" : String(repeating: "    ", count: indentation) + line + "\n"
    }

    package mutating func blank() { text += "\n" }

    package mutating func lines(_ lines: [String]) {
        for line in lines { self.line(line) }
    }

    /// A line that opens a brace, what stands between, and the closing brace.
    package mutating func block(_ head: String, _ body: (inout SourceText) -> Void) {
        line(head + " {")
        indentation += 1
        body(&self)
        indentation -= 1
        line("}")
    }

    /// A string as a literal of Swift.
    package static func literal(_ string: String) -> String {
        var result = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// A string without line breaks, for a comment.
    package static func comment(_ string: String) -> String {
        string.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
