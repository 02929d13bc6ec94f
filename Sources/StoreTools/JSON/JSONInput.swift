/// The bytes under a `JSONPullParser`, and the words of the language: white space, strings, numbers, literals.
package struct JSONInput {
    /// What some programs, spreadsheets above all, begin a file in UTF-8 with.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let chunk: () throws -> [UInt8]?
    private var buffer: [UInt8] = []
    private var position = 0
    private var consumed = 0
    private var line = 1
    private var startOfLine = 0
    private var isAtEnd = false

    package init(chunk: @escaping () throws -> [UInt8]?) {
        self.chunk = chunk
    }

    /// How many bytes have been passed.
    package var offset: Int { consumed + position }

    package func error(_ reason: String) -> JSONSyntaxError {
        JSONSyntaxError(line: line, column: offset - startOfLine + 1, reason: reason)
    }

    /// The next byte, which stays where it is; nil at the end.
    package mutating func peek() throws -> UInt8? {
        if position < buffer.count { return buffer[position] }
        if isAtEnd { return nil }
        let isBeginning = offset == 0
        consumed += buffer.count
        position = 0
        buffer = try chunk() ?? []
        if buffer.isEmpty { isAtEnd = true }
        guard isBeginning, buffer.starts(with: Self.byteOrderMark) else { return buffer.first }
        position = Self.byteOrderMark.count
        startOfLine = position
        return try peek()
    }

    /// Passes the next byte and gives it.
    package mutating func next() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        return byte
    }

    /// Passes the next byte if it is `byte`.
    package mutating func take(_ byte: UInt8) throws -> Bool {
        guard try peek() == byte else { return false }
        position += 1
        return true
    }

    /// Passes the end of a line.
    mutating func takeLineEnd() throws -> Bool {
        guard try take(UInt8(ascii: "\n")) else { return false }
        line += 1
        startOfLine = offset
        return true
    }

    package mutating func skipWhiteSpace() throws {
        while let byte = try peek() {
            switch byte {
            case UInt8(ascii: "\n"):
                position += 1
                line += 1
                startOfLine = offset
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                position += 1
            default:
                return
            }
        }
    }

    /// A string, number or literal.
    package mutating func scalar() throws -> JSONValue {
        switch try peek() {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"): return try number()
        case let byte? where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte): return try number()
        default: throw error("a value should be here")
        }
    }

    private mutating func literal(_ word: String, _ value: JSONValue) throws -> JSONValue {
        for byte in word.utf8 {
            guard try take(byte) else { throw error("this isn't the literal \(word)") }
        }
        return value
    }

    // MARK: Strings

    package mutating func string() throws -> String {
        _ = try next()
        if let string = shortString() { return string }
        var bytes: [UInt8] = []
        while true {
            try appendRun(to: &bytes)
            switch try next() {
            case UInt8(ascii: "\""):
                guard let string = String(validating: bytes, as: UTF8.self) else {
                    throw error("this string is not valid UTF-8")
                }
                return string
            case UInt8(ascii: "\\"):
                try appendEscape(to: &bytes)
            case nil:
                throw error("the document ends inside a string")
            case _?:
                throw error("a control character inside a string must be escaped")
            }
            guard bytes.count <= JSONPullParser.maximumStringLength else { throw error("this string is too long") }
        }
    }

    /// A string that stands in the buffer as it is; nil for any other, of which nothing is passed.
    private mutating func shortString() -> String? {
        let end = buffer[position...].firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20 }
        guard let end, buffer[end] == UInt8(ascii: "\""),
            let string = String(validating: buffer[position..<end], as: UTF8.self)
        else { return nil }
        position = end + 1
        return string
    }

    /// An integer that stands in the buffer with what ends it; nil for any other number, of which nothing is passed.
    private mutating func shortInteger() -> JSONValue? {
        var index = position
        var value: Int64 = 0
        while index < buffer.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(buffer[index]) {
            guard index < position + 18 else { return nil }
            value = value * 10 + Int64(buffer[index] - UInt8(ascii: "0"))
            index += 1
        }
        guard index > position, index < buffer.count, index == position + 1 || buffer[position] != UInt8(ascii: "0")
        else { return nil }
        switch buffer[index] {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: " "), UInt8(ascii: "\n"): break
        default: return nil
        }
        position = index
        return .integer(value)
    }

    /// Copies up to the next quote, backslash or control character.
    private mutating func appendRun(to bytes: inout [UInt8]) throws {
        while try peek() != nil {
            var end = position
            while end < buffer.count {
                let byte = buffer[end]
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
                end += 1
            }
            bytes.append(contentsOf: buffer[position..<end])
            position = end
            guard bytes.count <= JSONPullParser.maximumStringLength else { throw error("this string is too long") }
            if end < buffer.count { return }
        }
    }

    private mutating func appendEscape(to bytes: inout [UInt8]) throws {
        switch try next() {
        case UInt8(ascii: "\""): bytes.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): bytes.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"): bytes.append(contentsOf: String(try escapedScalar()).utf8)
        default: throw error("this escape is unknown")
        }
    }

    private mutating func escapedScalar() throws -> Character {
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(UInt32(unit)) { return Character(scalar) }
        guard UTF16.isLeadSurrogate(unit), try take(UInt8(ascii: "\\")), try take(UInt8(ascii: "u")) else {
            throw error("half of a surrogate pair is missing")
        }
        let trail = try hexadecimal()
        guard UTF16.isTrailSurrogate(trail) else { throw error("half of a surrogate pair is missing") }
        let value = 0x10000 + (UInt32(unit - 0xD800) << 10 | UInt32(trail - 0xDC00))
        guard let scalar = Unicode.Scalar(value) else { throw error("half of a surrogate pair is missing") }
        return Character(scalar)
    }

    private mutating func hexadecimal() throws -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = try next(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("four hexadecimal digits should follow \\u")
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    // MARK: Numbers

    private mutating func number() throws -> JSONValue {
        if let integer = shortInteger() { return integer }
        var string = ""
        var isInteger = true
        if try take(UInt8(ascii: "-")) { string = "-" }
        let startsWithZero = try peek() == UInt8(ascii: "0")
        let digits = try appendDigits(to: &string)
        guard digits > 0, digits == 1 || !startsWithZero else { throw error("this number is malformed") }
        if try take(UInt8(ascii: ".")) {
            isInteger = false
            string += "."
            guard try appendDigits(to: &string) > 0 else { throw error("digits should follow the point") }
        }
        if let byte = try peek(), byte | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            position += 1
            string += "e"
            if try take(UInt8(ascii: "-")) { string += "-" } else { _ = try take(UInt8(ascii: "+")) }
            guard try appendDigits(to: &string) > 0 else { throw error("digits should follow the exponent") }
        }
        if isInteger, let integer = Int64(string) { return .integer(integer) }
        guard let number = Double(string), number.isFinite else { throw error("this number is too large") }
        return .number(number)
    }

    private mutating func appendDigits(to string: inout String) throws -> Int {
        var count = 0
        while let byte = try peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            string.unicodeScalars.append(Unicode.Scalar(byte))
            position += 1
            count += 1
            guard count <= 4_096 else { throw error("this number is too long") }
        }
        return count
    }
}
