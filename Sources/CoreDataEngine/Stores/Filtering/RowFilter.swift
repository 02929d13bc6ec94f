/// Finds rows by evaluating a predicate on them, for a store whose language cannot express it.
package struct RowFilter {
    private let store: any RowStore

    package init(store: any RowStore) { self.store = store }

    /// The number of rows that are evaluated together.
    private static let chunk = 2_000

    /// Whether a query's predicate can be evaluated on rows that no object was made of: what the application wrote itself
    /// needs objects.
    package static func canEvaluate(_ predicate: NSPredicate, _ variables: [String: Any]) -> Bool {
        var isPossible = true
        PredicateWalk.visit(predicate) { if needsObjects($0) { isPossible = false } }
        return isPossible && variables.values.allSatisfy { ($0 as? NSExpression).map(canEvaluate) ?? true }
    }

    /// Whether an expression can be evaluated on such rows.
    static func canEvaluate(_ expression: NSExpression) -> Bool {
        var isPossible = true
        PredicateWalk.visit(expression) { if needsObjects($0) { isPossible = false } }
        return isPossible
    }

    private static func needsObjects(_ part: PredicateWalk.Part) -> Bool {
        switch part {
        case .predicate(let predicate):
            switch predicate.node {
            case .block, .custom: true
            default: false
            }
        case .expression(let expression):
            switch expression.node {
            case .block, .custom, .anyKey: true
            default: false
            }
        }
    }

    /// The rows among some that match a query's predicate, by reference.
    ///
    /// - Throws: What evaluating the predicate throws in a store in memory, or what is wrong with the file.
    package func references(_ query: StoreQuery, among candidates: ReferenceList) throws -> [Int64] {
        guard let predicate = query.predicate else { return [] }
        try PredicateCheck(entity: query.entity, variables: query.variables).checkWhole(predicate)
        let references = (0..<candidates.count).map { candidates[$0].reference }.sorted()
        var found: [Int64] = []
        for start in stride(from: 0, to: references.count, by: Self.chunk) {
            let session = StoreRowSession(store, model: query.entity.model)
            let rows = try session.rows(
                Array(references[start..<min(start + Self.chunk, references.count)]), of: query.entity)
            found += try session.filtered(rows, predicate, query).map(\.record.reference)
        }
        return found
    }

    /// Returns a query for the matching rows, in place of its predicate.
    ///
    /// - Parameters:
    ///   - conditions: The part of the predicate that the store's language can express; `nil` for no part.
    ///   - isAboutLanguage: Whether an error says that the store can't execute a query, and not that the query is
    ///     wrong.
    ///   - find: Finds the rows of a query in the store's language.
    package func narrowed(
        _ query: StoreQuery, conditions: NSPredicate?, isAboutLanguage: (any Error) -> Bool,
        find: (StoreQuery) throws -> ReferenceList
    ) throws -> StoreQuery {
        var search = StoreQuery(entity: query.entity)
        search.includesSubentities = query.includesSubentities
        search.variables = query.variables
        search.predicate = conditions
        let candidates: ReferenceList
        do {
            candidates = try find(search)
        } catch  where conditions != nil && isAboutLanguage(error) {
            // Too many of them, or one that fails while it runs.
            search.predicate = nil
            candidates = try find(search)
        }
        var result = query
        result.references = try references(query, among: candidates)
        // The query is still about some rows only.
        result.predicate = NSPredicate(value: true)
        return result
    }
}
