/// Reports the saves that reach the stores of a coordinator, whichever of its contexts they come from.
final class CommitWatch: Sendable {
    private let observer: NoticeObserver

    init(_ coordinator: NSPersistentStoreCoordinator, hub: CommitHub) {
        let identity = ObjectIdentifier(coordinator)
        observer = NoticeObserver(.NSManagedObjectContextDidSaveObjectIDs, of: nil) { notification in
            guard let context = notification.object as? NSManagedObjectContext, context.parent == nil,
                let saved = context.persistentStoreCoordinator, ObjectIdentifier(saved) == identity,
                !context.isSilent
            else { return }
            let ids = SavedIDs(notification)
            if !ids.isEmpty { hub.notify(ids.commit(.saved)) }
        }
    }

    func end() { observer.end() }
}
