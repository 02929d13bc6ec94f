/// R-tree fetch indexes: a virtual table, and triggers that keep it up.
struct SpatialIndexes {
    private let schema: SQLSchema

    init(_ schema: SQLSchema) {
        self.schema = schema
    }

    var statements: [String] {
        schema.entities.flatMap { entity in
            SQLSchema.indexes(of: entity.entity).filter(\.isSpatial).flatMap { statements(for: $0, of: entity) }
        }
    }

    /// Statements that fill the indexes from tables whose rows were written without the triggers.
    var fillStatements: [String] {
        schema.entities.flatMap { entity in
            SQLSchema.indexes(of: entity.entity).filter(\.isSpatial).compactMap { index in
                let columns = index.elements.compactMap { schema.column(of: $0, in: entity) }
                guard !columns.isEmpty else { return nil }
                let name = SQLName.quotedIfNeeded("Z_RT_\(entity.name)_\(index.name)")
                let values = ["Z_PK"] + columns.flatMap { [$0.sql, $0.sql] }
                return
                    "INSERT OR REPLACE INTO \(name) SELECT \(values.joined(separator: ", ")) FROM \(entity.table.sql)"
            }
        }
    }

    private func statements(for index: NSFetchIndexDescription, of entity: SQLEntity) -> [String] {
        let columns = index.elements.compactMap { schema.column(of: $0, in: entity) }
        guard !columns.isEmpty else { return [] }
        let name = SQLName.quotedIfNeeded("Z_RT_\(entity.name)_\(index.name)")
        let bounds = columns.flatMap { ["\($0.sql)_MIN", "\($0.sql)_MAX"] }
        let table = entity.table.sql
        let names = (["Z_PK"] + bounds).joined(separator: ", ")
        let first = columns.prefix(1).map { "NEW.\($0.sql) ,NEW.\($0.sql)" }
        let rest = columns.dropFirst().map { "NEW.\($0.sql), NEW.\($0.sql)" }
        let values = (["NEW.Z_PK"] + first + rest).joined(separator: ", ")
        return [
            "CREATE VIRTUAL TABLE \(name) USING RTREE (Z_PK INTEGER PRIMARY KEY, "
                + bounds.map { "\($0) FLOAT" }.joined(separator: ", ") + ")",
            "CREATE TRIGGER \(name)_INSERT AFTER INSERT ON \(table) FOR EACH ROW BEGIN "
                + "INSERT OR REPLACE INTO \(name) (\(names)) VALUES (\(values)) ; END",
            "CREATE TRIGGER \(name)_UPDATE AFTER UPDATE ON \(table) FOR EACH ROW BEGIN "
                + "DELETE FROM \(name) WHERE Z_PK = NEW.Z_PK ; "
                + "INSERT INTO \(name) (\(names)) VALUES (\(values)) ; END",
            "CREATE TRIGGER \(name)_DELETE AFTER DELETE ON \(table) FOR EACH ROW BEGIN "
                + "DELETE FROM \(name) WHERE Z_PK = OLD.Z_PK ; END",
        ]
    }
}
