#if PostgreSQL
import Foundation
import OpenCoreData

// An index for searches has strings in lower case and without accents, and one word for all that the server can't fold. What
// it finds is looked at as without the index where it may be more than what is looked for.
extension PostgreSQLDialect {
    /// A text operator on a column with an index for searches; nil for any other, and where the index is of no use.
    ///
    /// - Parameters:
    ///   - text: What is searched in.
    ///   - pattern: What is looked for.
    ///   - part: The same, folded with the options.
    func search(
        _ type: NSComparisonPredicate.Operator, _ text: SQLFragment, _ pattern: String, _ part: String,
        _ options: NSComparisonPredicate.Options
    ) throws -> SQLFragment? {
        guard texts.hasSearch(text), !part.isEmpty else { return nil }
        // Without options, the usual indexes find equal texts and beginnings.
        guard StringFolding.isNeeded(options) || type == .contains || type == .endsWith else { return nil }
        let all: NSComparisonPredicate.Options = [.caseInsensitive, .diacriticInsensitive]
        let isSame = options.intersection(all) == all
        guard isSame || type != .like && part.unicodeScalars.allSatisfy(Self.isIndependent) else { return nil }
        let folded = isSame ? part : StringFolding.folded(part, all)
        let like: String
        switch type {
        case .contains: like = "%\(Self.escaped(folded))%"
        case .beginsWith: like = "\(Self.escaped(folded))%"
        case .endsWith: like = "%\(Self.escaped(folded))"
        case .equalTo: like = Self.escaped(folded)
        case .like: like = PostgreSQLPattern.like(folded, escape: "\\")
        default: return nil
        }
        guard !folded.isEmpty else { return nil }
        let exact = try withoutSearch.textTest(
            type, text, SQLTerm(constant: .text(pattern), type: .text), options: options)
        return found(by: like, in: text, exact, isExact: isSame && type != .like)
    }

    /// Full text search, for which an index on the same expression is used.
    func textSearch(_ words: String, in text: SQLTerm) throws -> SQLFragment {
        guard !words.utf8.contains(0) else { return .truth(false) }
        let configuration = try TextIndexes.configuration(of: text.attribute)
        let literal: SQLFragment = "\(name: SQLName.literal(configuration))::regconfig"
        let column = indexed(text.sql) ?? text.sql
        return """
            to_tsvector(\(literal), \(column)) @@ \
            websearch_to_tsquery(\(literal), \(value: .text(words))::text)
            """
    }

    /// The equality of a folded column and a folded string.
    func equality(of folded: SQLFragment, _ string: String) -> SQLFragment? {
        guard !texts.searched.isEmpty, !string.isEmpty, !string.utf8.contains(0) else { return nil }
        let call = "\(function("ocd_fold_cd").sql)("
        guard folded.sql.hasPrefix(call), folded.sql.hasSuffix(")"), folded.bindings.isEmpty else { return nil }
        let column: SQLFragment = "\(name: String(folded.sql.dropFirst(call.count).dropLast()))"
        guard texts.hasSearch(column) else { return nil }
        let exact: SQLFragment = "\(folded) = \(value: .text(string))::text"
        return found(by: Self.escaped(string), in: column, exact, isExact: true)
    }

    /// - Parameter isExact: Whether the index finds nothing else, apart from what the server can't fold.
    private func found(
        by like: String, in text: SQLFragment, _ exact: SQLFragment, isExact: Bool
    ) -> SQLFragment {
        let key: SQLFragment = "\(function(PostgreSQLFunctions.searchName))(\(text))"
        let found: SQLFragment =
            "(\(key) LIKE \(value: .text(like))::text OR \(key) LIKE '\(name: PostgreSQLFunctions.unfolded)')"
        if findsUnfolded { return found }
        // A text that the server can't fold ends the statement, and the program looks at it.
        return isExact
            ? "(\(found) AND \(function(PostgreSQLFunctions.searchName + "_known"))(\(text)))"
            : "(\(found) AND \(exact))"
    }

    /// The dialect of a store without indexes for searches.
    private var withoutSearch: PostgreSQLDialect {
        var dialect = self
        dialect.texts = TextIndexes()
        return dialect
    }

    /// Whether folding a character is the same whatever stands before it.
    private static func isIndependent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .format, .modifierSymbol, .unassigned: false
        default: true
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
    }
}

extension TextIndexes {
    func hasSearch(_ text: SQLFragment) -> Bool {
        !searched.isEmpty && Self.column(text).map(searched.contains) == true
    }

    func collation(of text: SQLFragment) -> String? {
        localized.isEmpty ? nil : Self.column(text).flatMap { localized[$0] }
    }

    /// The name of a column, which stands behind the name of its table; nil for anything else.
    private static func column(_ text: SQLFragment) -> String? {
        guard let point = text.sql.firstIndex(of: "."), text.sql.hasSuffix("\"") else { return nil }
        let name = text.sql[text.sql.index(after: point)...]
        guard name.first == "\"", text.sql[..<point].allSatisfy({ $0.isLetter || $0.isNumber }) else { return nil }
        return String(name.dropFirst().dropLast()).replacing("\"\"", with: "\"")
    }
}
#endif
