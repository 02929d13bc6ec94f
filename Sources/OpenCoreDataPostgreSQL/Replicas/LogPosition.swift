#if PostgreSQL
/// A position in the server's write-ahead log: `pg_lsn`, as a string two hexadecimal numbers such as `16/B374D848`.
struct LogPosition: Comparable, Hashable, Sendable, LosslessStringConvertible {
    let offset: UInt64

    init(offset: UInt64) { self.offset = offset }

    init?(_ description: String) {
        let parts = description.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ (1...8).contains($0.utf8.count) && $0.allSatisfy(\.isHexDigit) }),
            let high = UInt32(parts[0], radix: 16), let low = UInt32(parts[1], radix: 16)
        else { return nil }
        offset = UInt64(high) << 32 | UInt64(low)
    }

    var description: String {
        String(offset >> 32, radix: 16, uppercase: true) + "/"
            + String(offset & 0xFFFF_FFFF, radix: 16, uppercase: true)
    }

    static func < (left: LogPosition, right: LogPosition) -> Bool { left.offset < right.offset }

    /// Asks for the end of the log: behind each commit that was answered. Not `pg_current_wal_lsn`, which is where the
    /// log has been written to, and may be before a commit that did not wait for the disk.
    static let current = PostgreSQLStatement("SELECT pg_current_wal_insert_lsn()::text")
    /// Returns what a replica has replayed; null on a server that isn't a replica.
    static let replayed = PostgreSQLStatement("SELECT pg_last_wal_replay_lsn()::text")

    /// Reads the answer to one of the two.
    init?(_ result: PostgreSQLResult?) {
        guard let string = result?.first?.string(0) else { return nil }
        self.init(string)
    }
}

extension PostgreSQLConnection {
    /// Where the log of the server, a primary, ends.
    func currentPosition() throws -> LogPosition? { LogPosition(try execute(LogPosition.current.sql)) }
}
#endif
