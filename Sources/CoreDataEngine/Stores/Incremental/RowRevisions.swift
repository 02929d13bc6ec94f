/// The versions of an incremental store's rows: the engine's own count, next to the revision that the store gave last.
///
/// Two contexts of a coordinator notice each other's saves by it, whether or not the store counts revisions.
struct RowRevisions {
    private struct Entry {
        /// Negative for a row that was deleted.
        var version: Int64
        /// `nil` after a save, when the store has not reported its new revision yet.
        var revision: UInt64?
    }

    private var entries: [Int64: Entry] = [:]

    /// The version of a row that the store gave with a revision.
    mutating func version(of reference: Int64, revision: UInt64) -> Int64 {
        guard var entry = entries[reference] else {
            entries[reference] = Entry(version: 1, revision: revision)
            return 1
        }
        if entry.version < 0 {
            entry.version = 1 - entry.version
        } else if let known = entry.revision, known != revision {
            entry.version += 1
        }
        entry.revision = revision
        entries[reference] = entry
        return entry.version
    }

    /// The version of a row, if it is known.
    func knownVersion(of reference: Int64) -> Int64? { entries[reference]?.version }

    /// Notes a row that was saved.
    mutating func setVersion(_ version: Int64, of reference: Int64) {
        entries[reference] = Entry(version: version, revision: nil)
    }

    /// Records the deletion of a row: contexts that have read it are out of date.
    mutating func remove(_ reference: Int64) {
        entries[reference] = Entry(version: -abs(entries[reference]?.version ?? 1), revision: nil)
    }
}
