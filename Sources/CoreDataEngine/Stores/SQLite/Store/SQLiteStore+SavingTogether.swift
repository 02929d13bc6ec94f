import Foundation

extension SQLiteStore: TogetherSavingStore {
    /// Runs a block whose saves take effect together at its end, or not at all. Memory does not grow with what is saved.
    ///
    /// From its beginning to its end nobody else writes to the store: other threads wait, other processes for as long as
    /// their timeout says. Others read what was there before. The block saves, fetches and runs batch requests on the calling
    /// thread, which sees what it has done.
    ///
    /// - Throws: What the block throws. The file is then as it was, and objects that were saved meanwhile are void, so that
    ///   the store should be closed.
    package func savingTogether<Result>(_ body: () throws -> Result) throws -> Result {
        try save(SaveGroup(), body)
    }

    private func save<Result>(_ group: SaveGroup, _ body: () throws -> Result) throws -> Result {
        let runtime = try writableRuntime()
        let result: Result
        do {
            result = try runtime.pool.write { connection in
                // Inside of another such block, the outer one counts.
                if self.group != nil { return try body() }
                return try grouping(group) {
                    try connection.transaction(willCommit: group.willCommit) {
                        let result = try body()
                        _ = try currentGroup(in: connection)
                        if !group.keepsReferences { try group.references.giveBack(to: runtime.pool) }
                        return result
                    }
                }
            }
        } catch {
            group.didFail()
            throw error
        }
        group.didSave()
        if group.keepsReferences { runtime.references.adopt(group.references) }
        if !runtime.pool.isWriting { runtime.removeUnusedFiles(ifDue: true) }
        return result
    }

    /// The saves that the writing connection's thread has begun to save together.
    ///
    /// - Throws: An error when their transaction is gone, as some errors end all of it: what is saved then would take effect
    ///   without what came before.
    func currentGroup(in connection: SQLiteConnection) throws -> SaveGroup? {
        guard let group else { return nil }
        guard connection.isInTransaction else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "An error has undone the saves to the store \(url?.lastPathComponent ?? ""), which can't go on.",
                path: url?.path)
        }
        return group
    }
}

extension SQLiteStore: TransactionalStore {
    package func performTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        // Small ones follow each other, so that keys are reserved for several.
        try separatingRows { try save(SaveGroup(keepsReferences: true), body) }
    }
}
