#if PostgreSQL
import OpenCoreData

/// Supplies keys for new rows of a table of other programs, from the sequence that those programs use.
struct ExistingKeys {
    let table: ExistingTable
    let schema: PostgreSQLSchema

    private static let mostAttempts = 8

    /// Takes numbers that follow each other. Those that others took in between make it begin again; a gap is left then.
    func reserve(_ count: Int64, _ connection: PostgreSQLConnection) throws -> Range<Int64> {
        guard let sequence = table.sequence else {
            throw failure("its primary key \(table.key) has no sequence")
        }
        guard sequence.increment == 1 else {
            throw failure("its sequence \(sequence.name) has the increment \(sequence.increment)")
        }
        for _ in 0..<Self.mostAttempts {
            if let range = try run(count, sequence.name, connection) { return range }
        }
        // The lock keeps other programs from inserting.
        return try connection.transaction {
            try connection.execute(
                "LOCK TABLE \(schema.qualified(table.name)) IN SHARE ROW EXCLUSIVE MODE", isPrepared: false)
            guard let range = try run(count, sequence.name, connection) else {
                throw failure("others use its sequence \(sequence.name) all the time")
            }
            return range
        }
    }

    private func run(
        _ count: Int64, _ sequence: String, _ connection: PostgreSQLConnection
    ) throws -> Range<Int64>? {
        let result = try connection.execute(
            "SELECT MIN(v), MAX(v) FROM (SELECT nextval(\(SQLName.literal(sequence))::regclass) AS v "
                + "FROM generate_series(1, $1::int8)) AS taken", values: [.int8(count)])
        guard let row = result.first, !row.isNull(0) else { return nil }
        let (first, last) = (try row.integer(0), try row.integer(1))
        guard last < .max else { throw failure("its sequence \(sequence) has no numbers left") }
        return last - first == count - 1 ? first..<(last + 1) : nil
    }

    private func failure(_ reason: String) -> CocoaError {
        CoreDataError.make(
            NSPersistentStoreSaveError, "No objects can be inserted into the table \(table.name): \(reason).")
    }
}
#endif
