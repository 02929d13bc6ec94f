/// A title with text beside it, whose further lines stand below the text and not below the title.
package enum HangingText {
    /// Narrower columns than this are left to the terminal.
    private static let narrowest = 16

    /// The lines of `string` after `title`.
    ///
    /// - Parameter limit: The columns of the terminal; nil for one line however long.
    package static func lines(_ title: String, _ string: String, fitting limit: Int?) -> [String] {
        let (title, string) = (TerminalText.line(title), TerminalText.line(string))
        let indent = DisplayWidth.columns(of: title)
        guard let limit, limit - indent >= narrowest, indent + DisplayWidth.columns(of: string) > limit else {
            return [title + string]
        }
        let margin = String(repeating: " ", count: indent)
        return wrapped(string, to: limit - indent).enumerated().map { ($0 == 0 ? title : margin) + $1 }
    }

    /// Pieces of at most `width` columns, cut at spaces where there are any.
    private static func wrapped(_ string: String, to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in string.split(separator: " ", omittingEmptySubsequences: false) {
            let columns = DisplayWidth.columns(of: String(word))
            if !line.isEmpty, used + 1 + columns > width {
                lines.append(line)
                (line, used) = ("", 0)
            } else if !line.isEmpty {
                line += " "
                used += 1
            }
            guard columns > width else {
                line += word
                used += columns
                continue
            }
            for character in word {
                let next = DisplayWidth.columns(of: character)
                if used + next > width {
                    lines.append(line)
                    (line, used) = ("", 0)
                }
                line.append(character)
                used += next
            }
        }
        return lines + [line]
    }
}
