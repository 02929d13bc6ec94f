import Foundation

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
        if let ahead = builder.ahead, ahead.rows != nil { announced.record(ahead.identifiers, of: inserts) }
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
        object.table?.unregister(object)
        _ = object.objectID
        object.table = nil
        object.state.subtract([.inserted, .updated, .deleted, .propagated, .withdrawn, .deletedElsewhere])
        object.state.subtract([.listedInserted, .listedUpdated, .listedDeleted])
        object.state.insert(.removed)
    }

    /// Forgets objects that were inserted and deleted without a save.
    final func discard(_ objects: ContiguousArray<NSManagedObject>) {
        for object in objects { leave(object) }
        if !objects.isEmpty { compactLists() }
    }

    /// Drops objects from the lists that have nothing to save any longer.
    final func compactLists() {
        func compact(_ list: inout ContiguousArray<NSManagedObject>, _ bit: ObjectState, _ listed: ObjectState) {
            list.removeAll { object in
                if object.state.contains(bit) { return false }
                object.state.remove(listed)
                return true
            }
        }
        compact(&insertedList, .inserted, .listedInserted)
        compact(&updatedList, .updated, .listedUpdated)
        compact(&deletedList, .deleted, .listedDeleted)
    }

    /// Ends a save that wrote everything: states, hooks, notifications, the other contexts.
    final func closeSave(_ changes: ContextChanges, _ identities: SavedIdentities) {
        cohorts.removeAll()
        // Rows may have been found missing while the save went on.
        for object in deletedList.filter({ $0.state.isSuperset(of: [.deleted, .inaccessible]) }) { leave(object) }
        compactLists()
        for object in identities.inserted { object.didSave() }
        for object in identities.updated { object.didSave() }
        for object in identities.deleted { object.didSave() }
        let tokens = takeSaveTokens()
        if let transaction = coordinator?.transactions.current {
            notifyTrackers(saved: identities)
            var made = StoreTransaction.Changes()
            made.add(
                inserted: identities.inserted.map(\.objectID), updated: identities.updated.map(\.objectID),
                deleted: identities.deleted.map(\.objectID))
            made.replaced = tokens.replaced
            return transaction.record(made, by: self) { [self] in
                postDidSave(identities, tokens)
                notifyOthers(identities)
            }
        }
        postDidSave(identities, tokens)
        notifyTrackers(saved: identities)
        notifyOthers(identities)
        // What can be undone needs the links of deleted objects.
        if undoRecorder == nil { for object in identities.deleted { object.releaseRemovedDestinations() } }
    }

    final func postDidSave(_ saved: SavedIdentities, _ tokens: SaveTokens) {
        post(
            .NSManagedObjectContextDidSave,
            ChangeInfo.objects(
                inserted: announced.set(of: saved.inserted), updated: announced.set(of: saved.updated),
                deleted: announced.set(of: saved.deleted), tokens: tokens))
        var info = ChangeInfo.identifiers(
            inserted: identifiers(saved.inserted), updated: identifiers(saved.updated),
            deleted: identifiers(saved.deleted), tokens: tokens)
        if !tokens.replaced.isEmpty { info[ChangeInfo.replacedKey] = tokens.replaced }
        post(.NSManagedObjectContextDidSaveObjectIDs, info)
    }

    private func identifiers(_ objects: ContiguousArray<NSManagedObject>) -> Set<NSManagedObjectID> {
        if let known = announced.identifiers(of: objects) { return known }
        var identifiers = Set<NSManagedObjectID>(capacityForMany: objects.count)
        for object in objects { identifiers.insert(object.objectID) }
        return identifiers
    }

    /// The contexts that merge automatically what this one saves.
    package final var followers: [NSManagedObjectContext] {
        ((coordinator?.contexts.all ?? []).filter { $0 !== self } + children.all).filter(\.mergesAutomatically)
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
        children.deliver(from: self, change)
    }
}

