import Foundation

/// Saving: into the stores, or into the parent context.
extension NSManagedObjectContext {
    /// What `save` does.
    final func saveChanges() throws {
        checkQueue()
        if let refusal { throw refusal }
        guard !activity.isSaving else { return }
        activity.isSaving = true
        defer {
            activity.isSaving = false
            changeTracker.endSave()
            activity.replacements = []
        }
        try throwMistake()
        try requireReads()
        try requireReadableValues()
        processPendingChanges()
        try checkBeforeSave?(self)
        post(.NSManagedObjectContextWillSave, [:])
        var changes = ContextChanges()
        do {
            try requiringReadableValues {
                try runWillSave()
                changes = changeTracker.collect()
                if !options.isMigrating { try validate(changes) }
            }
        } catch {
            // What was shown in place of what can't be read may be what is found fault with.
            try requireReads()
            throw error
        }
        try requireReads()
        if changes.isEmpty {
            try writeMetadata()
            discard(changes.discarded + changes.missing)
            // In a transaction there is nothing to say before its end, and then others have said it.
            if coordinator?.transactions.current == nil { postDidSave(SavedIdentities(changes), takeSaveTokens()) }
            return
        }
        if let parent {
            try save(changes, into: parent)
        } else {
            try saveToStores(changes)
        }
    }

