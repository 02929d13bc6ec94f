#if PostgreSQL
import Foundation
package import OpenCoreData

extension PostgreSQLStore {
    package func fetchColumns(_ query: StoreQuery) throws -> [[PropertyValue]] {
        try answering(query) { query in
            do {
                return try readColumns(query)
            } catch let error as PostgreSQLError where error.kind == .unreadableValue {
                throw try damage(in: query) ?? error
            }
        } evaluating: {
            try RowEvaluation(store: self).columns($0)
        }
    }

    /// The error of the first row with a value that can't be read, or `nil` if the value isn't one of the entity's rows.
    private func damage(in query: StoreQuery) throws -> (any Error)? {
        var rows = query
        (rows.columns, rows.groupBy, rows.having) = ([], [], nil)
        if query.isDistinct || !query.groupBy.isEmpty { (rows.isDistinct, rows.limit, rows.offset) = (false, 0, 0) }
        let names = query.columns.compactMap { if case .keyPath(let path) = $0 { path } else { nil } }
        let damage = try fetchRows(rows).damage?.all ?? []
        return (damage.first { names.contains($0.property) } ?? damage.first)?.error
    }

    private func readColumns(_ query: StoreQuery) throws -> [[PropertyValue]] {
        let runtime = try runtime()
        let (source, columns) = try runtime.builder.columns(runtime.leavingOutStrays(query))
        guard !columns.contains(where: { $0.kind == .composite }) else {
            throw CoreDataError.make(NSCoreDataError, "A composite attribute is read with its row.")
        }
        // Equal values are one parameter, so that a group's expression is the same wherever it stands.
        let statement = try NumberedStatement(source, sharing: true)
        var rows: [[PropertyValue]] = []
        try runtime.connections.with { connection in
            try connection.forEachRow(statement.sql, statement.parameters, isPrepared: false) { row in
                var index = 0
                rows.append(
                    try columns.map { column in
                        defer { index += column.width }
                        return try value(of: column, at: index, row, runtime)
                    })
            }
        }
        return rows
    }

    private func value(
        of column: SQLQueryBuilder.ResultColumn, at index: Int, _ row: PostgreSQLRow, _ runtime: PostgreSQLRuntime
    ) throws -> PropertyValue {
        guard !row.isNull(index) else { return .null }
        switch column.operand {
        case .object(let object):
            let reference = try row.integer(index)
            guard reference >= 0 else { return .null }
            let number = column.width == 2 && !row.isNull(index + 1) ? try row.integer(index + 1) : nil
            return .reference(object.found(reference, entityNumber: number, in: runtime.mapping))
        case .term(let term):
            return try row.propertyValue(index, kind: column.kind ?? SlotKind(computed: term.type))
        default: return try row.propertyValue(index, kind: column.kind ?? .undefined)
        }
    }
}
#endif
