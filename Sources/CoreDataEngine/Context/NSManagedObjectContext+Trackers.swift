extension NSManagedObjectContext {
    /// Notifies the controllers of a change, with what was recorded for them.
    final func notifyTrackers(_ change: TrackedChange) {
        resultTrackers.prune()
        var change = change
        let notes = trackerNotes
        trackerNotes = TrackerNotes()
        change.silent = notes.silent
        change.departed = notes.departed
        change.unknown = notes.unknown
        change.met = notes.met
        change.gone = notes.gone
        guard !change.isEmpty else { return }
        for tracker in resultTrackers.all { tracker.contextDidChange(change) }
    }

    /// Notifies the controllers of what a save of this context wrote. The changes were announced before; what matters
    /// here is what only the save decided, and the controllers that show only saved changes.
    final func notifyTrackers(saved: SavedIdentities) {
        guard !resultTrackers.isEmpty else { return }
        notifyTrackers(TrackedChange(isSaved: true))
        var change = TrackedChange()
        change.inserted = Array(saved.inserted)
        change.updated = Array(saved.updated)
        change.deleted = Array(saved.deleted)
        change.isSaved = true
        change.isOwnSave = true
        notifyTrackers(change)
        for tracker in resultTrackers.all { tracker.identifiersDidChange(saved.inserted) }
    }

    final func notifyTrackersOfReset() {
        trackerNotes = TrackerNotes()
        for tracker in resultTrackers.all { tracker.contextDidReset() }
    }
}
