import Foundation

/// Keeping the results up to date.
extension FetchedResultsCore {
    /// Takes over what a context announces.
    func follow(_ change: TrackedChange) {
        guard let query, let content, !query.isStatic else { return }
        guard delegate != nil else {
            hasMissedChanges = true
            return
        }
        if !query.request.includesPendingChanges, !change.isSaved {
            updateInPlace(change, content)
            return
        }
        var change = change
        if change.isOwnSave, query.request.includesPendingChanges, !query.dependsOnSaves, !query.refetches {
            change.forgetAnnounced()
        }
        guard let plan = try? plan(change, query, content) else {
            // Rows could not be read. The results stay; the next change asks the store for all of them.
            hasMissedChanges = true
            return
        }
        if hasMissedChanges || query.refetches {
            refetch(plan, change, query, content)
        } else if !plan.isEmpty {
            notifyWillChange()
            let change = ContentUpdate.apply(plan, to: content)
            didChangeContent()
            notify(change)
        }
    }

    /// Records the sort values of an object before it changes, which show afterwards whether it has to move.
    func recordKeys(beforeChangeOf object: NSManagedObject) {
        guard delegate != nil, let query, let content, let entry = content.entry(for: object) else { return }
        // A fault stays one, and a row that is not in memory may be newer than the position.
        if object.state.isFault, !query.order.readsRowsAlone || context.needsRow(object) { return }
        content.recordKeys(of: entry)
    }

    /// Unsaved changes that don't count for what the results are: only that the objects changed is reported.
    private func updateInPlace(_ change: TrackedChange, _ content: ResultContent) {
        var update = ContentChange()
        var seen: Set<ObjectIdentifier> = []
        for object in change.updated + change.refreshed where seen.insert(ObjectIdentifier(object)).inserted {
            guard let entry = content.entry(for: object) else { continue }
            let path = content.path(of: entry)
            update.updates.append(ContentChange.Item(object: object, old: path, new: path))
        }
        guard !update.isEmpty else { return }
        update.sort()
        notifyWillChange()
        didChangeContent()
        notify(update)
    }

    /// Asks the store what the results are now, and reports the difference.
    private func refetch(_ plan: ChangePlan, _ change: TrackedChange, _ query: ResultQuery, _ content: ResultContent) {
        guard hasMissedChanges || !plan.isEmpty || change.concerns(query, context) else { return }
        do {
            let fresh = try makeContent(query, usesCache: false)
            let changed = plan.staying + plan.unmoved
            let touched = Set(changed.map { ObjectIdentifier($0.object) }).subtracting(plan.quiet)
            let difference = ContentDifference.make(from: content, to: fresh, touched: touched)
            hasMissedChanges = false
            if !difference.isEmpty { notifyWillChange() }
            replaceContent(fresh)
            if !difference.isEmpty { notify(difference) }
        } catch {
            // The results stay; the next change tries again.
            hasMissedChanges = true
        }
    }

    // MARK: What is concerned

    private func plan(_ change: TrackedChange, _ query: ResultQuery, _ content: ResultContent) throws -> ChangePlan {
        var plan = ChangePlan()
        var seen: Set<ObjectIdentifier> = []
        for object in change.deleted + change.departed where seen.insert(ObjectIdentifier(object)).inserted {
            if let entry = content.entry(for: object) { plan.leaving.append(entry) }
        }
        let candidates = candidates(change, query, content).filter { seen.insert(ObjectIdentifier($0)).inserted }
        // Reads all missing rows in one statement instead of one each.
        try context.fill(candidates.filter { $0.state.isFault && context.needsRow($0) })
        let announced = Set(change.inserted.map { ObjectIdentifier($0) })
        for object in candidates {
            let entry = content.entry(for: object)
            guard belongs(object, query) else {
                if let entry { plan.leaving.append(entry) }
                continue
            }
            guard let entry else {
                if !query.request.returnsObjectsAsFaults { object.fireFault() }
                plan.entering.append(object)
                continue
            }
            // An insertion that was fetched before it was announced is no news.
            let isQuiet = announced.contains(ObjectIdentifier(object)) || change.isOwnSave
            if isQuiet { plan.quiet.insert(ObjectIdentifier(object)) }
            if !content.isUnchanged(entry) {
                plan.staying.append(entry)
            } else if !isQuiet {
                plan.unmoved.append(entry)
            }
        }
        let refreshed = Set(change.refreshed.map { ObjectIdentifier($0) })
        let gone = withoutRow(plan.entering.filter { refreshed.contains(ObjectIdentifier($0)) })
        plan.entering.removeAll { gone.contains(ObjectIdentifier($0)) }
        return plan
    }

    private func candidates(_ change: TrackedChange, _ query: ResultQuery, _ content: ResultContent)
        -> [NSManagedObject]
    {
        var objects = change.inserted + change.updated + change.refreshed + change.silent
        objects += change.met.filter { content.entry(for: $0) == nil }
        if query.request.predicate != nil {
            // What changed elsewhere and was never met here may match now.
            for id in change.unknown where query.request.includesSubentities || id.layout === query.entity {
                if id.layout.isKind(of: query.entity) { objects.append(context.anyObject(with: id)) }
            }
        }
        return objects.filter { content.entry(for: $0) != nil || query.concerns($0, context) }
    }

    /// Objects whose rows are gone: another context may have deleted them and saved that, though the deletion here was
    /// rolled back.
    private func withoutRow(_ objects: [NSManagedObject]) -> Set<ObjectIdentifier> {
        if let parent = context.parent { return missing(objects, in: parent) }
        var gone: Set<ObjectIdentifier> = []
        for portion in context.portions(of: objects.filter { $0.reference >= 0 }) {
            let rows = try? context.reading(portion.store) {
                try portion.store.fetchRows(
                    references: portion.objects.map(\.reference), entity: portion.root, includesValues: false)
            }
            guard let rows else { continue }
            let found = Set((0..<rows.count).map { rows.reference($0) })
            for object in portion.objects where !found.contains(object.reference) {
                gone.insert(ObjectIdentifier(object))
            }
        }
        return gone
    }

    /// Objects that a parent does not have, or has deleted.
    private func missing(
        _ objects: [NSManagedObject], in parent: NSManagedObjectContext
    ) -> Set<ObjectIdentifier> {
        guard !objects.isEmpty else { return [] }
        let ids = objects.map(\.objectID)
        let isMissing = parent.performAndWait {
            ids.map { id in
                do {
                    return try parent.existingObject(with: id).isDeleted
                } catch {
                    return (error as NSError).code == NSManagedObjectReferentialIntegrityError
                }
            }
        }
        return Set(zip(objects, isMissing).filter(\.1).map { ObjectIdentifier($0.0) })
    }

    private func belongs(_ object: NSManagedObject, _ query: ResultQuery) -> Bool {
        if object.state.isDeleted || !object.state.isDisjoint(with: [.removed, .inaccessible]) { return false }
        // A row that is gone in the meantime.
        if object.state.isFault, object.slab?.hasValues != true, object.reference >= 0, context.parent == nil {
            return false
        }
        return query.matches(object)
    }
}
