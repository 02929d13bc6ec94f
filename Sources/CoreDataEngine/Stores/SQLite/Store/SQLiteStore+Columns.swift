import CSQLite
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
            do {
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
            } catch let error as SQLiteError where error.code == SQLITE_MISMATCH {
                let search = DamagedNumberSearch(connection: connection, mapping: runtime.mapping, path: url?.path)
                if let found = try search.first(in: statement.sql) { throw found.error }
                throw error
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
            let number = column.width == 2 ? statement.value(at: index + 1).integer : nil
            return .reference(object.found(reference, entityNumber: number, in: runtime.mapping))
        case .term(let term):
            guard case .blob(let data) = value, column.isExternal else {
                let kind = column.kind ?? SlotKind(computed: term.type)
                guard let attribute = column.attribute else {
                    try requireNumber(value, of: term, kind)
                    return PropertyValue(value, kind: kind)
                }
                if kind == .composite, case .blob(let data) = value {
                    return try soundComposite(data, of: attribute, column.leaves)
                }
                return try Self.sound(value, kind: kind, of: attribute, path: url?.path)
            }
            return .data(try runtime.externalData.decode(data))
        default: return PropertyValue(value, kind: column.kind ?? .undefined)
        }
    }

    /// Refuses what an index has in the place of a number.
    private func requireNumber(_ value: SQLValue, of term: SQLTerm, _ kind: SlotKind) throws {
        guard term.type.isNumber || term.type == .date, value != .null, value.number == nil else { return }
        throw Self.damage(of: "what is computed", kind, path: url?.path)
    }

    private func soundComposite(_ data: Data, of name: String, _ leaves: [SlotLayout]) throws -> PropertyValue {
        let (values, damaged) = CompositeCoding.sound(CompositeCoding.unpack(data), leaves)
        guard let first = damaged.first?.leaf else { return .data(CompositeCoding.pack(values)) }
        let path = first.name.drop { $0 != "." }
        throw Self.damage(of: name + path, first.kind, path: url?.path)
    }

    /// The value of a column that is that of an attribute.
    ///
    /// - Throws: `CocoaError` `fileReadCorruptFile` when it can't be one of such an attribute.
    private static func sound(
        _ stored: SQLValue, kind: SlotKind, of name: String, path: String?
    ) throws -> PropertyValue {
        if let value = PropertyValue.sound(stored, kind: kind) { return value }
        throw damage(of: name, kind, path: path)
    }

    private static func damage(of name: String, _ kind: SlotKind, path: String?) -> CocoaError {
        CoreDataError.make(
            CocoaError.Code.fileReadCorruptFile.rawValue,
            "A value of \(name) is damaged: it should be \(DamagedValue.expected(kind)). "
                + "The command 'opencoredata check' names it.", path: path)
    }
}
