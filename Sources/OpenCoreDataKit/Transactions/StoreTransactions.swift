import CoreDataPlatform

#if !canImport(ObjectiveC)
import Synchronization
#endif

// What the kit needs of transactions. Apple's framework has none: there, a block's own changes are one save.
#if !canImport(ObjectiveC)
/// What a transaction has changed.
typealias TransactionChanges = StoreTransaction.Changes

extension NSManagedObjectContext {
    /// Makes the context one of a block that reads and writes in a transaction.
    func joinTransactions() {
        isStrict = true
        givePermanentIDsAtOnce()
    }

    /// Gives new objects permanent identifiers when they are made.
    func givePermanentIDsAtOnce() { givesPermanentIDsAtOnce = true }

    /// Has `save()` refuse edits of objects that others have deleted, as `saveToStore()` does.
    func refuseLostEdits() {
        if databaseCoordinator != nil { checkBeforeSave = { try $0.requireEditedObjects() } }
    }

    /// Makes all later changes throw an error.
    func refuseChanges(_ error: any Error) { refusal = error }

    /// Runs a block in which all that is saved takes effect at its end, on the context's queue.
    ///
    /// - Parameter didSave: Gets what each save has done, in place of all notifications.
    /// - Returns: What has changed unless `didSave` was notified of it.
    func transaction(
        besideOthers: Bool = false, didSave: ((TransactionChanges) -> Void)? = nil, _ body: () throws -> Void
    ) throws -> TransactionChanges {
        guard let coordinator = persistentStoreCoordinator else {
            throw DatabaseError.closed(name: name ?? "of the context")
        }
        let transaction = StoreTransaction(besideOthers: besideOthers, isReported: true, didSave: didSave)
        try coordinator.run(transaction, body)
        return transaction.changes
    }

    /// Says that saving the context is the last thing that the transaction does.
    func endTransactionWithNextSave() { persistentStoreCoordinator?.endTransactionWithNextSave() }

    /// Whether a transaction is going on here.
    var isInTransaction: Bool { persistentStoreCoordinator?.transactions.current != nil }

    /// Runs a block in which the context reads one state of the stores.
    func snapshot<Result>(_ body: () throws -> Result) throws -> Result { try readingOneState(body) }
}

/// The statements of one block, which another thread may stop.
struct StoppableReads: Sendable {
    private let read = CancellableRead()

    func run<Result>(_ body: () throws -> Result) throws -> Result { try read.run(body) }

    /// Runs a transaction, which can be stopped until it is committed.
    func runUntilCommitted<Result>(_ body: () throws -> Result) throws -> Result { try read.runUntilFinal(body) }

    func stop() { read.cancel() }
}

/// Whether an error may not come again when a block is run again.
func isPassing(_ error: any Error) -> Bool {
    if let error = error as? any RetryableError { return error.isRetryable }
    if case .storeFailed(_, _, let cause)? = error as? DatabaseError { return isPassing(cause) }
    guard let cause = (error as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? any Error else { return false }
    return isPassing(cause)
}
#else
/// The statements of one block, which nothing can stop here.
struct StoppableReads: Sendable {
    func run<Result>(_ body: () throws -> Result) throws -> Result { try body() }

    func runUntilCommitted<Result>(_ body: () throws -> Result) throws -> Result { try body() }

    func stop() {}
}

/// What the caller of a block is part of: nothing here, where work of stores isn't traced.
struct CallerScope: Sendable {
    static var current: CallerScope { CallerScope() }

    func run(_ body: () -> Void) { body() }
}

/// What a transaction has changed.
struct TransactionChanges: Sendable {
    var inserted: Set<NSManagedObjectID> = []
    var updated: Set<NSManagedObjectID> = []
    var deleted: Set<NSManagedObjectID> = []
    var replaced: [NSManagedObjectID: NSManagedObjectID] = [:]
    var areUnknown: Bool { false }
    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension NSManagedObjectContext {
    private static let silentKey = "OpenCoreDataKit.isSilent"

    /// Whether the saves are reported otherwise than by notifications.
    var isSilent: Bool {
        get { userInfo[Self.silentKey] != nil }
        set { userInfo[Self.silentKey] = newValue ? true : nil }
    }

    func joinTransactions() {}
    func givePermanentIDsAtOnce() {}
    func savedID(_ id: NSManagedObjectID) -> NSManagedObjectID { id }
    func refuseLostEdits() {}
    func refuseChanges(_ error: any Error) {}
    func endTransactionWithNextSave() {}
    var isInTransaction: Bool { false }
    var editedObjectsDeletedElsewhere: [NSManagedObject] { [] }

    /// Apple's contexts have a queue each.
    convenience init(sharingQueueOf other: NSManagedObjectContext) {
        self.init(concurrencyType: .privateQueueConcurrencyType)
    }

    func transaction(
        besideOthers: Bool = false, didSave: ((TransactionChanges) -> Void)? = nil, _ body: () throws -> Void
    ) throws -> TransactionChanges {
        let box = ChangesBox()
        let observer = NoticeObserver(.NSManagedObjectContextDidSaveObjectIDs, of: self) { notification in
            let saved = SavedIDs(notification)
            box.changes.withLock { changes in
                changes.inserted.formUnion(saved.inserted)
                changes.updated.formUnion(saved.updated)
                changes.deleted.formUnion(saved.deleted)
            }
        }
        defer { observer.end() }
        try body()
        let changes = box.changes.withLock { $0 }
        didSave?(changes)
        return changes
    }

    func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try setQueryGenerationFrom(.current)
        return try body()
    }
}

/// What was saved so far.
private final class ChangesBox: Sendable { let changes = Mutex(TransactionChanges()) }

func isPassing(_ error: any Error) -> Bool { false }
#endif
