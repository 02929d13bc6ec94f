import Foundation

/// Full text search in SQL.
extension SQLTranslator {
    /// `FUNCTION(string, 'matchesText:', words)`: whether a string has the words.
    func textSearch(in target: NSExpression, for argument: NSExpression) throws -> SQLOperand {
        guard case .constant(let value) = try operand(argument), value == nil || value is NSNull || value is String
        else {
            throw untranslatable("The argument of \"\(PredicateFunctions.textSearch)\" must be a string of words.")
        }
        guard case .term(let text) = try operand(target), text.type == .text else {
            throw untranslatable("\"\(PredicateFunctions.textSearch)\" searches in a string attribute.")
        }
        guard let words = value as? String else { return .constant(false) }
        let found = SQLCondition(try dialect.textSearch(words, in: text), isNullable: text.isNullable)
        return .choice(found, .constant(true), .constant(false))
    }
}

extension SQLDialect {
    package func textSearch(_ words: String, in text: SQLTerm) throws -> SQLFragment {
        throw PredicateFunctions.textSearchError
    }
}

extension PredicateFunctions {
    /// An error for a predicate with full text search whose other parts SQL can't express.
    ///
    /// - Parameter error: The reason, which is returned as it is if it is about the search.
    package static func textSearchError(besides error: any Error) -> any Error {
        let reason = (error as? CocoaError)?.localizedDescription ?? "\(error)"
        guard !reason.contains(textSearch), !reason.contains("full text search") else { return error }
        return PredicateError.evaluation(
            "\"\(textSearch)\" is full text search, which the server evaluates, so it can't be combined with a part of the "
                + "predicate that is evaluated on objects: \(reason)")
    }
}

extension NSPredicate {
    /// Whether a part of it is full text search.
    package var searchesText: Bool {
        var isFound = false
        PredicateWalk.visit(self) { part in
            guard case .expression(let expression) = part, case .call(_, let name, _) = expression.node else { return }
            if name == PredicateFunctions.textSearch { isFound = true }
        }
        return isFound
    }
}
