/// The words of the format language that cannot be a key without `#` before them.
enum ReservedWords {
    private static let words: Set<String> = [
        "AND", "OR", "NOT", "IN", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI", "MATCHES", "CONTAINS",
        "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST",
        "SIZE", "ANYKEY", "SUBQUERY", "FETCH", "CAST", "TRUEPREDICATE", "FALSEPREDICATE", "FUNCTION", "TERNARY",
        "UNION", "INTERSECT", "MINUS",
    ]

    static func contains(_ word: some StringProtocol) -> Bool {
        word.utf8.count <= 15 && words.contains(word.uppercased())
    }
}
