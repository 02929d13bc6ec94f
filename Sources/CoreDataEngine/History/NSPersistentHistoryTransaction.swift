public import Foundation
import Synchronization

/// One save, or one batch request, as the history of a store recorded it.
///
/// Immutable, so safe to share between threads.
// @unchecked Sendable because all properties are constants but the list of changes, which is behind its lock and set
// once, before anybody else has the transaction.
open class NSPersistentHistoryTransaction: NSObject, NSCopying, @unchecked Sendable {
    private let record: HistoryTransactionRecord
    private let changeList = Mutex<[NSPersistentHistoryChange]?>(nil)

    /// Creates a transaction without contents; those with contents come from the history.
    ///
    /// Its number is 0, its store's UUID is empty, and it has no changes.
    public override convenience init() {
        self.init(HistoryTransactionRecord(store: "", number: 0, timestamp: Date(timeIntervalSinceReferenceDate: 0)))
    }

    package init(_ record: HistoryTransactionRecord) {
        self.record = record
        super.init()
    }

    /// Gives the transaction its changes.
    final func adopt(_ changes: [NSPersistentHistoryChange]) { changeList.withLock { $0 = changes } }

    // MARK: What was recorded

    /// When the transaction was written.
    open var timestamp: Date { record.timestamp }
    /// The changes in the order in which they were recorded; `nil` when the request asked for transactions only.
    open var changes: [NSPersistentHistoryChange]? { changeList.withLock { $0 } }
    /// The number of the transaction in its store, which grows with each.
    open var transactionNumber: Int64 { record.number }
    /// The UUID of the store.
    open var storeID: String { record.store }
    /// The bundle identifier of the program that saved; empty for a program without one.
    open var bundleID: String { record.bundleID ?? "" }
    /// The name of the process that saved.
    open var processID: String { record.processID ?? "" }
    /// The `name` of the context that saved.
    open var contextName: String? { record.contextName }
    /// The `transactionAuthor` of the context that saved.
    open var author: String? { record.author }
    /// The position in the history right after the transaction.
    open var token: NSPersistentHistoryToken { NSPersistentHistoryToken([record.store: record.number]) }

    // MARK: Fetch requests

    /// The entity that a fetch request of transactions is for.
    ///
    /// Predicates may use `author`, `bundleID`, `contextName`, `processID`, `timestamp`, `token`, `transactionNumber` and
    /// `changes`.
    open class var entityDescription: NSEntityDescription? { HistoryModel.shared.transaction }

    /// A new fetch request of transactions, for ``NSPersistentHistoryChangeRequest/fetchHistory(withFetch:)``.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        HistoryModel.request(for: HistoryModel.shared.transaction)
    }

    /// The entity that a fetch request of transactions is for.
    ///
    /// It is the same entity as ``entityDescription``, whatever the context is.
    ///
    /// - Parameter context: A context of the coordinator whose stores are asked.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }

    // MARK: Merging

    /// The transaction as the notification of a save, for `mergeChanges(fromContextDidSave:)`.
    ///
    /// The user info has the identifiers of the changed objects under `NSInsertedObjectIDsKey`, `NSUpdatedObjectIDsKey`
    /// and `NSDeletedObjectIDsKey`.
    open func objectIDNotification() -> Notification {
        var ids: [NSPersistentHistoryChangeType: Set<NSManagedObjectID>] = [:]
        for change in changes ?? [] { ids[change.changeType, default: []].insert(change.changedObjectID) }
        return Notification(
            name: .NSManagedObjectContextDidSaveObjectIDs, object: self,
            userInfo: [
                NSInsertedObjectIDsKey: ids[.insert] ?? [], NSUpdatedObjectIDsKey: ids[.update] ?? [],
                NSDeletedObjectIDsKey: ids[.delete] ?? [],
            ])
    }

    // MARK: NSObject

    /// A transaction is its own copy.
    ///
    /// Transactions are immutable, so both can be used on any thread.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentHistoryTransaction else { return false }
        return other.storeID == storeID && other.transactionNumber == transactionNumber
    }

    open override var hash: Int { transactionNumber.hashValue }

    open override var description: String {
        "<NSPersistentHistoryTransaction \(transactionNumber) of \(storeID), \(timestamp), author: \(author ?? "(none)"), "
            + "context: \(contextName ?? "(none)"), changes: \(changes.map { "\($0.count)" } ?? "not read")>"
    }
}
