#if PostgreSQL
/// The names of the statements that a connection has prepared, by text and types of the parameters; the least recently
/// used goes first.
struct PreparedStatements {
    struct Key: Hashable {
        var sql: String
        var types: [UInt32]

        init(_ statement: PostgreSQLStatement) {
            sql = statement.sql
            types = statement.parameters.types
        }
    }

    private struct Entry {
        var name: String
        var lastUse: UInt64
    }

    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0
    private var names: UInt64 = 0
    /// Names that the server may still have.
    private(set) var abandoned: [String] = []

    init(capacity: Int) { self.capacity = max(1, capacity) }

    var count: Int { entries.count }

    /// The name of a statement that is prepared.
    mutating func name(of statement: Key) -> String? {
        uses += 1
        guard let index = entries.index(forKey: statement) else { return nil }
        entries.values[index].lastUse = uses
        return entries.values[index].name
    }

    /// A name for a statement that is going to be prepared.
    mutating func add(_ statement: Key) -> String {
        uses += 1
        names += 1
        let name = "ocd_\(names)"
        entries[statement] = Entry(name: name, lastUse: uses)
        return name
    }

    /// Takes out what is too much, but nothing that was used after a moment.
    ///
    /// - Parameter use: `mark` at the moment.
    mutating func evict(notUsedAfter use: UInt64) {
        while entries.count > capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }),
            oldest.value.lastUse <= use
        {
            entries[oldest.key] = nil
            abandoned.append(oldest.value.name)
        }
    }

    var mark: UInt64 { uses }

    /// Forgets a statement that the server doesn't have.
    mutating func forget(_ statement: Key) { entries[statement] = nil }

    /// Forgets a statement whose plan is no longer any good.
    mutating func abandon(_ statement: Key) {
        guard let entry = entries.removeValue(forKey: statement) else { return }
        abandoned.append(entry.name)
    }

    mutating func didDeallocate(_ name: String) { abandoned.removeAll { $0 == name } }

    /// Forgets all, because the server has none of them any longer.
    mutating func removeAll() {
        entries = [:]
        abandoned = []
    }
}
#endif
