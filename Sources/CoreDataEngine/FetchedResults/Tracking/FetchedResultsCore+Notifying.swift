import Foundation

/// Notifying the delegate.
extension FetchedResultsCore {
    private var takesSnapshots: Bool { isDelegateKnown && !delegateLacks.contains(.snapshots) }
    private var takesDifferences: Bool {
        isDelegateKnown && sectionNameKeyPath == nil && !delegateLacks.contains(.differences)
    }

    /// Notifies a delegate that takes snapshots of a fetch.
    func notifyOfFetch() {
        #if !canImport(Darwin)
        guard let delegate, !delegateLacks.contains(.snapshots) else { return }
        wasGivenSnapshot = true
        notifySnapshot([], delegate)
        #endif
    }

    /// Finds out which kinds of notification the delegate implements. A protocol doesn't say which methods have their
    /// default implementation, so these are called, without any changes, before the first change.
    private func probeDelegate() {
        guard !isDelegateKnown, let delegate else { return }
        isDelegateKnown = true
        #if canImport(Darwin)
        delegateLacks.insert(.snapshots)
        #else
        if !wasGivenSnapshot { notifyOfFetch() }
        guard delegateLacks.contains(.snapshots) else { return }
        #endif
        if sectionNameKeyPath == nil, let nothing = CollectionDifference<NSManagedObjectID>([]) {
            delegate.controller(forDelegate, didChangeContentWith: nothing)
        }
    }

    /// To be called before a change, while the results are the old ones.
    func notifyWillChange() {
        probeDelegate()
        guard let delegate, !takesSnapshots, !takesDifferences else { return }
        delegate.controllerWillChangeContent(forDelegate)
    }

    /// Reports a change that was made.
    func notify(_ change: ContentChange) {
        guard let delegate else { return }
        let controller = forDelegate
        #if !canImport(Darwin)
        if takesSnapshots {
            notifySnapshot(change.updates.map(\.object), delegate)
            return
        }
        #endif
        if takesDifferences {
            if let difference = difference(change) { delegate.controller(controller, didChangeContentWith: difference) }
            return
        }
        notifyStepwise(change, delegate, controller)
        delegate.controllerDidChangeContent(controller)
    }

    private func notifyStepwise(
        _ change: ContentChange, _ delegate: any NSFetchedResultsControllerDelegate,
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
        func report(_ items: [ContentChange.Item], _ type: NSFetchedResultsChangeType) {
            for item in items {
                delegate.controller(
                    controller, didChange: presented(item.object), at: item.old?.indexPath, for: type,
                    newIndexPath: item.new?.indexPath)
            }
        }
        // A section comes before the objects that come into it, and goes after those that leave it.
        report(change.deletes, .delete)
        for section in change.insertedSections {
            delegate.controller(controller, didChange: section.info, atSectionIndex: section.index, for: .insert)
        }
        report(change.inserts, .insert)
        report(change.moves, .move)
        for section in change.deletedSections {
            delegate.controller(controller, didChange: section.info, atSectionIndex: section.index, for: .delete)
        }
        report(change.updates, .update)
    }

    // MARK: Differences

    /// The change as a difference of a list of identifiers.
    private func difference(_ change: ContentChange) -> CollectionDifference<NSManagedObjectID>? {
        var steps: [CollectionDifference<NSManagedObjectID>.Change] = []
        for item in change.deletes + change.moves + change.updates {
            guard let old = item.old, let id = (item.object as? NSManagedObject)?.objectID else { continue }
            steps.append(.remove(offset: old.row, element: id, associatedWith: item.new?.row))
        }
        for item in change.inserts + change.moves + change.updates {
            guard let new = item.new, let id = (item.object as? NSManagedObject)?.objectID else { continue }
            steps.append(.insert(offset: new.row, element: id, associatedWith: item.old?.row))
        }
        return CollectionDifference(steps)
    }

    // MARK: Snapshots

    #if !canImport(Darwin)
    /// Hands out a snapshot. Its content is only made if the delegate looks at it or keeps it.
    private func notifySnapshot(_ updated: [AnyObject], _ delegate: any NSFetchedResultsControllerDelegate) {
        let reloaded = updated.compactMap { ($0 as? NSManagedObject)?.objectID }
        var snapshot = NSDiffableDataSourceSnapshotReference(reloading: reloaded) { self.snapshotSections }
        delegate.controller(forDelegate, didChangeContentWith: snapshot)
        // Kept, it may be read on other queues.
        if !isKnownUniquelyReferenced(&snapshot) { snapshot.materialize() }
    }

    private var snapshotSections: [(section: AnyHashable, items: [AnyHashable])] {
        content?.sections.map { section in
            (
                AnyHashable(section.name),
                section.entries.map { entry in
                    if let object = entry.object as? NSManagedObject { return AnyHashable(object.objectID) }
                    return AnyHashable(ObjectIdentifier(entry.object))
                }
            )
        } ?? []
    }

    /// Objects have got permanent identifiers: who goes by identifiers gets the new ones.
    func notifyOfIdentifiers(of objects: ContiguousArray<NSManagedObject>) {
        guard delegate != nil, takesSnapshots, let content, query != nil else { return }
        guard objects.contains(where: { content.entry(for: $0) != nil }) else { return }
        notifyOfFetch()
    }
    #endif
}
