/// Strings as numbers, in the way of SQL's `CAST(text AS REAL)`.
enum LeadingNumber {
    /// The longest number that a string begins with, white space aside; 0 if it begins with none.
    static func value(of text: String) -> Double {
        let bytes = Array(text.utf8)
        var rest = bytes[...]
        rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let start = rest.startIndex
        skip(&rest) { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
        let whole = skipDigits(&rest)
        var fraction = 0
        if rest.first == UInt8(ascii: "."), whole > 0 || rest.dropFirst().first.map(isDigit) == true {
            rest.removeFirst()
            fraction = skipDigits(&rest)
        }
        guard whole + fraction > 0 else { return 0 }
        var end = rest.startIndex
        if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
            rest.removeFirst()
            skip(&rest) { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
            if skipDigits(&rest) > 0 { end = rest.startIndex }
        }
        return Double(String(decoding: bytes[start..<end], as: UTF8.self)) ?? 0
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Skips one byte that satisfies a condition.
    private static func skip(_ rest: inout ArraySlice<UInt8>, _ condition: (UInt8) -> Bool) {
        if rest.first.map(condition) == true { rest.removeFirst() }
    }

    private static func skipDigits(_ rest: inout ArraySlice<UInt8>) -> Int {
        let count = rest.prefix(while: isDigit).count
        rest.removeFirst(count)
        return count
    }
}
