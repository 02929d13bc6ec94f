import Synchronization

/// Tells what others write to the files of a database: other processes, and other databases of this one.
///
/// The stores record their history; what was not saved by a context whose name ends with the session's mark is theirs.
final class ExternalWatch: Sendable {
    private let observer: NoticeObserver

    init(_ tree: ContextTree, _ coordinator: DatabaseCoordinator, core: DatabaseCore, mark: String) {
        let reader = HistoryReader(tree: tree, core: core, mark: mark)
        observer = NoticeObserver(.NSPersistentStoreRemoteChange, of: coordinator) { _ in reader.read() }
    }

    func end() { observer.end() }
}

/// Reads the history from where it was read last.
private final class HistoryReader: Sendable {
    private let tree: ContextTree
    private let core: DatabaseCore
    private let mark: String
    private let context: NSManagedObjectContext
    /// The last transaction by the store's UUID.
    private let last: Mutex<[String: Int64]>

    init(tree: ContextTree, core: DatabaseCore, mark: String) {
        self.tree = tree
        self.core = core
        self.mark = mark
        context = tree.makeBackground("watch")
        last = Mutex(tree.coordinator.currentPersistentHistoryToken(fromStores: nil)?.transactionByStore ?? [:])
    }

    func read() {
        context.perform {
            do {
                for transaction in try self.newTransactions() where !self.isOwn(transaction) { self.tell(transaction) }
            } catch {
                if (self.tree.coordinator as? DatabaseCoordinator)?.isRetired != true { self.core.report(error) }
            }
        }
    }

    private func newTransactions() throws -> [NSPersistentHistoryTransaction] {
        let token = NSPersistentHistoryToken(last.withLock { $0 })
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.resultType = .transactionsAndChanges
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
        for transaction in transactions {
            last.withLock { last in
                last[transaction.storeID] = max(last[transaction.storeID] ?? 0, transaction.transactionNumber)
            }
        }
        return transactions
    }

    private func isOwn(_ transaction: NSPersistentHistoryTransaction) -> Bool {
        transaction.contextName?.hasSuffix(mark) == true
    }

    private func tell(_ transaction: NSPersistentHistoryTransaction) {
        let ids = SavedIDs(transaction.objectIDNotification())
        guard !ids.isEmpty else { return }
        // The rows in memory are out of date, and so is what the writer holds: others read through it.
        var receivers = [context]
        if let writer = tree.writer { receivers.append(writer) }
        if tree.layout.merging != .none { receivers.append(tree.main) }
        for receiver in receivers {
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: ids.changesOfKnownObjects, into: [receiver])
        }
        if tree.layout.merging != .none {
            tree.main.perform { [main = tree.main] in
                NotificationCenter.default.post(name: .databaseDidRefresh, object: main)
            }
        }
        core.hub.tell(ids.commit(.external))
    }
}