    /// Calls `willSave` of every changed object, and again where it changed something.
    private func runWillSave() throws {
        var pass = 0
        propagateDeletes()
        var objects = changeTracker.inserted + changeTracker.updated
        objects += changeTracker.deleted.filter { $0.state.isDisjoint(with: [.inserted, .inaccessible]) }
        while !objects.isEmpty {
            for object in objects { object.willSave() }
            if changeTracker.isEventEmpty { return }
            let again = changeTracker.changedInEvent
            processPendingChanges()
            propagateDeletes()
            objects = again.filter { $0.state.hasChanges && !$0.state.contains(.inaccessible) }
            pass += 1
            if pass == 1_000 {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "willSave of \(objects[0].entity.name ?? "an entity") changes objects without end, so they can't be "
                        + "saved.")
            }
        }
    }

    private func validate(_ changes: ContextChanges) throws {
        var failures: [any Error] = []
        func check(_ body: () throws -> Void) {
            do { try body() } catch { failures.append(error) }
        }
        for object in changes.inserted { check(object.validateForInsert) }
        for object in changes.updated { check(object.validateForUpdate) }
        for object in changes.deleted { check(object.validateForDelete) }
        try ValidationFailures.throwIfAny(failures)
    }

    // MARK: Stores

    /// A save without changes still writes metadata that was set.
    private func writeMetadata() throws {
        for store in coordinator?.rowStores ?? [] where !store.isReadOnly {
            if let store = store as? any ObjectStore {
                _ = try store.execute(SavePlan(), objects: PlannedObjects(), in: self)
            } else {
                _ = try store.execute(SavePlan())
            }
        }
    }

    private func saveToStores(_ changes: ContextChanges) throws {
        guard let coordinator, !coordinator.rowStores.isEmpty else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The context\(name.map { " \"\($0)\"" } ?? "") has changes and no persistent store to save them in.")
        }
        var isPartlyWritten = false
        do { try write(changes, &isPartlyWritten) } catch {
            // What one of several stores has already can't be taken back alone.
            if isPartlyWritten, let transaction = coordinator.transactions.current {
                transaction.failure = transaction.failure ?? error
            }
            throw error
        }
    }

    /// Writes, and writes again what conflicts have changed.
    private func write(_ changes: ContextChanges, _ isPartlyWritten: inout Bool) throws {
        var current = changes
        for attempt in 1...Self.conflictAttempts {
            let conflicts = try writeOnce(current, &isPartlyWritten)
            if conflicts.isEmpty { return }
            try requiringReadableValues(isStrict: true) { try settle(conflicts) }
            propagateDeletes()
            current = changeTracker.collect()
            if attempt == Self.conflictAttempts {
                throw CoreDataError.make(
                    NSManagedObjectMergeError, "The merge policy didn't resolve the conflicts of the save.",
                    userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts.map(\.conflict)])
            }
        }
    }

    /// How often a save is repeated after its conflicts were resolved.
    private static var conflictAttempts: Int { 16 }

    /// Tries to write. Returns the conflicts of the first store that has any, having written nothing to it, nor, outside of
    /// a transaction, to another one.
    private func writeOnce(_ changes: ContextChanges, _ isPartlyWritten: inout Bool) throws -> [StoreConflict] {
        let identities = SavedIdentities(changes)
        let parts = try partition(changes)
        for (store, _) in parts { try checkWritable(store) }
        let conflicts =
            try parts.count > 1
            ? writeTogether(parts, changes, &isPartlyWritten) : writeInTurn(parts, changes, &isPartlyWritten)
        guard conflicts.isEmpty else { return conflicts }
        discard(changes.discarded + changes.missing)
        closeSave(changes, identities)
        return []
    }

    /// Writes to one store after the other.
    private func writeInTurn(
        _ parts: [(any RowStore, ContextChanges)], _ changes: ContextChanges, _ isPartlyWritten: inout Bool
    ) throws -> [StoreConflict] {
        for (store, part) in parts {
            var written = WrittenPart(part, SavePlanBuilder(store: store, context: self))
            do {
                try reserveReferences(part.inserted, store)
                let conflicts = try write(&written, changes)
                guard conflicts.isEmpty else { return conflicts }
            } catch {
                throw isPartlyWritten ? incompleteSave(error, store) : error
            }
            finish(&written)
            isPartlyWritten = true
        }
        return []
    }

    /// Writes to several stores, to all of them or to none; again, if a server has broken off the transaction.
    private func writeTogether(
        _ parts: [(any RowStore, ContextChanges)], _ changes: ContextChanges, _ isPartlyWritten: inout Bool
    ) throws -> [StoreConflict] {
        let stores = parts.compactMap { $0.0 as? any TransactionalStore }
        guard let coordinator, coordinator.transactions.current == nil, stores.count == parts.count else {
            return try writeInTurn(parts, changes, &isPartlyWritten)
        }
        // Before the transaction: keys that it reserves would be free again after it fails, and it has its own rows in
        // memory.
        for (store, part) in parts { try reserveReferences(part.inserted, store) }
        for attempt in 1... {
            do { return try writeAtOnce(parts, in: stores, changes) } catch {
                guard attempt < Self.brokenOffAttempts, Self.isBrokenOff(error) else { throw error }
            }
        }
        return []
    }

    /// Whether a server has broken off a transaction of which nothing is committed, so that it can be tried again.
    private static func isBrokenOff(_ error: any Error) -> Bool {
        if let error = error as? any RetryableError { return error.isRetryable }
        guard let error = error as? CocoaError, error.code.rawValue != NSPersistentStoreIncompleteSaveError else {
            return false
        }
        return (error.userInfo[NSUnderlyingErrorKey] as? any RetryableError)?.isRetryable ?? false
    }

    /// How often a save to several stores is tried that a server breaks off.
    private static var brokenOffAttempts: Int { 4 }

    private func writeAtOnce(
        _ parts: [(any RowStore, ContextChanges)], in stores: [any TransactionalStore], _ changes: ContextChanges
    ) throws -> [StoreConflict] {
        var written = parts.map { WrittenPart($0.1, SavePlanBuilder(store: $0.0, context: self)) }
        var conflicts: [StoreConflict] = []
        do {
            // As any save, it waits on a server for rows alone.
            try coordinator?.perform(StoreTransaction(besideOthers: true), in: stores) {
                for index in written.indices {
                    conflicts = try write(&written[index], changes)
                    guard conflicts.isEmpty else { throw FoundConflicts() }
                }
            }
        } catch is FoundConflicts {
            return conflicts
        } catch let error as CocoaError where error.code.rawValue == NSPersistentStoreIncompleteSaveError {
            let committed = error.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore] ?? []
            for index in written.indices where committed.contains(where: { $0 === written[index].builder.store }) {
                finish(&written[index])
            }
            throw error
        }
        for index in written.indices { finish(&written[index]) }
        return []
    }

    /// Writes a part of the changes into its store.
    private func write(_ part: inout WrittenPart, _ changes: ContextChanges) throws -> [StoreConflict] {
        switch try execute(&part.builder, part.changes) {
        case .saved(let derived, let transaction):
            (part.derived, part.transaction) = (derived, transaction)
            return []
        case .conflicts(let rows, let constraints):
            return try conflicts(rows, constraints, part.builder, changes)
        }
    }

    /// Makes what was written what the objects are based on.
    private func finish(_ part: inout WrittenPart) {
        finish(&part.builder, part.changes, part.derived)
        activity.savedTransactions[part.builder.store.identifier ?? ""] = part.transaction
    }

    /// The changes of one store, and what the store has answered to them.
    private struct WrittenPart {
        let changes: ContextChanges
        var builder: SavePlanBuilder
        var derived: [DerivedChange] = []
        var transaction: Int64?

        init(_ changes: ContextChanges, _ builder: SavePlanBuilder) {
            self.changes = changes
            self.builder = builder
        }
    }

    /// Ends a transaction in which one of several stores has found conflicts.
    private struct FoundConflicts: Error {}

    /// Makes the plan and executes it in the store.
    private func execute(_ builder: inout SavePlanBuilder, _ part: ContextChanges) throws -> SaveOutcome {
        guard let store = builder.store as? any ObjectStore else {
            try builder.add(part)
            try requireReads()
            let plan = builder.store.waitsForServer ? builder.planWithRowsAhead() : builder.plan
            return try StoreMonitoring.measure(.save, in: builder.store) { try builder.store.execute(plan) }
        }
        try assignReferences(Array(part.inserted), in: store)
        try builder.add(part)
        try requireReads()
        var objects = PlannedObjects()
        objects.inserts = builder.inserts
        objects.updates = builder.updates
        objects.deletes = builder.deletes
        return try StoreMonitoring.measure(.save, in: store) {
            try store.execute(builder.plan, objects: objects, in: self)
        }
    }

    private func checkWritable(_ store: any RowStore) throws {
        guard store.isReadOnly else { return }
        throw CoreDataError.make(
            CocoaError.Code.fileWriteNoPermission.rawValue,
            "The store \(store.url?.lastPathComponent ?? store.identifier ?? "") is read-only and can't be saved to: "
                + "\(store.readOnlyReason).",
            path: store.url?.path)
    }

    private func incompleteSave(_ error: any Error, _ store: any RowStore) -> CocoaError {
        CoreDataError.make(
            NSPersistentStoreIncompleteSaveError,
            "Some stores were saved, but \(store.url?.lastPathComponent ?? store.identifier ?? "one") wasn't.",
            path: store.url?.path, underlying: error, userInfo: [NSAffectedStoresErrorKey: [store as NSPersistentStore]]
        )
    }

    /// The changes of each store.
    private func partition(_ changes: ContextChanges) throws -> [(any RowStore, ContextChanges)] {
        guard let coordinator else { return [] }
        let stores = coordinator.rowStores
        if stores.count == 1, let only = stores.first {
            if let stranger = changes.inserted.first(where: { !(only.keeps($0.layout)) }) {
                throw noStore(stranger)
            }
            return [(only, changes)]
        }
        var parts: [ObjectIdentifier: ContextChanges] = [:]
        let linked = LinkedStores(self, coordinator)
        try LinkedStores.requireOneStore(for: changes.inserted + changes.updated, linked.store)
        for (store, objects) in try groupedByStore(Array(changes.inserted), linked) {
            parts[ObjectIdentifier(store), default: ContextChanges()].inserted = ContiguousArray(objects)
        }
        for object in changes.updated {
            guard let store = object.table?.store else { continue }
            parts[ObjectIdentifier(store), default: ContextChanges()].updated.append(object)
        }
        for object in changes.deleted {
            guard let store = object.table?.store else { continue }
            parts[ObjectIdentifier(store), default: ContextChanges()].deleted.append(object)
        }
        return stores.compactMap { store in parts[ObjectIdentifier(store)].map { (store, $0) } }
    }

    private func noStore(_ object: NSManagedObject) -> CocoaError {
        CoreDataError.make(
            NSCoreDataError, "None of the coordinator's persistent stores has the entity \(object.layout.name).",
            userInfo: [NSAffectedObjectsErrorKey: [object]])
    }

    /// New objects by the store that they go to.
    final func groupedByStore(_ objects: [NSManagedObject], _ linked: LinkedStores) throws
        -> [(any RowStore, [NSManagedObject])]
    {
        var groups: [ObjectIdentifier: (store: any RowStore, objects: [NSManagedObject])] = [:]
        for object in objects {
            let store = try linked.store(of: object)
            groups[ObjectIdentifier(store), default: (store, [])].objects.append(object)
        }
        return groups.values.map { ($0.store, $0.objects) }
    }

    /// Reserves permanent numbers for new objects, without giving them to the objects yet.
    private func reserveReferences(_ objects: ContiguousArray<NSManagedObject>, _ store: any RowStore) throws {
        if let store = store as? any ObjectStore { return try reserveReferences(objects, inObjectStore: store) }
        var waiting = [ContiguousArray<NSManagedObject>](repeating: [], count: layout?.entities.count ?? 0)
        for object in objects where object.reference < 0 && object.extras?.pendingReference == 0 {
            waiting[object.layout.root.index].append(object)
        }
        for group in waiting where !group.isEmpty {
            let first = try store.allocateReferences(count: group.count, root: group[0].layout.root)
            for (index, object) in group.enumerated() {
                object.extras?.pendingReference = first + Int64(index)
            }
        }
    }

    private func reserveReferences(
        _ objects: ContiguousArray<NSManagedObject>, inObjectStore store: any ObjectStore
    ) throws {
        let waiting = objects.filter { $0.reference < 0 && $0.extras?.pendingReference == 0 }
        guard !waiting.isEmpty else { return }
        for (object, reference) in zip(waiting, try store.references(for: Array(waiting))) {
            object.extras?.pendingReference = reference
        }
    }

    /// Gives new objects permanent identities in a store.
    final func assignReferences(_ objects: [NSManagedObject], in store: any RowStore) throws {
        try reserveReferences(ContiguousArray(objects), store)
        for object in objects {
            guard let reference = object.extras?.pendingReference, reference > 0 else { continue }
            object.extras?.pendingReference = 0
            rekey(object, reference: reference, store: store)
        }
    }
}

