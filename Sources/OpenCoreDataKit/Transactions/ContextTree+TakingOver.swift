import CoreDataPlatform

extension ContextTree {
    /// Merges what a block wrote into the lasting contexts.
    ///
    /// Contexts on the stores that merge automatically do it anyway. Returns when the writer has merged; the main
    /// context merges when the main queue gets to it, without being waited for.
    func takeOver(_ changes: SavedIDs) async {
        guard let writer, writerTakesOver else { return }
        let merge = changes.merge
        await writer.perform(schedule: .enqueued) { merge(writer) }
        if layout.mainOn == .writer, mainFollows { enqueueOnMain(merge) }
    }

    /// As ``takeOver(_:)``, without waiting for the writer.
    func startTakingOver(_ changes: SavedIDs) {
        guard let writer, writerTakesOver else { return }
        let merge = changes.merge
        writer.perform {
            merge(writer)
            if self.layout.mainOn == .writer, self.mainFollows { self.enqueueOnMain(merge) }
        }
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

    /// Whether there is a writer that doesn't merge automatically.
    var writerTakesOver: Bool { writer != nil && layout.merging != .both }

    /// Whether the main context shows what others save.
    var mainFollows: Bool { layout.merging != .none || layout.draftsOn == .main }
}
