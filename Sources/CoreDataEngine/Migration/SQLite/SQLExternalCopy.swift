import Foundation

/// Changes the form of binary values whose attribute has got or lost external storage, and finds the files that no row of
/// the new store names.
struct SQLExternalCopy {
    let plan: SQLMigrationPlan
    /// The external data of the old store.
    let files: ExternalData

    func run() throws {
        for pair in plan.pairs {
            for attribute in pair.destination.attributes where attribute.composite == nil {
                guard let former = pair.match.source(of: attribute.attribute),
                    let old = pair.source.attribute(named: former.name),
                    old.hasExternalStorage != attribute.hasExternalStorage
                else { continue }
                try convert(old.column, to: attribute, in: pair)
            }
        }
    }

    /// The values come from the old table, so that no table is read and written at once.
    private func convert(
        _ old: SQLColumn, to new: SQLAttribute, in pair: SQLMigrationPlan.EntityPair
    ) throws {
        let read = try plan.connection.prepare(
            "SELECT Z_PK, \(old.sql) FROM source.\(pair.source.table.sql) "
                + "WHERE Z_ENT = \(pair.source.number) AND \(old.sql) IS NOT NULL")
        while try read.step() {
            guard let data = read.data(at: 1) else { continue }
            let value = new.hasExternalStorage ? Data([1]) + data : try files.decode(data)
            try plan.run(
                "UPDATE main.\(pair.destination.table.sql) SET \(new.column.sql) = ? WHERE Z_PK = ?",
                [.blob(value), .integer(read.int64(at: 0))])
        }
    }

    /// Files that rows of the old store name and rows of the new one don't.
    func filesLeftBehind() throws -> [String] {
        let before = try Self.names(of: plan.source, database: "source", in: plan.connection)
        let after = try Self.names(of: plan.destination, database: "main", in: plan.connection)
        return before.subtracting(after).sorted()
    }

    private static func names(
        of schema: SQLSchema, database: String, in connection: SQLiteConnection
    ) throws -> Set<String> {
        var names: Set<String> = []
        for entity in schema.entities {
            for attribute in entity.attributes where attribute.hasExternalStorage {
                let rows = try connection.rows(
                    "SELECT \(attribute.column.sql) FROM \(database).\(entity.table.sql) "
                        + "WHERE Z_ENT = \(entity.number) AND length(\(attribute.column.sql)) = 38")
                for case .blob(let data) in rows.map({ $0[0] }) {
                    if let name = ExternalData.fileName(in: data) { names.insert(name) }
                }
            }
        }
        return names
    }
}