extension RowStore {
    /// Whether the store's configuration has the entity.
    func keeps(_ entity: EntityLayout) -> Bool {
        persistentStoreCoordinator?.rowStores(for: entity).contains { $0 === self } ?? true
    }
}

/// Who was saved, recorded before the save changes their states.
struct SavedIdentities {
    let inserted: ContiguousArray<NSManagedObject>
    let updated: ContiguousArray<NSManagedObject>
    let deleted: ContiguousArray<NSManagedObject>

    init(_ changes: ContextChanges) {
        inserted = changes.inserted
        updated = changes.updated
        deleted = changes.deleted
    }
}

/// What a context does once its changes are written.
extension NSManagedObjectContext {
    /// Makes the saved values what the objects are based on.
    final func finish(_ builder: inout SavePlanBuilder, _ part: ContextChanges, _ derived: [DerivedChange]) {
        let (inserts, updates) = (builder.inserts, builder.updates)
        let ahead = builder.ahead?.rows
        var rows = ahead ?? SavedRows(derived: derived, expectedCount: inserts.count + updates.count)
        for (index, object) in inserts.enumerated() {
            let reference = builder.plan.inserts[index].reference
            if ahead == nil { rows.add(object, inserted: builder.takeInsert(index)) }
            object.extras?.pendingReference = 0
            guard object.reference < 0 else { continue }
            rekey(object, reference: reference, store: builder.store)
            if let ahead { object.cachedID = ahead.identifiers[index] }
        }
        if let ahead = builder.ahead, ahead.rows != nil {
            changeTracker.recordIdentifiers(ahead.identifiers, of: inserts)
        }
        if ahead == nil { for object in updates { rows.add(updated: object) } }
        for object in rows.unread {
            object.setRow(nil, 0)
            builder.store.rowCache.forget(reference: object.reference, root: object.layout.root)
        }
        let slabs = rows.slabs
        slabs.adopt(in: builder.store, since: builder.moment)
        for object in part.updated where object.state.contains(.updated) { object.commitEdits() }
        for object in part.deleted {
            builder.store.rowCache.forget(reference: object.reference, root: object.layout.root)
            leave(object)
        }
        for change in derived {
            builder.store.rowCache.forgetIfOlder(change, than: slabs)
        }
    }

