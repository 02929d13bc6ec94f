/// What may be a name in Swift source.
package enum SwiftIdentifier {
    /// The reserved words that a declaration can only have for a name between backticks.
    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// Whether a string can be a name, between backticks if need be.
    package static func isValid(_ string: String) -> Bool {
        guard let first = string.unicodeScalars.first, isHead(first), string != "_" else { return false }
        return string.unicodeScalars.allSatisfy(isTail)
    }

    /// A name as it stands in source.
    package static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    static func isHead(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar == "_" || scalar.properties.isAlphabetic }
        return scalar.properties.isXIDStart
    }

    static func isTail(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) }
        return scalar.properties.isXIDContinue
    }

    /// A name with its first letter in capitals, as in `addToBooks`.
    package static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

    /// A name with its first letter small.
    static func uncapitalized(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }
}
