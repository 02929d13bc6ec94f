/// Reports the saves that reach the stores of a coordinator, whichever of its contexts they come from.
final class CommitWatch: Sendable {
    private let observer: NoticeObserver

    /// - Parameter tree: The lasting contexts, which take over what other contexts save.
    init(_ coordinator: NSPersistentStoreCoordinator, tree: ContextTree, hub: CommitHub) {
        let identity = ObjectIdentifier(coordinator)
        observer = NoticeObserver(.NSManagedObjectContextDidSaveObjectIDs, of: nil) { notification in
            guard let context = notification.object as? NSManagedObjectContext, context.parent == nil,
                let saved = context.persistentStoreCoordinator, ObjectIdentifier(saved) == identity,
                !context.isSilent
            else { return }
            let ids = SavedIDs(notification)
            guard !ids.isEmpty else { return }
            if context !== tree.writer { tree.startTakingOver(ids) }
            hub.notify(ids.commit(.saved))
        }
    }

    func end() { observer.end() }
}
