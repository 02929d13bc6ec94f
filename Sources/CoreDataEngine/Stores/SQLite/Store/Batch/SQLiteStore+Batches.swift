import Foundation

/// What the parts of a batch share while its transaction is open.
struct BatchWork {
    let runtime: StoreRuntime
    let connection: SQLiteConnection
    let files: ExternalFiles
    /// Where the store records its history.
    let history: HistoryTransaction?

    func mapping(_ entity: EntityLayout) throws -> EntityMapping {
        if let mapping = runtime.mapping[entity] { return mapping }
        throw CoreDataError.make(
            NSPersistentStoreOperationError, "The entity \(entity.name) is not kept in this store.")
    }

    /// The rows of a result with its values, one at a time.
    func forEachRow(_ sql: String, _ values: [SQLValue] = [], _ body: (SQLiteStatement) throws -> Void) throws {
        try connection.withStatement(sql) { statement in
            try statement.bind(values)
            while try statement.step() { try body(statement) }
        }
    }
}

extension SQLiteStore {
    package func insertRows(_ batch: BatchInsert) throws -> BatchOutcome {
        try inTransaction(batch.author, batch.contextName) { work in
            try BatchInsertExecutor(batch, work).run()
        }
    }

    package func updateRows(_ batch: BatchUpdate) throws -> BatchOutcome {
        try inTransaction(batch.author, batch.contextName) { work in
            try answering(batch.query, unlessWritten: work.connection) { query in
                var batch = batch
                batch.query = query
                return try BatchUpdateExecutor(batch, work, store: self).run()
            }
        }
    }

    package func deleteRows(_ batch: BatchDelete) throws -> BatchOutcome {
        try inTransaction(batch.author, batch.contextName) { work in
            guard case .query(let query) = batch.target else {
                return try BatchDeleteExecutor(batch, work, rowCache: rowCache).run()
            }
            return try answering(query, unlessWritten: work.connection) { query in
                var batch = batch
                batch.target = .query(query)
                return try BatchDeleteExecutor(batch, work, rowCache: rowCache).run()
            }
        }
    }

    /// Like `answering(_:_:)`, but a request that wrote something before it failed isn't repeated.
    private func answering(
        _ query: StoreQuery, unlessWritten connection: SQLiteConnection, _ answer: (StoreQuery) throws -> BatchOutcome
    ) throws -> BatchOutcome {
        let changes = connection.totalChanges
        var failure: (any Error)?
        return try answering(query) { query in
            if let failure, connection.totalChanges != changes { throw failure }
            do { return try answer(query) } catch {
                failure = error
                throw error
            }
        }
    }

    private func inTransaction(
        _ author: String?, _ contextName: String?, _ body: (BatchWork) throws -> BatchOutcome
    ) throws -> BatchOutcome {
        let runtime = try writableRuntime()
        let files = ExternalFiles(runtime)
        var group: SaveGroup?
        do {
            let outcome = try runtime.pool.write { connection in
                group = try currentGroup(in: connection)
                let part = try connection.beginPart()
                connection.affectedValues.batch = AffectedValues.Batch(sums: runtime.derivedSums.keys)
                defer { connection.affectedValues.batch = nil }
                let history =
                    runtime.history.isRecording
                    ? HistoryTransaction(
                        store: runtime.mapping, connection: connection, presence: runtime.history, author: author,
                        contextName: contextName) : nil
                do {
                    let work = BatchWork(runtime: runtime, connection: connection, files: files, history: history)
                    let outcome = try body(work)
                    if let owners = connection.affectedValues.batch?.owners, !owners.isEmpty {
                        try runtime.derivedSums.settle(owners, in: connection)
                    }
                    try history?.finish()
                    try connection.commit(part, files.willCommit)
                    return outcome
                } catch {
                    connection.rollback(part)
                    throw error
                }
            }
            if let group {
                group.add(files)
            } else {
                files.didSave()
                runtime.removeUnusedFiles(ifDue: true)
            }
            return outcome
        } catch {
            files.didFail()
            throw error
        }
    }
}
