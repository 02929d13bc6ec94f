package import Foundation

/// What an expression is, for code that translates or evaluates it.
package enum ExpressionNode {
    /// A value, nil included.
    case constant(Any?)
    /// `SELF`.
    case evaluatedObject
    /// `$name`, without the dollar sign.
    case variable(String)
    /// A key path relative to the evaluated object, for example `author.name` or `books.@count`.
    case keyPath(String)
    /// A key path relative to the value of another expression, for example `$book.title`, `SUBQUERY(…).@count`,
    /// `SELF.name`. When the operand is `SELF` it means the same as ``keyPath(_:)``.
    case operandKeyPath(NSExpression, String)
    /// One of the functions of the format language by Apple's name, for example `add:to:` or `uppercase:`.
    case function(String, [NSExpression])
    /// `FUNCTION(operand, 'selector:', arguments)`.
    case call(NSExpression, String, [NSExpression])
    /// `{a, b, c}`.
    case aggregate([NSExpression])
    case unionSet(NSExpression, NSExpression)
    case intersectSet(NSExpression, NSExpression)
    case minusSet(NSExpression, NSExpression)
    /// `SUBQUERY(collection, $variable, predicate)`; the variable comes without the dollar sign.
    case subquery(NSExpression, String, NSPredicate)
    /// `ANYKEY`.
    case anyKey
    case block((Any?, [Any], NSMutableDictionary?) -> Any, [NSExpression])
    /// `TERNARY(predicate, a, b)`.
    case conditional(NSPredicate, NSExpression, NSExpression)
    /// `FETCH(request, context, countOnly)`.
    case fetch(NSExpression, NSExpression, Bool)
    /// Came from a format string or a Foundation predicate that is not valid; using it throws the error.
    case invalid(any Error)
    /// A subclass that overrides `expressionValue(with:context:)`, with its type.
    case custom(NSExpression.ExpressionType)
}
