/// Comma-separated values as RFC 4180 has them: CR LF after each record, quotes where they are needed.
package enum CSVText {
    /// What ends a record.
    package static let end = "\r\n"

    /// One record without its end.
    ///
    /// A missing value is empty, an empty string is `""`.
    package static func record(_ fields: [String?]) -> String {
        fields.map { $0.map(quotedIfNeeded) ?? "" }.joined(separator: ",")
    }

    private static func quotedIfNeeded(_ field: String) -> String {
        let needsQuotes =
            field.isEmpty || field.first == " " || field.last == " "
            || field.unicodeScalars.contains { $0 == "," || $0 == "\"" || $0 == "\n" || $0 == "\r" }
        guard needsQuotes else { return field }
        var quoted = "\""
        for scalar in field.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
