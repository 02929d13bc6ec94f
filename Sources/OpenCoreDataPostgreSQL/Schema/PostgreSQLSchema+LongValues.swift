#if PostgreSQL
import OpenCoreData

// An index as it usually is takes values of about 2,700 bytes, and serves comparisons, ranges and sorts. One that takes
// values of any length finds equal ones only, so indexes become such when the first long value comes.
extension PostgreSQLSchema {
    /// What an entry of an index has room for, in bytes; a little less than the server says.
    static let indexedBytes = 2_600

    /// The columns of an index whose values may be of any length.
    func longColumns(of index: Index, in table: String) -> [String] {
        index.parts.map(\.column).filter { [.text, .bytea].contains(type(of: $0, in: table)) }
    }

    /// The index by its name, and its table.
    func index(named name: String) -> (index: Index, table: String)? {
        for table in tables {
            if let index = table.indexes.first(where: { $0.name == name }) { return (index, table.name) }
        }
        return nil
    }

    /// What makes an index that takes values of any length in the place of one that doesn't.
    func longStatements(_ index: Index, of table: String) -> [String] {
        let name = SQLName.quoted(index.name)
        let condition = index.condition.map { " WHERE \($0)" } ?? ""
        let long = longColumns(of: index, in: table)
        guard !index.isUnique else {
            let parts = index.parts.map { part in
                long.contains(part.column) ? whole(part.column, in: table) : SQLName.quoted(part.column)
            }
            let unique =
                "CREATE UNIQUE INDEX \(name) ON \(qualified(table)) (\(parts.joined(separator: ", ")))\(condition)"
            return [unique]
                + long.prefix(1).map { column in
                    "CREATE INDEX \(SQLName.quoted(equalityName(of: index))) ON \(qualified(table)) "
                        + "USING hash (\(SQLName.quoted(column)))"
                }
        }
        guard index.parts.count > 1 else {
            return [
                "CREATE INDEX \(name) ON \(qualified(table)) USING hash (\(SQLName.quoted(index.parts[0].column)))"
            ]
        }
        let characters = Self.indexedBytes / (long.count + 1) / 4
        let parts = index.parts.map { part in
            let column = SQLName.quoted(part.column)
            return (long.contains(part.column) ? "substring(\(column), 1, \(characters))" : column) + part.direction
        }
        return ["CREATE INDEX \(name) ON \(qualified(table)) (\(parts.joined(separator: ", ")))\(condition)"]
    }

    /// The name of the index that finds equal values beside a unique one.
    func equalityName(of index: Index) -> String { PostgreSQLName.fitting(index.name + "_equal") }

    /// What represents a value of any length: the value if it is short, else its beginning and what is computed from all
    /// of it.
    private func whole(_ column: String, in table: String) -> String {
        let value = SQLName.quoted(column)
        let substitute =
            type(of: column, in: table) == .bytea
            ? "sha256(\(value))" : "left(\(value), 60) || '#' || md5(\(value)) || md5(reverse(\(value)))"
        return "(CASE WHEN octet_length(\(value)) <= 500 THEN \(value) ELSE \(substitute) END)"
    }

    /// What makes an index on rows that are there already, some of which may have long values.
    func statementForRows(_ index: Index, of table: String) -> String {
        guard !longColumns(of: index, in: table).isEmpty else { return indexStatement(index, of: table) }
        return """
            DO $ocd$ BEGIN
                \(indexStatement(index, of: table));
            EXCEPTION WHEN program_limit_exceeded THEN
                \(longStatements(index, of: table).joined(separator: "; "));
            END $ocd$
            """
    }
}
#endif
