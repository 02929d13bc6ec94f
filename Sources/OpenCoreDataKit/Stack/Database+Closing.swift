extension Database {
    /// Waits until all saves that have begun are in the stores, and all merges that follow them are done.
    ///
    /// Meant for tests, and for a program that is about to end. Operations that begin while it waits aren't waited for.
    /// It doesn't save anything itself, and doesn't throw if the database is closed.
    public func settle() async {
        await core.gate.settle()
        await session.tree.waitForPendingWork()
    }

    /// Deletes all data. Waits for all operations that have begun, then empties the stores and opens them again.
    ///
    /// Afterwards the database has new contexts. Contexts from before can neither fetch nor save, and drafts from
    /// before can't be committed. Operations that begin in the meantime wait.
    ///
    /// - Throws: ``DatabaseError/closed(name:)``; ``DatabaseError/storeFailed(store:url:cause:)`` if a file can't be
    ///   emptied or opened again. If it can't be opened, the database is closed.
    public func erase() async throws {
        try await core.gate.alone {
            let old = session
            await old.tree.waitForPendingWork()
            try old.end()
            let destroyed = Result { try old.destroyFiles() }
            do {
                adopt(try DatabaseSession(configuration, model: model, core: core))
            } catch {
                core.gate.close()
                core.hub.finish()
                throw error
            }
            try destroyed.get()
            core.hub.notify(Commit(kind: .erased))
        }
    }

    /// Closes the stores, after all operations that have begun. The database can't be used afterwards.
    ///
    /// Unsaved changes of ``main`` and of drafts are lost. Operations that begin later throw
    /// ``DatabaseError/closed(name:)``, and the streams of ``changes`` end.
    ///
    /// - Throws: ``DatabaseError/closed(name:)`` if it is already closed.
    public func close() async throws {
        try await core.gate.alone {
            let old = session
            await old.tree.waitForPendingWork()
            core.gate.close()
            core.hub.finish()
            try old.end()
        }
    }

    /// Discards the changes that a failed save has left in the main context and in the writer, so that later saves
    /// don't try them again. Unsaved edits of the main context are discarded, too.
    ///
    /// Drafts and other background contexts aren't involved. Use it with a layout that has a writer, where the changes
    /// of a failed save wait for the next save.
    public func discardUnsaved() async {
        for context in session.tree.lasting.reversed() {
            await context.perform { context.rollback() }
        }
    }

    /// Deletes the files of a database that isn't open. Missing files are ignored.
    ///
    /// Use it to start again with a file that can't be opened. Stores in memory are skipped. For a database that is
    /// open, use ``erase()``.
    ///
    /// - Parameter configuration: The configuration of the database.
    /// - Throws: ``DatabaseError/storeFailed(store:url:cause:)`` if a file is open in this process or can't be deleted.
    ///   The files before it are deleted by then.
    public static func eraseFiles(of configuration: Configuration) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        for store in configuration.stores {
            guard let url = StoreOpening.url(of: store, databaseName: configuration.name),
                StoreOpening.mayExist(store, at: url)
            else { continue }
            do {
                guard !OpenFiles.contains(url) else {
                    throw CoreDataError.make(
                        NSPersistentStoreOperationError, "The file is open, so it can't be deleted.",
                        path: url.displayName)
                }
                try StoreOpening.destroy(
                    store, at: url, options: [NSPersistentStoreForceDestroyOption: true], by: coordinator)
            } catch {
                throw DatabaseError.storeFailed(store: url.displayName, url: url, cause: error)
            }
        }
    }
}
