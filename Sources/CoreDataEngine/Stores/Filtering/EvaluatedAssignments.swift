/// The assignments of a batch update that SQL can't compute: they are evaluated on each row.
package struct EvaluatedAssignments {
    /// The values that a row gets, in the order of the assignments.
    package struct Row {
        package let reference: Int64
        package let values: [PropertyValue]
    }

    package private(set) var assignments: [BatchAssignment] = []

    /// The number of rows that are evaluated together.
    private static let chunk = 2_000

    package init() {}

    package var isEmpty: Bool { assignments.isEmpty }

    /// Takes an assignment, if a value can be had of each row, and not by SQL.
    ///
    /// - Returns: Whether it was taken.
    /// - Throws: What is wrong with the expression whatever the rows are.
    package mutating func take(_ change: BatchAssignment, _ builder: SQLQueryBuilder, _ query: StoreQuery) throws
        -> Bool
    {
        guard case .expression(let expression) = change.value, RowFilter.canEvaluate(expression),
            !builder.canExpress(expression, query)
        else { return false }
        try PredicateCheck(entity: query.entity, variables: query.variables).check(expression)
        assignments.append(change)
        return true
    }

    /// Evaluates the assignments on rows, some thousands at a time.
    ///
    /// - Throws: What evaluating throws, that a value doesn't fit, or what the block throws.
    package func evaluate(
        _ references: [Int64], of entity: EntityLayout, in store: any RowStore, _ body: ([Row]) throws -> Void
    ) throws {
        for start in stride(from: 0, to: references.count, by: Self.chunk) {
            let part = Array(references[start..<min(start + Self.chunk, references.count)])
            let session = StoreRowSession(store, model: entity.model)
            try body(
                try session.rows(part, of: entity).map { row in
                    let values = try assignments.map { change in
                        let value = try change.value(for: row, in: store)
                        if let failure = session.failure { throw failure }
                        return value
                    }
                    return Row(reference: row.record.reference, values: values)
                })
        }
    }
}
