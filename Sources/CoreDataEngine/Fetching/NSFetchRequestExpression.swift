public import Foundation

/// The expression type of ``NSFetchRequestExpression``.
public let NSFetchRequestExpressionType = NSExpression.ExpressionType.fetchRequest

/// An expression whose value is the result of a fetch request.
///
/// Evaluates to an array, or to a number when it counts. A store can't translate it: it is for evaluation in memory,
/// and for mapping models.
open class NSFetchRequestExpression: NSExpression {
    private let request: NSExpression
    private let fetchContext: NSExpression
    private let countsOnly: Bool

    private init(request: NSExpression, context: NSExpression, countOnly: Bool) {
        self.request = PredicateDepth.part(request)
        fetchContext = PredicateDepth.part(context)
        countsOnly = countOnly
        super.init(expressionType: .fetchRequest)
        depth = max(request.depth, context.depth) + 1
    }

    /// Returns an expression that fetches.
    ///
    /// - Parameters:
    ///   - fetch: An expression that gives a fetch request.
    ///   - context: An expression that gives a context.
    ///   - countFlag: Whether the value is the number of objects.
    open class func expression(
        forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
    ) -> NSExpression {
        NSFetchRequestExpression(request: fetch, context: context, countOnly: countFlag)
    }

    /// The expression that gives the fetch request.
    open var requestExpression: NSExpression { request }
    /// The expression that gives the context.
    open var contextExpression: NSExpression { fetchContext }
    /// Whether the value is the number of objects.
    open var isCountOnlyRequest: Bool { countsOnly }

    /// Fetches, on the queue of the context, and returns the objects or their number; `nil` when that fails.
    open override func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        guard let request = request.expressionValue(with: object, context: context) as? NSFetchRequestBase,
            let context = fetchContext.expressionValue(with: object, context: context) as? NSManagedObjectContext
        else { return nil }
        if countsOnly { return (try? request.anyCount(in: context)).map { NSNumber(value: $0) } }
        return try? request.anyResults(in: context)
    }

    open override var description: String {
        "FETCH(\(request), \(fetchContext), \(countsOnly ? "YES" : "NO"))"
    }

    package override func substituting(_ variables: [String: Any]) -> NSExpression {
        NSFetchRequestExpression(
            request: request.substituting(variables), context: fetchContext.substituting(variables),
            countOnly: countsOnly)
    }
}
