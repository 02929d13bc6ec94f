#if PostgreSQL
import OpenCoreData

/// Supplies primary keys from blocks that are reserved in the table `ocd_key`.
///
/// Keys have to be known before the save that uses them, and others may save in between. A program that saves often
/// reserves larger blocks. The rest of a block when the program ends is a gap in the numbers.
final class KeyBlocks: Sendable {
    /// By the number of the root entity.
    private let blocks = UnfairMutex<[Int64: KeyBlock]>([:])
    private static let largestExtra: Int64 = 1_024

    /// Takes keys and returns the first.
    func take(_ count: Int, number: Int64, runtime: PostgreSQLRuntime) throws -> Int64 {
        let wanted = Int64(max(count, 0))
        let (ready, extra) = blocks.withLock { blocks -> (Int64?, Int64) in
            blocks.take(wanted, of: number, upTo: Self.largestExtra) ?? (nil, 0)
        }
        if let ready { return ready }
        let ahead = wanted >= Self.largestExtra ? 0 : extra
        let reserved = try runtime.connections.outsideTransaction { connection in
            if let table = runtime.mapping.entity(number: number).flatMap({ runtime.schema.existing[$0.table] }) {
                return try ExistingKeys(table: table, schema: runtime.schema).reserve(wanted + ahead, connection)
            }
            return try Self.reserve(wanted + ahead, number: number, runtime.schema.name, connection)
        }
        return blocks.withLock { blocks in
            var block = KeyBlock(reserved, after: blocks[number], extra: extra)
            defer { blocks[number] = block }
            return block.takeReserved(wanted)
        }
    }

    /// Forgets what is left of the blocks: a server that takes another's place may not know of them, and would give the
    /// same keys to others.
    func forgetAll() { blocks.withLock { $0.removeAll() } }

    /// Reserves keys durably, regardless of the database's default: if the server crashes, the program still has
    /// the keys, and they must not be reserved again.
    private static func reserve(
        _ count: Int64, number: Int64, _ schema: String, _ connection: PostgreSQLConnection
    ) throws -> Range<Int64> {
        var parameters = PostgreSQLParameters()
        parameters.append(int2: Int16(truncatingIfNeeded: number))
        parameters.append(int8: count)
        let table = "\(SQLName.quoted(schema)).ocd_key"
        let results = try connection.pipeline([
            .begin, PostgreSQLStatement("SET LOCAL synchronous_commit = on"),
            PostgreSQLStatement(
                "INSERT INTO \(table) AS k (number, z_max) VALUES ($1::int2, $2::int8) "
                    + "ON CONFLICT (number) DO UPDATE SET z_max = k.z_max + $2::int8 RETURNING k.z_max", parameters),
            .commit,
        ])
        // An invalid number was written by another program, and the last number has no successor.
        guard let end = try results[2].first?.integer(0), end >= count, end < .max else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The store has no primary keys left: what \(table) says of the entity number \(number) is damaged.")
        }
        return (end - count + 1)..<(end + 1)
    }
}
#endif