extension NSManagedObject {
    /// Makes edits part of what was saved; transient values stay.
    final func commitEdits() {
        state.subtract([.inserted, .updated, .listedInserted, .listedUpdated])
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

/// The rows that a save wrote, one slab for each tree of entities.
struct SavedSlabs {
    private struct Position {
        let object: NSManagedObject
        let slab: RowSlab
        let row: Int
    }

    /// By the index of the root entity.
    private var slabs: ContiguousArray<RowSlab?> = []
    /// The same for rows whose values in files of their own stay there.
    private var slabsWithFiles: [Int: RowSlab] = [:]
    private var latest: RowSlab?
    private var positions: ContiguousArray<Position> = []
    private var derived: [Key: [DerivedChange]] = [:]
    /// Of rows that don't just count their changes.
    private var versions: [Key: Int64] = [:]
    private(set) var written: Set<Key> = []

    struct Key: Hashable {
        let root: Int
        let reference: Int64
    }

    init(derived changes: [DerivedChange], expectedCount: Int) {
        positions.reserveCapacity(expectedCount)
        for change in changes {
            let key = Key(root: change.entity.root.index, reference: change.reference)
            if change.slot == DerivedChange.versionSlot, case .integer(let version) = change.value {
                versions[key] = version
                continue
            }
            derived[key, default: []].append(change)
        }
    }

    mutating func append(
        _ object: NSManagedObject, reference: Int64, version: Int64, values: ContiguousArray<PropertyValue>
    ) {
        append(object, reference: reference, version: version, values: values, to: slab(for: object.layout.root))
    }

    private mutating func append(
        _ object: NSManagedObject, reference: Int64, version: Int64, values: ContiguousArray<PropertyValue>,
        to slab: RowSlab
    ) {
        var values = values
        override(&values, object, reference)
        let version = versions[Key(root: object.layout.root.index, reference: reference)] ?? version
        slab.append(reference: reference, entity: object.layout, version: version, values: values)
        slab.adoptDamage(of: object)
        positions.append(Position(object: object, slab: slab, row: slab.count - 1))
    }

    /// Appends the present values of an object.
    mutating func append(_ object: NSManagedObject, reference: Int64, version: Int64) {
        if let files = object.slab?.externalData, object.layout.hasExternalSlots {
            append(
                object, reference: reference, version: version, values: object.columnValues,
                to: slabWithFiles(for: object.layout.root, files))
            return
        }
        if derived.isEmpty, versions.isEmpty {
            let slab = slab(for: object.layout.root)
            slab.append(object, reference: reference, version: version)
            positions.append(Position(object: object, slab: slab, row: slab.count - 1))
            return
        }
        var values = ContiguousArray<PropertyValue>(repeating: .null, count: object.layout.slotCount)
        for case let slot? in object.layout.slots where !slot.isTransient {
            values[slot.index] = object.savedValue(slot)
        }
        append(object, reference: reference, version: version, values: values)
    }

    private mutating func override(
        _ values: inout ContiguousArray<PropertyValue>, _ object: NSManagedObject, _ reference: Int64
    ) {
        guard !derived.isEmpty else { return }
        let key = Key(root: object.layout.root.index, reference: reference)
        written.insert(key)
        for change in derived[key] ?? [] where change.slot < values.count { values[change.slot] = change.value }
    }

    private mutating func slab(for root: EntityLayout) -> RowSlab {
        if let latest, latest.entity === root { return latest }
        while slabs.count <= root.index { slabs.append(nil) }
        let slab = slabs[root.index] ?? RowSlab(entity: root)
        slabs[root.index] = slab
        latest = slab
        return slab
    }

    private mutating func slabWithFiles(for root: EntityLayout, _ files: ExternalData) -> RowSlab {
        if let slab = slabsWithFiles[root.index] { return slab }
        let slab = RowSlab(entity: root)
        slab.externalData = files
        slabsWithFiles[root.index] = slab
        return slab
    }

    /// Lets the objects read from the new rows, which become the newest, in place of their edits.
    ///
    /// - Parameter moment: From before they were saved.
    func adopt(in store: any RowStore, since moment: RowCache.Moment) {
        for slab in slabs.compactMap({ $0 }) + slabsWithFiles.values {
            store.rowCache.register(slab, since: moment)
            store.rowCache.recordSaved(slab)
        }
        for position in positions {
            position.object.adopt(position.slab, row: position.row)
            position.object.commitEdits()
        }
    }
}

extension NSManagedObject {
    /// The present value of a slot in the form that rows have, objects by the numbers that they have or will have.
    fileprivate final func savedValue(_ slot: SlotLayout) -> PropertyValue {
        // What is damaged stays as it is in the store.
        if !hasEdit(slot.index), let slab, slab.isDamaged(Int(row), slot.index) {
            return slab.soundPart(Int(row), slot)
        }
        return (try? SavePlanBuilder.stored(currentValue(slot.index), slot)) ?? .null
    }

    /// The present values in the form of the row, which has the names of files in place of the values in them: none is
    /// read.
    fileprivate final var columnValues: ContiguousArray<PropertyValue> {
        var values = ContiguousArray<PropertyValue>(repeating: .null, count: layout.slotCount)
        for case let slot? in layout.slots where !slot.isTransient {
            guard slot.isExternal else {
                values[slot.index] = savedValue(slot)
                continue
            }
            if let edit = edit(slot.index) {
                if case .data(let data) = edit { values[slot.index] = .data(ExternalData.column(for: data)) }
            } else if let slab, !slab.isNull(Int(row), slot.index) {
                values[slot.index] = .data(slab.data(Int(row), slot.index))
            }
        }
        return values
    }
}

extension RowSlab {
    /// Appends the present values of an object. What was not edited goes from row to row without becoming a value
    /// between.
    fileprivate func append(_ object: NSManagedObject, reference: Int64, version: Int64) {
        appendRow(reference: reference, entityIndex: object.layout.index, version: version)
        // Values that are kept in files stand in a fetched row as the names of these.
        let isPlain = object.slab?.externalData == nil
        for info in object.layout.slotInfos where !info.isTransient {
            if let row = object.rowValues, isPlain || info.kind != .data, !object.hasEdit(info.index) {
                copy(info, from: row)
            } else if let slot = object.layout.slots[info.index] {
                set(slot, object.savedValue(slot))
            }
        }
        adoptDamage(of: object)
    }

    /// Notes for the current row what is damaged in that of an object, and wasn't replaced.
    fileprivate func adoptDamage(of object: NSManagedObject) {
        guard let slab = object.slab, slab.damage != nil else { return }
        adoptDamage(of: Int(object.row), in: slab) { object.hasEdit($0) }
    }

    private func copy(_ info: SlotInfo, from row: RowPointer) {
        guard !row.isNull(info.index) else { return }
        switch info.kind {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .date:
            setInteger(info.index, row.integer(info.index))
        case .toOne:
            setInteger(info.index, row.integer(info.index))
            if info.entitySlot >= 0, !row.isNull(info.entitySlot) {
                setInteger(info.entitySlot, row.integer(info.entitySlot))
            }
        case .string, .data, .uuid, .uri, .decimal, .transformable, .objectID, .composite, .undefined:
            setBytes(info.index, UnsafeRawBufferPointer(row.bytes(info.index)))
        }
    }
}

extension RowCache {
    /// A row that a trigger changed and the save itself did not write is out of date.
    func forgetIfOlder(_ change: DerivedChange, than saved: SavedSlabs) {
        let key = SavedSlabs.Key(root: change.entity.root.index, reference: change.reference)
        if !saved.written.contains(key) { forget(reference: change.reference, root: change.entity.root) }
    }
}
