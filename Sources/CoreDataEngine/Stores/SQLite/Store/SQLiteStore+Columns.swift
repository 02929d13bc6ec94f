import Foundation

extension SQLiteStore {
    package func fetchColumns(_ query: StoreQuery) throws -> [[PropertyValue]] {
        try answering(query) { query in
            do {
                return try readColumns(query)
            } catch {
                guard let having = query.having, Self.isAboutLanguage(error),
                    RowFilter.canEvaluate(having, query.variables)
                else { throw error }
                let runtime = try runtime()
                return try runtime.pool.read { connection in
                    try connection.snapshot {
                        let session = StoreRowSession(self, model: query.entity.model)
                        return try InMemoryColumnQuery(query: query, session: session).result()
                    }
                }
            }
        }
    }

    private func readColumns(_ query: StoreQuery) throws -> [[PropertyValue]] {
        let runtime = try runtime()
        return try runtime.pool.read { connection in
            try runtime.lookForStrays(before: query, connection)
            let (statement, columns) = try runtime.builder.columns(runtime.leavingOutStrays(query))
            return try connection.withStatement(statement.sql) { prepared in
                try prepared.bind(statement.bindings)
                var rows: [[PropertyValue]] = []
                while try prepared.step() {
                    var index: Int32 = 0
                    rows.append(
                        try columns.map { column in
                            defer { index += Int32(column.width) }
                            return try value(of: column, at: index, prepared, runtime)
                        })
                }
                return rows
            }
        }
    }

    private func value(
        of column: SQLQueryBuilder.ResultColumn, at index: Int32, _ statement: SQLiteStatement, _ runtime: StoreRuntime
    ) throws -> PropertyValue {
        let value = statement.value(at: index)
        switch column.operand {
        case .object(let object):
            guard case .integer(let reference) = value, reference >= 0 else { return .null }
            var entity = object.entity.layout.index
            if column.width == 2, case .integer(let number) = statement.value(at: index + 1),
                let found = runtime.mapping.entity(number: number)?.layout, found.isKind(of: object.entity.layout)
            {
                entity = found.index
            }
            return .reference(ObjectReference(reference: reference, entityIndex: Int32(truncatingIfNeeded: entity)))
        case .term(let term):
            guard case .blob(let data) = value, column.isExternal else {
                return PropertyValue(value, kind: column.kind ?? SlotKind(term.type))
            }
            return .data(try runtime.externalData.decode(data))
        default: return PropertyValue(value, kind: column.kind ?? .undefined)
        }
    }
}

extension SlotKind {
    /// The kind of a computed value.
    fileprivate init(_ type: SQLValueType) {
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
