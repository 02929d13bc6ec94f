#if PostgreSQL
import Foundation
import OpenCoreData

extension PostgreSQLStore: TogetherSavingStore {
    /// Runs a block whose saves take effect together at its end, or not at all. Memory use doesn't grow with what
    /// is saved.
    ///
    /// The block saves, fetches and runs batch requests on the calling thread, which sees its own changes. Others
    /// read the former state, and wait if they change a row that the block has changed.
    ///
    /// - Throws: The error of the block. The store is then unchanged, and objects that the block has saved are
    ///   invalid, so close the store.
    package func savingTogether<Result>(_ body: () throws -> Result) throws -> Result {
        try save(waitingForOthers: false, body)
    }

    private func save<Result>(waitingForOthers waits: Bool, _ body: () throws -> Result) throws -> Result {
        try translatingErrors(NSPersistentStoreSaveError) {
            let runtime = try writableRuntime()
            return try runtime.connections.with(isWriting: true) { connection in
                // Inside of another such block, the outer one counts.
                if connection.savesTogether { return try body() }
                connection.together = TogetherTransaction(
                    token: runtime.isRecording ? HistoryStatements.newToken() : nil)
                defer { connection.together = nil }
                let result = try runtime.transaction(connection, waitingForOthers: waits, body)
                // Makes observers of the history read it.
                feed.didCommit(0, isCached: false)
                return result
            }
        }
    }
}

extension PostgreSQLStore: TransactionalStore {
    package func performTransaction(_ body: () throws -> Void) throws {
        try separatingRows { try save(waitingForOthers: true, body) }
    }

    package func performTransactionBesideOthers(_ body: () throws -> Void) throws {
        try separatingRows { try save(waitingForOthers: false, body) }
    }

    package func endTransactionWithNextSave() {
        guard let connections = try? runtime().connections, connections.isHeld else { return }
        try? connections.with(isWriting: true) { $0.together?.endsWithNextSave = true }
    }
}

/// A transaction that several saves are parts of.
struct TogetherTransaction {
    /// Says in the history whether it was committed; `nil` in a store without history.
    let token: UUID?
    /// Whether the next save is the last, and is committed in the round trip in which it is sent.
    var endsWithNextSave = false
    /// Whether it was committed so.
    var hasEnded = false
}

extension PostgreSQLRuntime {
    /// Runs a block in a transaction that saves are parts of. It begins in one round trip.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleVersionHashError` in place of the block, if a migration has retired the
    ///   version that the store was opened with.
    fileprivate func transaction<Result>(
        _ connection: PostgreSQLConnection, waitingForOthers waits: Bool, _ body: () throws -> Result
    ) throws -> Result {
        let turn = waits ? [transactionTurn] : []
        let look = version.map { [$0.query] } ?? []
        let beginning = try connection.pipeline([.begin] + turn + look)
        do {
            if let version, let found = beginning.last { try version.require(found) }
            let result = try body()
            if connection.together?.hasEnded != true { try commit(connection) }
            return result
        } catch {
            connection.rollback()
            throw error
        }
    }

    private func commit(_ connection: PostgreSQLConnection) throws {
        let process = connection.serverProcess
        // Of several stores, none may be committed without the others.
        try CancellableRead.current?.check()
        CancellableRead.current?.becomeFinal()
        do {
            let commit = try connection.pipeline([.commit])
            if commit.first?.command == "ROLLBACK" {
                throw connection.error(.misuse, "A transaction in which a statement had failed was rolled back.")
            }
        } catch let error as PostgreSQLError where error.kind == .connectionLost && error.mayBeCommitted {
            guard let token = connection.together?.token else { throw error }
            let search = CommitSearch(token: token, process: process, plan: nil, runtime: self)
            guard try search.run(for: PostgreSQLStore.longestSearch, after: error) != nil else { throw error }
        }
    }

    /// Waits for the other transactions that do so, on whichever machine, until the end of the transaction that it is part of.
    var transactionTurn: PostgreSQLStatement {
        PostgreSQLStatement("SELECT pg_advisory_xact_lock(\(Self.turnKey(of: schema.name)))", isPrepared: false)
    }

    /// A number for the schema: the same in all programs, and for no other one in the database, in all likelihood.
    static func turnKey(of schema: String) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "OpenCoreData transactions of \(schema)".utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        return Int64(bitPattern: hash)
    }
}

extension PostgreSQLConnection {
    static let savepoint = PostgreSQLStatement("SAVEPOINT ocd_save", isPrepared: false)
    static let releaseSavepoint = PostgreSQLStatement("RELEASE SAVEPOINT ocd_save", isPrepared: false)
    static let rollbackToSavepoint = PostgreSQLStatement("ROLLBACK TO SAVEPOINT ocd_save", isPrepared: false)

    /// How a save begins: a transaction, or a part of the one that is open.
    var saveBeginning: PostgreSQLStatement { savesTogether ? Self.savepoint : .begin }
    var saveEnd: PostgreSQLStatement { savesTogether ? Self.releaseSavepoint : .commit }

    /// Undoes a save.
    func rollbackSave() {
        guard savesTogether else { return rollback() }
        guard transactionState != .none else { return }
        do {
            try pipeline([Self.rollbackToSavepoint, Self.releaseSavepoint])
        } catch {
            // The end of the block finds the transaction failed.
        }
    }
}
#endif
