import Synchronization

/// Reports what others write to the files of a database: other processes, and other databases of this one.
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
    private let position: Mutex<HistoryPosition>

    init(tree: ContextTree, core: DatabaseCore, mark: String) {
        self.tree = tree
        self.core = core
        self.mark = mark
        context = tree.makeBackground("watch")
        position = Mutex(HistoryPosition(endIn: tree.coordinator))
    }

    func read() {
        context.perform {
            do {
                for transaction in try self.newTransactions() where !self.isOwn(transaction) {
                    self.notify(transaction)
                }
            } catch {
                if (self.tree.coordinator as? DatabaseCoordinator)?.isRetired != true { self.core.report(error) }
            }
        }
    }

    private func newTransactions() throws -> [NSPersistentHistoryTransaction] {
        var position = position.withLock { $0 }
        let transactions = try position.advance(in: context)
        self.position.exchange(position)
        return transactions
    }

    private func isOwn(_ transaction: NSPersistentHistoryTransaction) -> Bool {
        transaction.contextName?.hasSuffix(mark) == true
    }

    private func notify(_ transaction: NSPersistentHistoryTransaction) {
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
        core.hub.notify(ids.commit(.external))
    }
}
