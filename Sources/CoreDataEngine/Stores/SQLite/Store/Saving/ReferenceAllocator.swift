/// Supplies primary keys, and keeps `Z_MAX` of `Z_PRIMARYKEY` at or above the highest one that was used.
///
/// Keys have to be known before the save that uses them, and another process may save in between, so they are reserved
/// in the file first. A program that saves often reserves a block at a time. The rest of the block is returned when the
/// store is closed, unless another process has reserved more since.
final class ReferenceAllocator: Sendable {
    /// By the number of the root entity.
    private let blocks = UnfairMutex<[Int: KeyBlock]>([:])

    /// What takes over the rest, and says how many keys it is time to reserve.
    private let successor: ReferenceAllocator?

    /// - Parameter successor: An allocator that adopts what is left; nil where that is given back.
    init(continuing successor: ReferenceAllocator? = nil) { self.successor = successor }

    /// Keys to reserve beyond those asked for, the next time.
    private func nextExtra(_ table: SQLTable) -> Int64 {
        blocks.withLock { blocks in blocks[table.rootNumber]?.nextExtra(upTo: Self.largestExtra) ?? 8 }
    }

    /// Takes keys that are reserved already and returns the first; `nil` when there are not enough.
    func takeReserved(_ count: Int, table: SQLTable) -> Int64? {
        let wanted = Int64(max(count, 0))
        return blocks.withLock { $0[table.rootNumber]?.take(wanted) }
    }

    /// Takes over what another one has left, once its transaction is committed.
    func adopt(_ other: ReferenceAllocator) {
        let left = other.blocks.withLock { blocks in
            defer { blocks.removeAll() }
            return blocks
        }
        blocks.withLock { blocks in
            for (number, block) in left {
                // The larger rest is kept; the other one is a gap in the numbers.
                if let known = blocks[number], known.count >= block.count { continue }
                blocks[number] = block
            }
        }
    }

    /// Largest number of keys reserved in advance.
    private static let largestExtra: Int64 = 256

    /// Takes keys and returns the first.
    func take(_ count: Int, table: SQLTable, pool: SQLiteConnectionPool) throws -> Int64 {
        let wanted = Int64(max(count, 0))
        let (ready, extra) = blocks.withLock { blocks -> (Int64?, Int64) in
            blocks.take(wanted, of: table.rootNumber, upTo: Self.largestExtra) ?? (
                nil, successor?.nextExtra(table) ?? 0
            )
        }
        if let ready { return ready }
        let ahead = wanted >= Self.largestExtra ? 0 : extra
        let reserved = try pool.write { connection in
            try connection.transaction { try PrimaryKeys(connection).reserve(Int(wanted + ahead), in: table) }
        }
        return blocks.withLock { blocks in
            var block = KeyBlock(reserved, after: blocks[table.rootNumber], extra: extra)
            defer { blocks[table.rootNumber] = block }
            return block.takeReserved(wanted)
        }
    }

    /// Gives back keys that were reserved in advance and not used.
    func giveBack(to pool: SQLiteConnectionPool) throws {
        let unused = blocks.withLock { blocks in
            defer { blocks.removeAll() }
            return blocks.filter { $0.value.count > 0 }
        }
        guard !unused.isEmpty else { return }
        try pool.write { connection in
            try connection.transaction {
                for (number, block) in unused {
                    try connection.run(
                        "UPDATE Z_PRIMARYKEY SET Z_MAX=? WHERE Z_ENT=? AND Z_MAX=?",
                        [.integer(block.next - 1), .integer(Int64(number)), .integer(block.end - 1)])
                }
            }
        }
    }
}
