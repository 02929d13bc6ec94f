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
                connection.savesTogether = true
                defer { connection.savesTogether = false }
                let result = try connection.transaction {
                    if waits { try connection.pipeline([runtime.transactionTurn]) }
                    try runtime.version?.check(connection)
                    return try body()
                }
                // Makes observers of the history read it.
                feed.didCommit(0, isCached: false)
                return result
            }
        }
    }
}

extension PostgreSQLStore: TransactionalStore {
    package func performTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try separatingRows { try save(waitingForOthers: true, body) }
    }

    package func performTransactionBesideOthers<Result>(_ body: () throws -> Result) throws -> Result {
        try separatingRows { try save(waitingForOthers: false, body) }
    }
}

extension PostgreSQLRuntime {
    /// Waits for the other transactions that do so, on whichever machine, until the end of the transaction that it is part of.
    var transactionTurn: PostgreSQLStatement {
        PostgreSQLStatement("SELECT pg_advisory_xact_lock(\(turnKey))", isPrepared: false)
    }

    /// A number for the schema: the same in all programs, and for no other one in the database, in all likelihood.
    private var turnKey: Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "OpenCoreData transactions of \(schema.name)".utf8 {
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
