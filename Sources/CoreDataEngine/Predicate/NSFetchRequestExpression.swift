/// The expression type of ``NSFetchRequestExpression``.
public let NSFetchRequestExpressionType = NSExpression.ExpressionType.fetchRequest

/// An expression whose value is the result of a fetch request.
///
/// Evaluates to an array, or to a number when it counts. In a predicate of a fetch it is evaluated once, before the store is
/// asked. Its text form is `FETCH(request, context, countOnly)`.
open class NSFetchRequestExpression: NSExpression {
    /// Returns an expression that fetches.
    ///
    /// Evaluating it throws if the expressions don't give a fetch request and a context. The format string
    /// `FETCH(request, context, countOnly)` gives the same expression.
    ///
    /// - Parameters:
    ///   - fetch: An expression that gives a fetch request.
    ///   - context: An expression that gives a context, on whose queue it is evaluated.
    ///   - countFlag: Whether the value is the number of objects.
    open class func expression(
        forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
    ) -> NSExpression {
        NSFetchRequestExpression(node: .fetch(fetch, context, countFlag))
    }

    /// The expression that gives the fetch request.
    open var requestExpression: NSExpression { parts.request }
    /// The expression that gives the context.
    open var contextExpression: NSExpression { parts.context }
    /// Whether the value is the number of objects.
    open var isCountOnlyRequest: Bool { parts.countsOnly }

    private var parts: (request: NSExpression, context: NSExpression, countsOnly: Bool) {
        guard case .fetch(let request, let context, let countsOnly) = node else {
            programmerError("The expression \(description) of type \(expressionType) fetches nothing.")
        }
        return (request, context, countsOnly)
    }
}
