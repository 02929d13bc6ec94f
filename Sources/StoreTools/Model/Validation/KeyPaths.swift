package import OpenCoreData

/// The key paths that an expression of a model names.
package enum KeyPaths {
    package static func all(in expression: NSExpression) -> [String] {
        switch expression.expressionType {
        case .keyPath: [expression.keyPath]
        case .function:
            [operand(of: expression)].compactMap(\.self).flatMap(all) + (expression.arguments ?? []).flatMap(all)
        default: []
        }
    }

    /// Those that a predicate names, subqueries left aside: their variables have properties of other entities.
    package static func all(in predicate: NSPredicate) -> [String] {
        switch predicate {
        case let compound as NSCompoundPredicate:
            (compound.subpredicates as? [NSPredicate] ?? []).flatMap { all(in: $0) }
        case let comparison as NSComparisonPredicate:
            all(in: comparison.leftExpression) + all(in: comparison.rightExpression)
        default: []
        }
    }

    /// What a function is sent to; those that stand by themselves have none.
    private static func operand(of expression: NSExpression) -> NSExpression? {
        let operand = expression.operand
        return operand.expressionType == .constantValue ? nil : operand
    }
}
