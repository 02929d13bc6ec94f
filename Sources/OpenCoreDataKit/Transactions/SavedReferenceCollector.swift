import CoreDataPlatform
import Synchronization

/// Collects what a context saves.
final class SavedReferenceCollector: Sendable {
    /// References behind a lock.
    private final class Box: Sendable {
        let collected = Mutex(SavedReferences())
    }

    private let box: Box
    private let observer: NoticeObserver

    init(_ context: NSManagedObjectContext) {
        let box = Box()
        self.box = box
        observer = NoticeObserver(.NSManagedObjectContextDidSaveObjectIDs, of: context) { notification in
            let saved = SavedIDs(notification)
            box.collected.withLock { $0.add(saved) }
        }
    }

    /// What was saved so far.
    var references: SavedReferences { box.collected.withLock { $0 } }
}
