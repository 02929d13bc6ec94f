extension Database {
    /// Waits until every save that has begun is in the stores, and every merge that follows one is done.
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

    /// Closes the stores, after everything that has begun is done. Nothing can be done with the database any more.
    ///
    /// - Throws: ``DatabaseError/closed(name:)`` when it was closed already.
    public func close() async throws {
        try await core.gate.alone {
            let old = session
            await old.tree.waitForPendingWork()
            core.gate.close()
            core.hub.finish()
            try old.end()
        }
    }

    /// Forgets what a failed save left waiting in the main context and in the writer, so that the next saves don't try
    /// it again. Unsaved edits of the main context go too.
    public func discardUnsaved() async {
        for context in session.tree.lasting.reversed() {
            await context.perform { context.rollback() }
        }
    }

    /// Deletes the files of a database that is not open. Files that are not there are no error.
    ///
    /// - Throws: ``DatabaseError/storeFailed(store:url:cause:)`` when one is open in this process or can't be deleted.
    ///   Files before it in the list are gone then.
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