    /// Takes an object out of the context: deleted, or never saved.
    final func leave(_ object: NSManagedObject) {
        leaveRegistry(object)
        ChangeTracker.leave(object)
    }

    final func leaveRegistry(_ object: NSManagedObject) {
        object.table?.unregister(object)
        _ = object.objectID
        object.table = nil
    }

    /// Forgets objects that were inserted and deleted without a save.
    final func discard(_ objects: ContiguousArray<NSManagedObject>) {
        for object in objects { leave(object) }
        if !objects.isEmpty { changeTracker.compact() }
    }

    /// Ends a save that wrote everything: states, hooks, notifications, the other contexts.
    final func closeSave(_ changes: ContextChanges, _ identities: SavedIdentities) {
        source.cohorts.removeAll()
        // Rows may have been found missing while the save went on.
        for object in changeTracker.deleted where object.state.contains(.inaccessible) { leave(object) }
        changeTracker.compact()
        for object in identities.inserted { object.didSave() }
        for object in identities.updated { object.didSave() }
        for object in identities.deleted { object.didSave() }
        let tokens = takeSaveTokens()
        if let transaction = coordinator?.transactions.current {
            notifyTrackers(of: identities)
            let made = StoreTransaction.Changes(
                inserted: identifiers(identities.inserted), updated: identifiers(identities.updated),
                deleted: identifiers(identities.deleted), replaced: tokens.replaced)
            return transaction.record(made, by: self) { [self] in
                postDidSave(identities, tokens)
                notifyOthers(identities)
            }
        }
        postDidSave(identities, tokens)
        notifyTrackers(of: identities)
        notifyOthers(identities)
        // What can be undone needs the links of deleted objects.
        if undoRecorder == nil { for object in identities.deleted { object.releaseRemovedDestinations() } }
    }

