/// What of a predicate a database can look at, where it cannot look at all of it.
extension SQLQueryBuilder {
    /// Conditions that take more room are left to evaluating.
    private static let deepestNesting = 24
    private static let longestSQL = 20_000

    /// Whether a predicate has a translation.
    package func canExpress(_ predicate: NSPredicate, _ query: StoreQuery) -> Bool {
        (try? translator(query).condition(predicate)) != nil
    }

    /// Whether an expression has a translation.
    package func canExpress(_ expression: NSExpression, _ query: StoreQuery) -> Bool {
        guard let translator = try? translator(query), let operand = try? translator.operand(expression) else {
            return false
        }
        return (try? translator.term(operand)) != nil
    }

    /// What has to be true before the first condition that has no translation is looked at; `nil` for nothing.
    ///
    /// Conditions behind it stay out although they would leave fewer rows to evaluate: evaluating stops at the first that is
    /// false, and whether an error is met depends on that.
    package func leadingConditions(_ predicate: NSPredicate, _ query: StoreQuery) -> NSPredicate? {
        let parts = Self.conjuncts(predicate).prefix { part in
            guard let condition = try? translator(query).condition(part) else { return false }
            let sql = condition.sql
            return sql.nesting <= Self.deepestNesting && sql.sql.utf8.count <= Self.longestSQL
        }
        return parts.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: Array(parts))
    }

    private static func conjuncts(_ predicate: NSPredicate) -> [NSPredicate] {
        guard case .compound(let compound) = predicate.node, compound.compoundPredicateType == .and else {
            return [predicate]
        }
        return compound.parts.flatMap(conjuncts)
    }
}
