import Foundation
import Synchronization

/// A limit of the write-ahead log.
///
/// SQLite can start the log over only when all of it was moved into the file and no reader uses it. A reader that stays
/// on an old state makes it grow with each write. After a write that leaves the log longer than the limit, the writer
/// tries to empty it. If readers prevent that, it does what the limits say.
extension SQLiteConnectionPool {
    /// How long the writer waits for short reads to end before it calls the log held, in milliseconds; and how long later
    /// on, when it looks again.
    private static let patience: Int32 = 100
    private static let laterPatience: Int32 = 10

    /// Looks at the log after a write. While it is short this is one look at the size of a file.
    ///
    /// - Parameter connection: The writer's.
    func watchLog(_ connection: SQLiteConnection) {
        guard isConcurrent, let limit = limits.largestLog else { return }
        let size = connection.logSize
        let mustLook = state.withLock { state in
            guard size > limit else {
                state.log.isOver = false
                return false
            }
            return state.log.isTimeToLook(size: size, limit: limit)
        }
        if mustLook { lookAtLog(connection, limit) }
    }

    /// Refuses a write while the log is too long, if that is wanted.
    func requireShortLog(_ connection: SQLiteConnection) throws {
        guard limits.refusesWrites, let limit = limits.largestLog, state.withLock({ $0.log.isOver }) else { return }
        lookAtLog(connection, limit)
        let isOver = state.withLock { state in
            if state.log.isOver { state.log.refusedWrites += 1 }
            return state.log.isOver
        }
        guard isOver else { return }
        throw CoreDataError.make(
            NSPersistentStoreSaveError,
            "The store “\(url.lastPathComponent)” is refusing writes at the moment. \(sentence(connection.logSize, limit))",
            path: url.path)
    }

    private func lookAtLog(_ connection: SQLiteConnection, _ limit: Int64) {
        // What can't be found out now is found out after the next write.
        guard let held = try? heldLength(connection, limit) else { return }
        guard held > limit else {
            state.withLock { $0.log.isOver = false }
            return
        }
        let isNew = state.withLock { state in
            defer { state.log.isOver = true }
            if !state.log.isOver { state.log.warnings += 1 }
            return !state.log.isOver
        }
        if isNew { DiagnosticLog.warn("OpenCoreData", sentence(held, limit)) }
        guard endOldGenerations(limit) > 0, (try? connection.emptyLog(waiting: Self.laterPatience)) == true else {
            return
        }
        state.withLock { $0.log.isOver = false }
    }

    /// The bytes of the log that readers still use; 0 after it was emptied.
    private func heldLength(_ connection: SQLiteConnection, _ limit: Int64) throws -> Int64? {
        guard let (frames, moved) = try connection.moveLog() else { return nil }
        let frameHeader: Int64 = 24
        let length = Int64(frames) * (try connection.pageSize() + frameHeader)
        // A file that was long once needn't stay so, but that isn't worth waiting for.
        guard length > limit else {
            let isEmpty = try moved == frames && connection.emptyLog(waiting: 0)
            return isEmpty ? 0 : length
        }
        let isKnown = state.withLock { $0.log.isOver }
        return try connection.emptyLog(waiting: isKnown ? Self.laterPatience : Self.patience) ? 0 : length
    }

    /// Ends the pinned generations that are older than they may get.
    ///
    /// - Returns: How many.
    private func endOldGenerations(_ limit: Int64) -> Int {
        guard let lifetime = limits.generationLifetime else { return 0 }
        let old = livingSnapshots.filter { $0.age > lifetime }
        let name = url.lastPathComponent
        for snapshot in old {
            let age = Self.seconds(snapshot.age.rounded(.down))
            snapshot.expire(
                CoreDataError.make(
                    NSPersistentStoreOperationError,
                    "The query generation of the store “\(name)” was ended \(age) after it was pinned, because the "
                        + "write-ahead log had become longer than \(limit) bytes. Pin the context to the current "
                        + "generation with setQueryGenerationFrom.", path: url.path))
        }
        state.withLock { $0.log.endedGenerations += old.count }
        return old.count
    }

    /// What is the matter, and who is in the way.
    private func sentence(_ length: Int64, _ limit: Int64) -> String {
        let ages = livingSnapshots.map(\.age)
        let (readers, backups) = state.withLock { ($0.readersInUse, $0.backups) }
        var holders: [String] = []
        if let oldest = ages.max() {
            let noun = ages.count == 1 ? "query generation" : "query generations"
            holders.append("\(ages.count) pinned \(noun) (the oldest \(Self.seconds(oldest.rounded(.down))) old)")
        }
        if readers > 0 { holders.append(readers == 1 ? "1 read" : "\(readers) reads") }
        if backups > 0 { holders.append(backups == 1 ? "1 backup" : "\(backups) backups") }
        if holders.isEmpty { holders.append("another process") }
        return
            "The write-ahead log of the store “\(url.lastPathComponent)” is \(length) bytes long, more than the \(limit) "
            + "that it should have at most. It can't be emptied because of \(holders.joined(separator: ", "))."
    }

    /// The pinned states that can still be read.
    var livingSnapshots: [ReadSnapshot] {
        state.withLock { $0.snapshots.compactMap(\.snapshot) }.filter { !$0.isOver }
    }
}
