#if !canImport(ObjectiveC)
import Synchronization
#endif

/// Reports what others write to the files of a database: other processes, and other databases of this one.
///
/// The stores record their history; what was not saved by a context whose name ends with the session's mark is theirs.
final class ExternalWatch: Sendable {
    private let observer: NoticeObserver
    private let reader: HistoryReader

    /// How far the history has been read.
    var position: HistoryPosition { reader.position.withLock { $0 } }

    init(_ tree: ContextTree, _ coordinator: DatabaseCoordinator, core: DatabaseCore, mark: String) {
        let reader = HistoryReader(tree: tree, core: core, mark: mark)
        self.reader = reader
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
    let position: Mutex<HistoryPosition>

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
            } catch  where (error as NSError).code == NSPersistentHistoryTokenExpiredError {
                self.goOnAfterGap()
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
        for receiver in receivers {
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: ids.changesOfKnownObjects, into: [receiver])
        }
        notifyListsOfMain()
        core.hub.notify(ids.commit(.external))
    }

    /// The contexts that take over what others saved. The rows in memory are out of date, and so is what the writer holds:
    /// others read through it.
    private var receivers: [NSManagedObjectContext] {
        var receivers = [context]
        if let writer = tree.writer { receivers.append(writer) }
        if tree.layout.merging != .none { receivers.append(tree.main) }
        return receivers
    }

    private func notifyListsOfMain() {
        guard tree.layout.merging != .none else { return }
        tree.main.perform { [main = tree.main] in
            NotificationCenter.default.post(name: .databaseDidRefresh, object: main)
        }
    }

    /// Continues at the end of the history. Transactions were deleted before they were read here, so any object that is
    /// held may have changed or be deleted.
    private func goOnAfterGap() {
        position.exchange(HistoryPosition(endIn: tree.coordinator))
        for receiver in receivers {
            let held = receiver.performAndWait {
                receiver.registeredObjects.map(\.objectID).filter { !$0.isTemporaryID }
            }
            do {
                let present = try findStored(held)
                let changes: [AnyHashable: Any] = [
                    NSUpdatedObjectIDsKey: held.filter(present.contains),
                    NSDeletedObjectIDsKey: held.filter { !present.contains($0) },
                ]
                NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [receiver])
            } catch {
                core.report(error)
            }
        }
        notifyListsOfMain()
        core.hub.notify(Commit(kind: .external))
    }

    /// Those of some objects that are in the stores.
    private func findStored(_ ids: [NSManagedObjectID]) throws -> Set<NSManagedObjectID> {
        var present: Set<NSManagedObjectID> = []
        for (name, ids) in Dictionary(grouping: ids, by: { $0.entity.name ?? "" }) {
            let request = NSFetchRequest<NSManagedObjectID>(entityName: name)
            request.resultType = .managedObjectIDResultType
            request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [ids])
            present.formUnion(try context.fetch(request))
        }
        return present
    }
}