    private func notifyTrackers(of saved: SavedIdentities) {
        observers.notifyOfSave(inserted: saved.inserted, updated: saved.updated, deleted: saved.deleted)
    }

    final func postDidSave(_ saved: SavedIdentities, _ tokens: SaveTokens) {
        post(
            .NSManagedObjectContextDidSave,
            ChangeInfo.objects(
                inserted: changeTracker.announced.set(of: saved.inserted),
                updated: changeTracker.announced.set(of: saved.updated),
                deleted: changeTracker.announced.set(of: saved.deleted), tokens: tokens))
        var info = ChangeInfo.identifiers(
            inserted: identifiers(saved.inserted), updated: identifiers(saved.updated),
            deleted: identifiers(saved.deleted), tokens: tokens)
        if !tokens.replaced.isEmpty { info[ChangeInfo.replacedKey] = tokens.replaced }
        post(.NSManagedObjectContextDidSaveObjectIDs, info)
    }

    private func identifiers(_ objects: ContiguousArray<NSManagedObject>) -> Set<NSManagedObjectID> {
        if let known = changeTracker.announced.identifiers(of: objects) { return known }
        var identifiers = Set<NSManagedObjectID>(capacityForMany: objects.count)
        for object in objects { identifiers.insert(object.objectID) }
        return identifiers
    }

    /// The contexts that merge automatically what this one saves.
    package final var followers: [NSManagedObjectContext] {
        ((coordinator?.contexts.all ?? []).filter { $0 !== self } + observers.children.all).filter(
            \.mergesAutomatically)
    }

    /// A context without a queue has none on which it could merge while its user works with it.
    final var mergesAutomatically: Bool {
        automaticallyMergesChangesFromParent && concurrencyType != .confinementConcurrencyType
    }

    /// Hands the change to the contexts that merge automatically.
    private func notifyOthers(_ saved: SavedIdentities) {
        var made: RemoteChange?
        func change() -> RemoteChange {
            let change =
                made
                ?? RemoteChange(
                    inserted: saved.inserted.map(\.objectID), updated: saved.updated.map(\.objectID),
                    deleted: saved.deleted.map(\.objectID))
            made = change
            return change
        }
        coordinator?.contexts.deliver(from: self, change)
        observers.children.deliver(from: self, change)
    }
}

extension NSManagedObject {
    /// Makes edits part of what was saved; transient values stay.
    final func commitEdits() {
        ChangeTracker.commit(self)
        guard let extras else { return }
        extras.detectsConflicts = false
        if !extras.values.isEmpty {
            for info in layout.hasTransientSlots ? layout.slotInfos : layout.keptSlots {
                // Moved out, because retaining and releasing a destination would wait for its memory twice.
                let value = info.isTransient ? extras.values[info.index] : extras.values[info.index].take()
                switch value {
                case .object(let destination) where info.relationship >= 0:
                    setRelationshipCache(info.relationship, destination)
                case .transformed(let box) where !info.isTransient: extras.decoded[info.index] = box.value
                default: break
                }
            }
            if !layout.hasTransientSlots || extras.values.allSatisfy({ $0 == nil }) { extras.values = [] }
            markRowWord()
        }
        if !extras.relationships.isEmpty {
            for index in layout.storedToManys {
                guard let state = extras.relationships[index] else { continue }
                unsafeDowncast(state, to: ToManyState.self).commit()
            }
        }
        if !extras.eventValues.isEmpty { extras.eventValues = [:] }
    }
}
