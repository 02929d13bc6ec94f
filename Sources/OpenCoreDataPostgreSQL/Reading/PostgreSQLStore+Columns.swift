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
            let (source, columns) = try runtime.builder.columns(query)
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
                var entity = object.entity.layout.index
                if column.width == 2, !row.isNull(index + 1),
                    let found = runtime.mapping.entity(number: try row.integer(index + 1))?.layout,
                    found.isKind(of: object.entity.layout)
                {
                    entity = found.index
                }
                return .reference(ObjectReference(reference: reference, entityIndex: Int32(truncatingIfNeeded: entity)))
            case .term(let term):
                return try row.propertyValue(index, kind: column.kind ?? SlotKind(computed: term.type))
            default: return try row.propertyValue(index, kind: column.kind ?? .undefined)
            }
        }
    }

    extension SlotKind {
        /// The kind of a computed value.
        fileprivate init(computed type: SQLValueType) {
            switch type {
            case .integer: self = .integer64
            case .boolean: self = .boolean
            case .double: self = .undefined
            case .decimal: self = .decimal
            case .date: self = .date
            case .text: self = .string
            case .uri: self = .uri
            case .uuid: self = .uuid
            case .data, .opaque: self = .data
            }
        }
    }
#endif
