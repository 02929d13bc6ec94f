import OpenCoreDataKit
#if !canImport(ObjectiveC)
import Synchronization
#endif

/// Takes the saves of its contexts up to the store: when one has saved, its parent is saved next, on its own queue.
///
/// The contexts keep it, so that none saves into the void after a reset. It ends with the stack, which has the errors;
/// a save that is on its way then is still taken to the store.
final class SaveBubbling: Sendable {
    private weak let errors: UnawaitedErrors?
    private let observer = Mutex<NoticeObserver?>(nil)

    init(_ errors: UnawaitedErrors) {
        self.errors = errors
        let new = NoticeObserver(.NSManagedObjectContextDidSave, of: nil) { [weak self] notification in
            if let context = notification.object as? NSManagedObjectContext { self?.recordSave(of: context) }
        }
        observer.withLock { $0 = new }
    }

    private static let key = "BNRCoreDataStack.bubbling"

    /// Includes a new context.
    func include(_ context: NSManagedObjectContext) { context.userInfo[Self.key] = self }

    /// Called on the queue of the context.
    private func recordSave(of context: NSManagedObjectContext) {
        guard let parent = context.parent, context.userInfo[Self.key] as? SaveBubbling === self, let errors else {
            return
        }
        // Keeps the errors until the parent's own save has been recorded.
        parent.perform {
            guard parent.hasChanges else { return }
            do { try parent.save() } catch { errors.report(error) }
        }
    }
}
