import Foundation

/// A word or symbol of a format string.
enum PredicateToken: Equatable {
    case number(String)
    case string(String)
    /// A word; one written with `#` before it is never a keyword.
    case word(String, isEscaped: Bool)
    case variable(String)
    /// `%@` and the like: the conversion letters, and the number of a positional one.
    case placeholder(String, position: Int?)
    case symbol(String)
    case end
}

/// Cuts a format string into tokens.
struct PredicateLexer {
    private let scalars: [Unicode.Scalar]
    let format: String
    /// Where the next token starts.
    var position = 0

    init(_ format: String) {
        self.format = format
        scalars = Array(format.unicodeScalars)
    }

    /// An error that says what was expected and where.
    func error(_ expectation: String, at position: Int) -> any Error {
        PredicateError.format(
            "The format string \"\(format)\" is not valid at character \(position + 1): \(expectation).")
    }

    private func scalar(_ offset: Int = 0) -> Unicode.Scalar? {
        let index = position + offset
        return index < scalars.count ? scalars[index] : nil
    }

    mutating func skipSpace() {
        while let next = scalar(), next.properties.isWhitespace { position += 1 }
    }

    /// The next token.
    mutating func next() throws -> PredicateToken {
        skipSpace()
        guard let first = scalar() else { return .end }
        switch first {
        case "\"", "'": return .string(try string(quote: first))
        case "0"..."9": return .number(try number())
        case "$": return .variable(try variable())
        case "%": return try placeholder()
        case "#", "@": return try marked(first)
        default: break
        }
        if Self.isWordStart(first) { return .word(word(), isEscaped: false) }
        return .symbol(try symbol(first))
    }

    // MARK: Words

