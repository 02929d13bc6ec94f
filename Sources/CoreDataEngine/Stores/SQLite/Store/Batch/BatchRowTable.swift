/// The rows that a batch is about, in a temporary table: memory doesn't grow with their number.
///
/// Each row is the index of its root entity in the model, its key, its entity number, and for deletions how many steps of
/// cascade rules led to it.
struct BatchRowTable {
    static let name = "temp.ocd_batch"
    private let work: BatchWork

    /// Creates the table, or empties it.
    init(_ work: BatchWork) throws {
        self.work = work
        let definition =
            "(root INTEGER NOT NULL, pk INTEGER NOT NULL, ent INTEGER NOT NULL, level INTEGER NOT NULL, "
            + "PRIMARY KEY (root, pk)) WITHOUT ROWID"
        try work.connection.execute(script: "CREATE TEMP TABLE IF NOT EXISTS ocd_batch \(definition)")
        try empty()
    }

    func empty() throws { try work.connection.run("DELETE FROM \(Self.name)") }

    /// The columns of a select whose rows are added.
    static func columns(alias: String, root: EntityLayout, level: Int = 0) -> String {
        "\(root.root.index), \(alias).Z_PK, \(alias).Z_ENT, \(level)"
    }

    /// Adds the rows of a select of `columns`.
    ///
    /// - Returns: How many were not there yet.
    @discardableResult
    func add(_ select: String, _ values: [SQLValue] = []) throws -> Int {
        try work.connection.run("INSERT OR IGNORE INTO \(Self.name) \(select)", values)
    }

    /// Adds rows by key, as far as they exist.
    func add(_ references: [Int64], _ entity: EntityMapping) throws {
        try ReferenceBatch.forEach(references) { batch, _ in
            let marks = Array(repeating: "?", count: batch.count).joined(separator: ",")
            let columns = Self.columns(alias: "t0", root: entity.layout)
            let table = SQLName.quotedIfNeeded(entity.table)
            let isMember = work.runtime.mapping.membershipCondition(of: entity.layout.root.subtree, alias: "t0")
            try add(
                "SELECT \(columns) FROM \(table) t0 WHERE t0.Z_PK IN (\(marks)) AND \(isMember)",
                batch.map { .integer($0) })
        }
    }

    /// A subselect of the keys of one tree.
    static func keys(of root: EntityLayout, and condition: String? = nil) -> String {
        "(SELECT pk FROM \(name) WHERE root=\(root.root.index)\(condition.map { " AND \($0)" } ?? ""))"
    }

    func count() throws -> Int {
        guard case .integer(let count)? = try work.connection.firstValue("SELECT COUNT(*) FROM \(Self.name)") else {
            return 0
        }
        return Int(count)
    }

    /// The entities whose rows are there, on one level or on all.
    func entities(level: Int? = nil) throws -> [EntityMapping] {
        let condition = level.map { " WHERE level=\($0)" } ?? ""
        return try work.connection.rows("SELECT DISTINCT ent FROM \(Self.name)\(condition) ORDER BY ent").compactMap {
            if case .integer(let number) = $0[0] { work.runtime.mapping.entity(number: number) } else { nil }
        }
    }

    /// All rows, in the order in which they were found.
    func visit(_ body: (EntityMapping, Int64) throws -> Void) throws {
        try work.forEachRow("SELECT ent, pk FROM \(Self.name) ORDER BY level, root, pk") { row in
            guard let entity = work.runtime.mapping.entity(number: row.int64(at: 0)) else { return }
            try body(entity, row.int64(at: 1))
        }
    }

    /// The rows as references.
    func references() throws -> [ObjectReference] {
        var result: [ObjectReference] = []
        try visit { entity, reference in
            result.append(
                ObjectReference(
                    reference: reference, entityIndex: Int32(truncatingIfNeeded: entity.layout.index)))
        }
        return result
    }
}
