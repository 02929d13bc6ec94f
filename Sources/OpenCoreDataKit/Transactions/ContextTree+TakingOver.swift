import CoreDataPlatform

extension ContextTree {
    /// Has the lasting contexts take over what a block wrote past them.
    ///
    /// Contexts on the stores that merge by themselves do it anyway. Returns when the writer has; the main context does it when the
    /// main queue gets to it, which is not waited for.
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

    /// Lets the main context take over what it was asked to, where the main actor itself has written: it sees that at once.
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
