/// A range of a source, in Unicode scalars, and what replaces it.
struct SourceEdit {
    var range: Range<Int>
    var text: String

    /// The source with the changes. Of two that meet, the first one counts.
    static func apply(_ edits: [SourceEdit], to scalars: [Unicode.Scalar]) -> String {
        var result = ""
        var position = 0
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where edit.range.lowerBound >= position {
            result.unicodeScalars.append(contentsOf: scalars[position..<edit.range.lowerBound])
            result += edit.text
            position = edit.range.upperBound
        }
        result.unicodeScalars.append(contentsOf: scalars[position...])
        return result
    }
}

/// A source and its tokens, for changes of expressions and declarations.
struct PortableSource {
    let scalars: [Unicode.Scalar]
    /// All of them, directives too.
    let allTokens: [SwiftToken]
    /// Those that are compiled off Apple's platforms.
    let tokens: [SwiftToken]
    /// The branch of `#if` that each of `tokens` is in, counted from 1; 0 outside of any.
    let branches: [Int]

    init(_ source: String) {
        scalars = Array(source.unicodeScalars)
        allTokens = SwiftLexer.tokens(of: source)
        tokens = ConditionalSource.active(allTokens)
        let branches = ConditionalSource.branches(allTokens)
        self.branches = tokens.map { branches[$0] ?? 0 }
    }

    func token(_ index: Int) -> SwiftToken? { tokens.indices.contains(index) ? tokens[index] : nil }

    func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

    /// The text from the beginning of one token to the end of another.
    func text(from first: Int, through last: Int) -> String {
        text(tokens[first].range.lowerBound..<tokens[last].range.upperBound)
    }

    /// The range of a word and the spaces behind it.
    func rangeWithSpace(of token: SwiftToken) -> Range<Int> {
        var end = token.range.upperBound
        while end < scalars.count, scalars[end] == " " { end += 1 }
        return token.range.lowerBound..<end
    }

    /// Whether nothing stands between two neighbors.
    func isAdjacent(_ index: Int, to next: Int) -> Bool {
        guard let token = token(index), let following = self.token(next) else { return false }
        return token.range.upperBound == following.range.lowerBound
    }

    /// The index of the bracket that closes the one at an index.
    func closing(_ open: Int) -> Int? { matching(open, opening: "([{", closing: ")]}", step: 1) }

    /// The index of the bracket that opens the one at an index.
    func opening(_ close: Int) -> Int? { matching(close, opening: ")]}", closing: "([{", step: -1) }

    /// The index of the `>` that closes the `<` at an index.
    func closingAngle(_ open: Int) -> Int? { matching(open, opening: "<", closing: ">", step: 1) }

    private func matching(_ start: Int, opening: String, closing: String, step: Int) -> Int? {
        var depth = 0
        var index = start
        while let token = token(index) {
            if case .symbol = token.kind, token.text.count == 1 {
                if opening.contains(token.text) { depth += 1 }
                if closing.contains(token.text) { depth -= 1 }
                if depth == 0 { return index }
                if depth < 0 { return nil }
            }
            index += step
        }
        return nil
    }

    /// The index of the bracket around a token.
    func enclosingBracket(around index: Int) -> Int? {
        var depth = 0
        for position in stride(from: index - 1, through: 0, by: -1) {
            let token = tokens[position]
            if [")", "]", "}"].contains(where: token.isSymbol) { depth += 1 }
            if ["(", "[", "{"].contains(where: token.isSymbol) { depth -= 1 }
            if depth < 0 { return position }
        }
        return nil
    }

    /// The declaration whose braces are around a token.
    struct Body {
        /// `class`, `extension`, `protocol` and so on.
        let keyword: String
        /// The index of the keyword.
        let index: Int
        /// The index of the opening brace.
        let open: Int
    }

    /// The type or extension in whose body a token stands, at the level of its members.
    func body(around index: Int) -> Body? {
        guard let open = enclosingBracket(around: index), tokens[open].isSymbol("{") else { return nil }
        var position = open - 1
        while let token = token(position) {
            if ["class", "extension", "protocol", "struct", "enum", "actor"].contains(where: token.isWord) {
                return Body(keyword: token.text, index: position, open: open)
            }
            guard token.name != nil || [":", ",", ".", "<", ">", "&", "=", "@"].contains(where: token.isSymbol) else {
                return nil
            }
            position -= 1
        }
        return nil
    }

    /// Where the expression begins that ends with a token: names, calls, subscripts, what is behind a dot.
    func startOfPostfix(endingAt end: Int) -> Int? {
        var index = end
        while let token = token(index) {
            var start = index
            if token.isSymbol("?") || token.isSymbol("!") {
                index -= 1
                continue
            } else if token.isSymbol(")") || token.isSymbol("]") {
                guard let open = opening(index) else { return nil }
                start = open
                // What is called or subscribed, without a space in between.
                if isAdjacent(open - 1, to: open), let before = self.token(open - 1),
                    before.name != nil || [")", "]", "?", "!", ">"].contains(where: before.isSymbol)
                {
                    index = before.isSymbol(">") ? (openingAngle(open - 1) ?? open) - 1 : open - 1
                    continue
                }
            } else if token.name == nil {
                return nil
            }
            guard let dot = self.token(start - 1), dot.isSymbol(".") else { return start }
            // An implicit member begins with its dot.
            guard isAdjacent(start - 2, to: start - 1) || self.token(start - 1)?.startsLine == true else {
                return start - 1
            }
            index = start - 2
        }
        return nil
    }

    private func openingAngle(_ close: Int) -> Int? { matching(close, opening: ">", closing: "<", step: -1) }
}
