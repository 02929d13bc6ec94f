import CoreDataPlatform

extension ContextTree {
    /// Merges what a block wrote into the lasting contexts.
    ///
    /// Contexts on the stores that merge automatically do it anyway. Returns when the writer has merged; the main
    /// context merges when the main queue gets to it, without being waited for.
    func takeOver(_ changes: SavedIDs) async {
        guard let writer, layout.merging != .both else { return }
        let info: [AnyHashable: Any] = [
            NSInsertedObjectIDsKey: Array(changes.inserted), NSUpdatedObjectIDsKey: Array(changes.updated),
            NSDeletedObjectIDsKey: Array(changes.deleted),
        ]
        // Only identifiers, which are safe anywhere.
        let box = SendableBox(info)
        await writer.perform(schedule: .enqueued) {
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: box.value, into: [writer])
        }
        guard layout.mainOn == .writer, mainFollows else { return }
        enqueueOnMain { NSManagedObjectContext.mergeChanges(fromRemoteContextSave: box.value, into: [$0]) }
    }

    /// Has the lasting contexts read all of their objects again, except for unsaved edits.
    func refreshAll() async {
        if let writer { await writer.perform(schedule: .enqueued) { writer.refreshAllObjects() } }
        if mainFollows { enqueueOnMain { $0.refreshAllObjects() } }
    }

    /// Merges pending changes into the main context if the main actor itself has written them, so that it sees them at
    /// once.
    func settleMainForItself() async {
        guard mainFollows, MainQueue.isCurrent else { return }
        await main.perform(schedule: .enqueued) {}
    }

    /// Has the main context do something when the main queue gets to it.
    func enqueueOnMain(_ work: @escaping @Sendable (NSManagedObjectContext) -> Void) {
        main.perform { [main] in work(main) }
    }

    /// Whether the main context shows what others save.
    var mainFollows: Bool { layout.merging != .none || layout.draftsOn == .main }
}
