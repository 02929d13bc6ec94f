#if PostgreSQL
/// Patterns of string operators as the server has them.
enum PostgreSQLPattern {
    /// A pattern with `?` for one code point, `*` for any number and `\` before what represents itself, as one of LIKE with
    /// an escape character.
    static func like(_ pattern: String, escape: Unicode.Scalar = "!") -> String {
        var result = String.UnicodeScalarView()
        var isEscaped = false
        func append(literal scalar: Unicode.Scalar) {
            if ["%", "_", escape].contains(scalar) { result.append(escape) }
            result.append(scalar)
        }
        for scalar in pattern.unicodeScalars {
            if isEscaped {
                append(literal: scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "?" {
                result.append("_")
            } else if scalar == "*" {
                result.append("%")
            } else {
                append(literal: scalar)
            }
        }
        if isEscaped { append(literal: "\\") }
        return String(result)
    }
}
#endif
