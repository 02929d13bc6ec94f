/// A token of Swift source. Comments are no tokens, and a string literal is one, whatever stands in it.
struct SwiftToken: Hashable, Sendable {
    enum Kind: Sendable {
        /// A name or a word of the language; `text` is without backticks.
        case word
        /// A name between backticks, which is never a word of the language.
        case quotedWord
        /// A string, a number or a regular expression.
        case literal
        /// One character of punctuation, or `->`.
        case symbol
        /// `#if`, `#elseif`, `#else` or `#endif`; the text is the condition.
        case directive(Directive)
    }

    enum Directive: String, Sendable {
        case `if`, `elseif`, `else`, `endif`
    }

    let kind: Kind
    let text: String
    /// The line, counted from 1.
    let line: Int
    /// Where it stands in the source, counted in Unicode scalars.
    let range: Range<Int>
    /// Whether it is the first one of its line.
    let startsLine: Bool
    /// What is interpolated in a string, from behind the parenthesis to before the closing one.
    var interpolations: [Range<Int>] = []

    static func == (first: SwiftToken, second: SwiftToken) -> Bool { first.range == second.range }
    func hash(into hasher: inout Hasher) { hasher.combine(range) }

    func isWord(_ word: String) -> Bool {
        if case .word = kind { return text == word }
        return false
    }

    func isSymbol(_ symbol: String) -> Bool {
        if case .symbol = kind { return text == symbol }
        return false
    }

    var isDirective: Bool {
        if case .directive = kind { return true }
        return false
    }

    /// The name that the token is, if it is one.
    var name: String? {
        switch kind {
        case .word, .quotedWord: text
        case .literal, .symbol, .directive: nil
        }
    }
}
