/// Names in SQL text.
package enum SQLName {
    /// A name as SQL needs it: as it is when it is a plain word, else between double quotes.
    ///
    /// Names of stores begin with `Z` or `A` and are never keywords, and Apple's framework writes them unquoted.
    package static func quotedIfNeeded(_ name: String) -> String {
        isPlain(name) ? name : quoted(name)
    }

    /// A name between double quotes.
    package static func quoted(_ name: String) -> String {
        "\"" + doubling("\"", in: name) + "\""
    }

    /// A string as an SQL literal.
    ///
    /// For names of the model in triggers; values are bound, never written into SQL.
    package static func literal(_ string: String) -> String {
        "'" + doubling("'", in: string) + "'"
    }

    private static func doubling(_ quote: Unicode.Scalar, in string: String) -> String {
        // Searching with the string algorithms takes a hundred times as long as looking at the bytes.
        guard string.utf8.contains(UInt8(ascii: quote)) else { return string }
        return string.replacing(String(quote), with: "\(quote)\(quote)")
    }

    /// Whether a name begins with a letter and otherwise has letters, digits and underscores.
    ///
    /// All letters outside of ASCII are allowed in SQLite's names.
    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.utf8.first, !isDigit(first) else { return false }
        return name.utf8.allSatisfy { byte in
            byte >= 0x80 || byte == UInt8(ascii: "_") || isDigit(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
