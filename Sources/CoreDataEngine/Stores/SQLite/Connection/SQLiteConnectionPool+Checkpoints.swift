import Dispatch
import Synchronization

/// Moving the write-ahead log into the file beside other work.
///
/// Moving the log waits for the disk twice, which takes as long as hundreds of small transactions. So the write that made
/// the log long enough doesn't do it: a connection that reads does, on another thread, while writes go on. Where writes
/// follow each other so closely that the log only grows, a commit moves it after all, at twice the length
/// (`LogLength`).
extension SQLiteConnectionPool {
    /// Has the log moved if the last write made it long enough. Otherwise this is one comparison.
    ///
    /// - Parameter connection: The writer's.
    func moveLogBeside(_ connection: SQLiteConnection) {
        guard let length = connection.logLength, length.takePages() >= configuration.logPages else { return }
        let isFirst = state.withLock { state in
            defer { state.checkpoint.isWanted = true }
            return !state.checkpoint.isWanted && !state.isClosed
        }
        guard isFirst else { return }
        DispatchQueue.global(qos: .utility).async { [weak self] in self?.moveLog() }
    }

    /// Moves the log, unless the pool is closed or all readers are in use: then a later write sees to it.
    private func moveLog() {
        let isWanted = state.withLock { state in
            guard !state.isClosed, readerGate.enterAtOnce() else {
                state.checkpoint.isWanted = false
                return false
            }
            state.checkpoint.underWay.enter()
            return true
        }
        guard isWanted else { return }
        // What can't be moved stays in the log, and the next write that finds it long tries again.
        if let lease = try? takeReader() {
            // A connection that has not read yet doesn't know that there is a log.
            if (try? lease.connection.dataVersion()) != nil { _ = try? lease.connection.moveLog() }
            giveBackReader(lease)
        }
        readerGate.leave()
        state.withLock { state in
            state.checkpoint.isWanted = false
            state.checkpoint.underWay.leave()
        }
    }

    /// What is known about a log that is being moved.
    struct CheckpointState {
        /// Whether the log is being moved, or will be soon.
        var isWanted = false
        /// Entered while it is being moved. Closing the pool waits for that.
        let underWay = DispatchGroup()
    }
}
