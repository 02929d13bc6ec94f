import Foundation

extension NSExpression {
    private static let functions = [
        "@count": "count:", "@sum": "sum:", "@min": "min:", "@max": "max:", "@avg": "average:",
    ]

    /// The expression with the functions that Apple's format parser makes of operators in key paths: `pages.@count` is
    /// `count:(pages)`, `pages.number.@sum` and `pages.@sum.number` are `sum:(pages.number)`.
    final var withFunctionsForOperators: NSExpression {
        switch node {
        case .keyPath(let path): Self.function(forKeyPath: path) ?? self
        case .operandKeyPath(let operand, let path) where operand.expressionType == .evaluatedObject:
            Self.function(forKeyPath: path) ?? NSExpression(forKeyPath: path)
        case .function(let name, let arguments) where !arguments.isEmpty:
            NSExpression(forFunction: name, arguments: arguments.map(\.withFunctionsForOperators))
        default: self
        }
    }

    /// Nil for a key path without exactly one operator.
    private static func function(forKeyPath path: String) -> NSExpression? {
        let parts = path.split(separator: ".").map(String.init)
        let operators = parts.filter { $0.hasPrefix("@") }
        guard operators.count == 1, let function = functions[operators[0]], parts.count > 1 else { return nil }
        let rest = parts.filter { !$0.hasPrefix("@") }.joined(separator: ".")
        return NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: rest)])
    }
}
