import Foundation

extension SQLiteStore: TogetherSavingStore {
    /// Runs a block whose saves take effect together at its end, or not at all. Memory use doesn't grow with what is
    /// saved.
    ///
    /// Until the block ends, other threads wait to write to the store, and other processes wait for as long as their
    /// timeout says. Readers see the former state. The block saves, fetches and runs batch requests on the calling
    /// thread, which sees its own changes.
    ///
    /// - Throws: The error of the block. The file is then unchanged, and objects that the block has saved are invalid,
    ///   so close the store.
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
                "An error rolled back the saves to the store \(url?.lastPathComponent ?? ""), so they can't continue.",
                path: url?.path)
        }
        return group
    }
}

extension SQLiteStore: TransactionalStore {
    package func performTransaction(_ body: () throws -> Void) throws {
        // Small ones follow each other, so that keys are reserved for several.
        let references = try writableRuntime().references
        try separatingRows { try save(SaveGroup(continuing: references), body) }
    }

    package func endTransactionWithNextSave() {
        // Those of another thread have it.
        if let pool = try? runtime().pool, pool.isWriting { group?.endWithNextSave() }
    }
}
