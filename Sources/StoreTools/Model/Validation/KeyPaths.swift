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

    /// What a function is sent to; those that stand by themselves have none.
    private static func operand(of expression: NSExpression) -> NSExpression? {
        let operand = expression.operand
        return operand.expressionType == .constantValue ? nil : operand
    }
}
