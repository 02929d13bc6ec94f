import Synchronization

extension SQLiteConnectionPool {
    /// What the pool is doing at this moment.
    package func statistics(cachedRows: Int) -> StoreStatistics {
        let ages = livingSnapshots.map(\.age)
        let (log, readers, backups) = state.withLock { ($0.log, $0.readersInUse, $0.backups) }
        return StoreStatistics(
            storeURL: url, logBytes: LogState.logSize(at: logPath), isLogTooLong: log.isOver, logWarnings: log.warnings,
            endedGenerations: log.endedGenerations, refusedWrites: log.refusedWrites,
            maximumReaders: limits.maximumReaders, readersInUse: readers, waitingReaders: readerGate.waitingCount,
            waitingWriters: writerGate.waitingCount, pinnedGenerations: ages.count, oldestGenerationAge: ages.max(),
            runningBackups: backups, cachedRows: cachedRows, work: work.work)
    }
}
