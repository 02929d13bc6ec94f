/// Cuts Swift source into tokens. It never fails: what is no Swift gives tokens that mean nothing.
struct SwiftLexer {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var line = 1
    private var startsLine = true
    private var tokens: [SwiftToken] = []
    /// The interpolations of the string that is being read, and how many are open.
    private var interpolations: [Range<Int>] = []
    private var depth = 0

    static func tokens(of source: String) -> [SwiftToken] {
        var lexer = SwiftLexer(scalars: Array(source.unicodeScalars))
        lexer.run()
        return lexer.tokens
    }

    private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    private mutating func run() {
        while let scalar = peek() {
            switch scalar {
            case "\n":
                line += 1
                startsLine = true
                position += 1
            case " ", "\t", "\r": position += 1
            case "/" where peek(1) == "/": skipLine()
            case "/" where peek(1) == "*": skipBlockComment()
            case "/" where isRegexStart: add(.literal) { $0.skipRegex() }
            case "\"": add(.literal) { $0.skipString(pounds: 0) }
            case "#": pound()
            case "`": quotedWord()
            case "0"..."9": add(.literal) { $0.skipNumber() }
            case "-" where peek(1) == ">": add(.symbol) { $0.position += 2 }
            case _ where Self.isWordScalar(scalar): add(.word) { $0.skipWord() }
            default: add(.symbol) { $0.position += 1 }
            }
        }
    }

    private mutating func add(_ kind: SwiftToken.Kind, _ advance: (inout SwiftLexer) -> Void) {
        let start = position
        let startLine = line
        let isFirst = startsLine
        startsLine = false
        interpolations = []
        advance(&self)
        position = min(max(position, start + 1), scalars.count)
        tokens.append(
            SwiftToken(
                kind: kind, text: text(start..<position), line: startLine, range: start..<position,
                startsLine: isFirst, interpolations: interpolations))
    }

    private func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

    private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        position + offset < scalars.count ? scalars[position + offset] : nil
    }

    private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$", "\u{80}"...: true
        default: false
        }
    }

    // MARK: Words and numbers

    private mutating func skipWord() {
        while let scalar = peek(), Self.isWordScalar(scalar) { position += 1 }
    }

    private mutating func skipNumber() {
        skipWord()
        if peek() == ".", let next = peek(1), ("0"..."9").contains(next) {
            position += 1
            skipWord()
        }
    }

    private mutating func quotedWord() {
        let start = position
        let isFirst = startsLine
        startsLine = false
        position += 1
        while let scalar = peek(), scalar != "`", scalar != "\n" { position += 1 }
        let word = text(start + 1..<position)
        if peek() == "`" { position += 1 }
        tokens.append(
            SwiftToken(kind: .quotedWord, text: word, line: line, range: start..<position, startsLine: isFirst))
    }

    // MARK: Comments

    private mutating func skipLine() {
        while let scalar = peek(), scalar != "\n" { position += 1 }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        while let scalar = peek() {
            if scalar == "/", peek(1) == "*" {
                depth += 1
                position += 2
            } else if scalar == "*", peek(1) == "/" {
                depth -= 1
                position += 2
                if depth == 0 { return }
            } else {
                if scalar == "\n" { line += 1 }
                position += 1
            }
        }
    }

    // MARK: Literals

    /// `#if` and its kind, `#"raw"#`, `#/regex/#`, or a macro.
    private mutating func pound() {
        var pounds = 0
        while peek(pounds) == "#" { pounds += 1 }
        if peek(pounds) == "\"" {
            add(.literal) {
                $0.position += pounds
                $0.skipString(pounds: pounds)
            }
        } else if peek(pounds) == "/" {
            add(.literal) { $0.skipRaw(end: "/", pounds: pounds) }
        } else if pounds == 1, let directive = directive() {
            let word = directive.rawValue.count + 1
            let start = position
            let isFirst = startsLine
            position += word
            let conditionStart = position
            while let scalar = peek(), scalar != "\n", !(scalar == "/" && peek(1) == "/") { position += 1 }
            tokens.append(
                SwiftToken(
                    kind: .directive(directive), text: text(conditionStart..<position), line: line,
                    range: start..<position, startsLine: isFirst))
        } else {
            add(.symbol) { $0.position += 1 }
        }
    }

    private func directive() -> SwiftToken.Directive? {
        var end = position + 1
        while end < scalars.count, Self.isWordScalar(scalars[end]) { end += 1 }
        return SwiftToken.Directive(rawValue: text(position + 1..<end))
    }

    /// Skips a string from its first quote; what is interpolated may hold strings again.
    private mutating func skipString(pounds: Int) {
        let isMultiline = peek(1) == "\"" && peek(2) == "\""
        let quotes = isMultiline ? 3 : 1
        position += quotes
        while let scalar = peek() {
            if scalar == "\\", has(pounds: pounds, at: 1) {
                position += 1 + pounds
                if peek() == "(" { interpolation() } else { position += 1 }
            } else if scalar == "\"", (0..<quotes).allSatisfy({ peek($0) == "\"" }), has(pounds: pounds, at: quotes) {
                position += quotes + pounds
                return
            } else if scalar == "\n" {
                if !isMultiline { return }
                line += 1
                position += 1
            } else {
                position += 1
            }
        }
    }

    /// Skips an interpolation, and records it unless it stands in another one.
    private mutating func interpolation() {
        let start = position + 1
        depth += 1
        skipInterpolation()
        depth -= 1
        if depth == 0, start < position, scalars[position - 1] == ")" { interpolations.append(start..<position - 1) }
    }

    private mutating func skipInterpolation() {
        var depth = 0
        while let scalar = peek() {
            switch scalar {
            case "(": depth += 1
            case ")": depth -= 1
            case "\"":
                skipString(pounds: 0)
                continue
            case "\n": line += 1
            default: break
            }
            position += 1
            if depth == 0 { return }
        }
    }

    private func has(pounds: Int, at offset: Int) -> Bool {
        (0..<pounds).allSatisfy { peek(offset + $0) == "#" }
    }

    private mutating func skipRaw(end: Unicode.Scalar, pounds: Int) {
        position += pounds + 1
        while let scalar = peek() {
            if scalar == "\n" { line += 1 }
            position += 1
            if scalar == end, has(pounds: pounds, at: 0) {
                position += pounds
                return
            }
        }
    }

    /// Whether a slash begins a regular expression: it stands where a value does, and ends in the same line.
    private var isRegexStart: Bool {
        guard let next = peek(1), next != " ", next != "/", next != "*" else { return false }
        if let last = tokens.last {
            guard case .symbol = last.kind, ["=", "(", ",", ":", "[", "{", "?", "!", "&", "|"].contains(last.text)
            else {
                return last.isWord("return") && endsInLine
            }
        }
        return endsInLine
    }

    private var endsInLine: Bool {
        let rest = scalars[(position + 1)...]
        guard let slash = rest.firstIndex(of: "/") else { return false }
        return rest.firstIndex(of: "\n").map { slash < $0 } ?? true
    }

    private mutating func skipRegex() {
        position += 1
        while let scalar = peek(), scalar != "\n" {
            if scalar == "\\" { position += 1 }
            position += 1
            if scalar == "/" { return }
        }
    }
}