    static func isWordStart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic
    }

    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        isWordStart(scalar) || ("0"..."9").contains(scalar) || scalar == ":" || scalar.properties.isXIDContinue
    }

    private mutating func word() -> String {
        var result = String.UnicodeScalarView()
        while let next = scalar(), Self.isWordPart(next) {
            result.append(next)
            position += 1
        }
        return String(result)
    }

    private mutating func marked(_ mark: Unicode.Scalar) throws -> PredicateToken {
        position += 1
        guard let next = scalar(), Self.isWordPart(next) else {
            throw error("expected a key after \"\(mark)\"", at: position)
        }
        return .word(mark == "@" ? "@" + word() : word(), isEscaped: true)
    }

    private mutating func variable() throws -> String {
        position += 1
        guard let next = scalar(), Self.isWordPart(next) else {
            throw error("expected the name of a variable after \"$\"", at: position)
        }
        return word()
    }

    private static let symbols = [
        "==", ">=", "=>", "<=", "=<", "!=", "<>", "&&", "||", "**", "<<", ">>", "=", "<", ">", "!", "(", ")", "{", "}",
        "[", "]",
        ",", ".", "+", "-", "*", "/", "&", "|", "^", "~",
    ]

    private mutating func symbol(_ first: Unicode.Scalar) throws -> String {
        let pair = scalar(1).map { String(first) + String($0) }
        for candidate in [pair, String(first)] {
            if let candidate, Self.symbols.contains(candidate) {
                position += candidate.unicodeScalars.count
                return candidate
            }
        }
        throw error("\"\(first)\" has no meaning here", at: position)
    }

    // MARK: Placeholders

    private mutating func placeholder() throws -> PredicateToken {
        let start = position
        position += 1
        let argument = positionalArgument()
        var letters = ""
        while let next = scalar() {
            position += 1
            letters.unicodeScalars.append(next)
            switch next {
            // Lengths, to be followed by the conversion.
            case "l", "h", "q", "z", "t", "j", "L": continue
            case "@", "K", "d", "D", "i", "u", "U", "x", "X", "o", "O", "f", "F", "e", "E", "g", "G", "a", "A", "c",
                "C", "s", "S", "p":
                return .placeholder(letters, position: argument)
            case "%": return .symbol("%")
            default: throw error("\"%\(letters)\" is not a placeholder", at: start)
            }
        }
        throw error("a placeholder needs a letter after \"%\"", at: start)
    }

    /// The number in `%2$@`, from one.
    private mutating func positionalArgument() -> Int? {
        var end = position
        while end < scalars.count, ("0"..."9").contains(scalars[end]) { end += 1 }
        guard end > position, end < scalars.count, scalars[end] == "$" else { return nil }
        let digits = String(String.UnicodeScalarView(scalars[position..<end]))
        position = end + 1
        return Int(digits)
    }

    // MARK: Numbers

    /// A number without sign, as it is written.
    mutating func number() throws -> String {
        let start = position
        if scalar() == "0", let mark = scalar(1), "xXbBoO".unicodeScalars.contains(mark) {
            position += 2
            skipWordParts()
        } else {
            skipDigits()
            if scalar() == ".", let digit = scalar(1), ("0"..."9").contains(digit) {
                position += 1
                skipDigits()
            }
            skipExponent()
        }
        if let next = scalar(), Self.isWordPart(next) { throw error("a number cannot go on like this", at: position) }
        return String(String.UnicodeScalarView(scalars[start..<position]))
    }

    private mutating func skipDigits() {
        while let next = scalar(), ("0"..."9").contains(next) { position += 1 }
    }

    private mutating func skipWordParts() {
        while let next = scalar(), Self.isWordPart(next) { position += 1 }
    }

    private mutating func skipExponent() {
        guard scalar() == "e" || scalar() == "E" else { return }
        let offset = scalar(1) == "+" || scalar(1) == "-" ? 2 : 1
        guard let digit = scalar(offset), ("0"..."9").contains(digit) else { return }
        position += offset
        skipDigits()
    }

    // MARK: Data

    /// Takes `<null>`, as `NSNull` is printed, from the opening angle bracket.
    mutating func takeNull() -> Bool {
        let start = position
        for expected in "<null>".unicodeScalars {
            guard scalar() == expected else {
                position = start
                return false
            }
            position += 1
        }
        return true
    }

    /// Data written as `<0a1b>`, from the opening angle bracket.
    mutating func data() throws -> Data {
        let start = position
        position += 1
        var digits: [UInt8] = []
        while let next = scalar(), next != ">" {
            position += 1
            if next == " " { continue }
            guard let digit = Character(next).hexDigitValue else {
                throw error("expected a value", at: start)
            }
            digits.append(UInt8(digit))
        }
        guard scalar() == ">", digits.count % 2 == 0 else { throw error("expected data such as <0a1b>", at: start) }
        position += 1
        return Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    // MARK: Strings

    private mutating func string(quote: Unicode.Scalar) throws -> String {
        let start = position
        position += 1
        var result = String.UnicodeScalarView()
        while let next = scalar() {
            position += 1
            if next == quote { return String(result) }
            if next == "\\" {
                result.append(contentsOf: try escape().unicodeScalars)
            } else {
                result.append(next)
            }
        }
        throw error("the string that starts here has no closing quotation mark", at: start)
    }

    /// What stands after a backslash.
    ///
    /// One that is not known stays unchanged, backslash included: patterns use them.
    private mutating func escape() throws -> String {
        guard let next = scalar() else { return "\\" }
        position += 1
        switch next {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "\"", "'", "\\": return String(next)
        case "x": return try codePoint(digits: 2)
        case "u": return try codePoint(digits: 4)
        case "U": return try codePoint(digits: 8)
        default: return "\\" + String(next)
        }
    }

    private mutating func codePoint(digits: Int) throws -> String {
        let start = position
        guard let value = hexadecimal(digits) else {
            throw error("expected \(digits) hexadecimal digits", at: start)
        }
        if (0xD800..<0xDC00).contains(value), scalar() == "\\", scalar(1) == "u" {
            position += 2
            if let low = hexadecimal(4), (0xDC00..<0xE000).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00))
            {
                return String(scalar)
            }
        }
        guard let scalar = Unicode.Scalar(value) else { throw error("there is no such character", at: start) }
        return String(scalar)
    }

    private mutating func hexadecimal(_ digits: Int) -> UInt32? {
        guard position + digits <= scalars.count else { return nil }
        let value = UInt32(String(String.UnicodeScalarView(scalars[position..<position + digits])), radix: 16)
        if value != nil { position += digits }
        return value
    }
}
