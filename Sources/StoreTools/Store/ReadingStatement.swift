/// Decides whether SQL text that a user typed is one statement that reads.
enum ReadingStatement {
    static let refusal = ToolFailure(
        "Only statements that read are allowed: SELECT, WITH, VALUES and EXPLAIN; set, insert and delete change objects."
    )

    /// - Throws: `ToolFailure` for no statement, for several, and for one that doesn't begin like one that reads.
    static func check(_ sql: String) throws {
        let characters = Array(sql.unicodeScalars)
        var position = 0
        var first = ""
        var hasEnded = false
        while position < characters.count {
            let start = position
            let kind = next(characters, &position)
            if kind == .blank { continue }
            if hasEnded { throw ToolFailure("There are several statements; only one is run at a time.") }
            if kind == .end {
                if first.isEmpty { continue }
                hasEnded = true
            } else if first.isEmpty {
                first = word(characters, start)
                guard ["SELECT", "WITH", "VALUES", "EXPLAIN"].contains(first) else { throw refusal }
            }
        }
        guard !first.isEmpty else { throw ToolFailure("There is no statement.") }
    }

    private enum Part {
        case blank, text, end
    }

    private static func word(_ characters: [Unicode.Scalar], _ start: Int) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: characters[start...].prefix { $0.properties.isAlphabetic })
        let word = String(view).uppercased()
        return word.isEmpty ? "?" : word
    }

    /// Moves over a comment, a quoted part or a single character.
    private static func next(_ characters: [Unicode.Scalar], _ position: inout Int) -> Part {
        let character = characters[position]
        let following = position + 1 < characters.count ? characters[position + 1] : nil
        switch (character, following) {
        case ("-", "-"):
            while position < characters.count, characters[position] != "\n" { position += 1 }
            return .blank
        case ("/", "*"):
            position += 2
            while position < characters.count,
                !(characters[position] == "*" && position + 1 < characters.count && characters[position + 1] == "/")
            { position += 1 }
            position = min(position + 2, characters.count)
            return .blank
        case ("'", _), ("\"", _), ("`", _), ("[", _):
            let end: Unicode.Scalar = character == "[" ? "]" : character
            position += 1
            while position < characters.count, characters[position] != end { position += 1 }
            position = min(position + 1, characters.count)
            return .text
        case (";", _):
            position += 1
            return .end
        default:
            position += 1
            return character.properties.isWhitespace ? .blank : .text
        }
    }
}
