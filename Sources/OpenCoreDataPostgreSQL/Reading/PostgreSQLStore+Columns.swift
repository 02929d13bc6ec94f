#if PostgreSQL
import Foundation
package import OpenCoreData

extension PostgreSQLStore {
    package func fetchColumns(_ query: StoreQuery) throws -> [[PropertyValue]] {
        try answering(query) {
            try readColumns($0)
        } evaluating: {
            try RowEvaluation(store: self).columns($0)
        }
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
