import Foundation

/// Inserting, deleting and looking up objects.
extension NSManagedObjectContext {
    /// The entities of the objects that the context has looked for since it was made, and the other entities of the same
    /// trees.
    package final var visitedEntities: [NSEntityDescription] {
        let roots = registry.roots
        return (layout?.entities ?? []).filter { roots.contains($0.rootIndex) }.map(\.entity)
    }

    /// What `insert` does.
    final func insertObject(_ object: NSManagedObject) {
        checkQueue()
        guard object.table?.registry !== registry else {
            if object.state.isDeleted { takeBackDeletion(of: object) }
            return
        }
        programmerError(
            unless:
                object.table == nil, "\(object.objectID) is in another context and can't be inserted into this one.")
        guard !object.layout.isNameless else { return recordInsertionWithoutEntity(object) }
        if let layout, object.layout.model !== layout { adoptModel(object, layout) }
        guard !object.state.contains(.removed) else { return insertRemoved(object) }
        object.extras?.model = nil
        let table = givesPermanentIDsAtOnce ? takePermanentNumber(object) : nil
        object.table = table ?? registry.temporary
        object.table?.register(object)
        markInserted(object)
        if givesPermanentIDsAtOnce, table == nil { givePermanentIDAtOnce(object) }
        if retained.isOn { retained.append(object) }
        object.awakeFromInsert()
    }

    final func markInserted(_ object: NSManagedObject, isReturn: Bool = false) {
        changeTracker.insert(object)
        undoRecorder?.didInsert(object, isReturn: isReturn)
        schedulePass()
    }

    /// What `delete` does.
    final func deleteObject(_ object: NSManagedObject) {
        checkQueue()
        guard object.table?.registry === registry else { return recordForeignDeletion(object) }
        object.prepareForDeletion()
        // It may have deleted the object, or rolled the context back.
        guard object.table?.registry === registry, !object.state.contains(.deleted) else { return }
        markDeleted(object)
    }

    final func markDeleted(_ object: NSManagedObject, isWithdrawal: Bool = false) {
        changeTracker.delete(object, isWithdrawal: isWithdrawal)
        undoRecorder?.didDelete(object, isWithdrawal: isWithdrawal)
        schedulePass()
    }

    /// What `registeredObject` does.
    @inline(__always)
    final func knownObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        checkQueueClosely()
        return recentObject(objectID) ?? registeredObject(objectID)
    }

    /// The registered object with an identifier of the entity and store that were asked for last. `nil` says nothing.
    @inline(__always)
    private func recentObject(_ objectID: NSManagedObjectID) -> NSManagedObject? {
        // The context keeps its registry, so no reference is needed here.
        Unmanaged.passUnretained(registry)._withUnsafeGuaranteedRef { $0.recentObject(for: objectID) }
    }

    final func registeredObject(_ objectID: NSManagedObjectID) -> NSManagedObject? {
        if objectClasses.materializers.isBusy { registerObjectsInMaking() }
        if parent != nil { adoptPermanentIdentities() }
        if let table = registry.knownTable(for: objectID) { return table.object(for: objectID.reference) }
        guard let local = localized(objectID) else { return nil }
        return registry.table(for: local)?.object(for: local.reference)
    }

    /// What `object` does.
    @inline(__always)
    final func anyObject(with objectID: NSManagedObjectID) -> NSManagedObject {
        checkQueueClosely()
        return recentObject(objectID) ?? unregisteredObject(with: objectID)
    }

    @inline(never)
    private func unregisteredObject(with objectID: NSManagedObjectID) -> NSManagedObject {
        checkQueue()
        // The object may be known by its temporary identifier here, and by this one where that was saved.
        if parent != nil {
            // Or the other way round: the identifier is from a time before the parent's object was saved.
            let reference = objectID.reference
            if reference < 0, identities.byReference[reference] == nil, registry.temporary.object(for: reference) == nil
            {
                borrow(reference)
            }
            adoptPermanentIdentities()
        }
        if let table = registry.knownTable(for: objectID) {
            return object(reference: objectID.reference, layout: objectID.layout, table: table)
        }
        let local = localized(objectID) ?? objectID
        let table = registry.table(for: local) ?? registry.temporary
        return object(reference: local.reference, layout: local.layout, table: table)
    }

    /// What `existingObject` does.
    final func realizedObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        checkQueue()
        if let known = recentObject(objectID) ?? registeredObject(objectID), !known.state.isFault,
            !known.state.contains(.inaccessible)
        {
            try requireSoundRow(of: known)
            return known
        }
        guard let local = localized(objectID), let table = registry.table(for: local) else {
            throw missingObject(objectID)
        }
        let object = object(reference: local.reference, layout: local.layout, table: table)
        if object.state.contains(.inaccessible) { throw missingObject(objectID) }
        if object.state.isFault {
            try fill([object])
            guard object.slab?.hasValues == true else { throw missingObject(objectID) }
            try requireSoundRow(of: object)
            object.fireFault()
        }
        return object
    }

    final func missingObject(_ id: NSManagedObjectID) -> CocoaError {
        CoreDataError.make(
            NSManagedObjectReferentialIntegrityError, "There is no object \(id.uriRepresentation().absoluteString).",
            userInfo: [NSAffectedObjectsErrorKey: [id]])
    }

    /// The identifier with this context's store and model; an identifier of another coordinator may name the same file.
    final func localized(_ id: NSManagedObjectID) -> NSManagedObjectID? {
        guard let layout else { return nil }
        if parent != nil { adoptPermanentIdentities() }
        if id.isTemporaryID {
            guard id.layout.model === layout else { return nil }
            guard let identity = identities.byReference[id.reference] else { return savedID(id) }
            return NSManagedObjectID(layout: id.layout, reference: identity.reference, store: identity.store)
        }
        if let store = id.persistentStore, id.layout.model === layout,
            persistentStoreCoordinator?.rowStores.contains(where: { $0 === store }) == true
        {
            return id
        }
        guard let entity = layout[id.layout.name],
            let store = persistentStoreCoordinator?.rowStores.first(where: { $0.identifier == id.storeIdentifier })
        else { return nil }
        return NSManagedObjectID(layout: entity, reference: id.reference, store: store)
    }

    /// The object for a to-one's target, looked for in the store of the object that points to it.
    final func object(for target: ObjectReference, near source: NSManagedObject) -> NSManagedObject? {
        guard let layout, Int(target.entityIndex) < layout.entities.count else { return nil }
        let entity = layout.entities[Int(target.entityIndex)]
        guard target.reference >= 0 else {
            if parent != nil, identities.byReference[target.reference] == nil {
                // A row may have the reference of a time before the parent's object was saved.
                borrow(target.reference)
                adoptPermanentIdentities()
            }
            if let identity = identities.byReference[target.reference] {
                let table = registry.table(store: identity.store, root: entity.root)
                return object(reference: identity.reference, layout: entity, table: table)
            }
            return object(reference: target.reference, layout: entity, table: registry.temporary)
        }
        guard let store = source.table?.store ?? persistentStoreCoordinator?.rowStores.first else { return nil }
        return object(
            reference: target.reference, layout: entity, table: registry.table(store: store, root: entity.root))
    }

    /// The registered object, or a new fault.
    final func object(reference: Int64, layout: EntityLayout, table: RegistryTable) -> NSManagedObject {
        knownObject(reference, table) ?? make(reference, layout, table, slab: nil, row: 0)
    }

    /// The registered object with a reference.
    final func knownObject(_ reference: Int64, _ table: RegistryTable) -> NSManagedObject? {
        if let known = table.object(for: reference) { return known }
        guard objectClasses.materializers.isBusy else { return nil }
        // Asked for by an initializer of an object that may be among those that are being made.
        registerObjectsInMaking()
        return table.object(for: reference)
    }

    /// Makes and registers an object for a row, or without one.
    final func make(
        _ reference: Int64, _ layout: EntityLayout, _ table: RegistryTable, slab: RowSlab?, row: Int
    ) -> NSManagedObject {
        let materializer = objectClasses.materializers.begin()
        let made = materializer.object(
            type: objectClass(of: layout), layout: layout, table: table, reference: reference, slab: slab, row: row)
        table.register(made)
        materializer.letGo()
        objectClasses.materializers.end()
        if retained.isOn { retained.append(made) }
        return made
    }

    /// Has an initializer that looks objects up find those that are being made with its own.
    final func registerObjectsInMaking() {
        for materializer in objectClasses.materializers.busy {
            if let rows = materializer.rows {
                rows.register(before: materializer.row)
                materializer.wasInterrupted = true
            }
            materializer.latest?._withUnsafeGuaranteedRef { $0.table?.put($0) }
        }
    }

    /// The objects for the rows of a slab, in order.
    final func objects(for slab: RowSlab, store: NSPersistentStore) -> [NSManagedObject] {
        found(for: [slab], store: store).objects
    }

    /// The objects for the rows of some slabs, in order, and whether any of them was registered before.
    final func found(for slabs: [RowSlab], store: NSPersistentStore) -> (objects: [NSManagedObject], hasKnown: Bool) {
        var hasKnown = false
        let rowCount = slabs.reduce(0) { $0 + $1.count }
        // All threads share one empty array, which must not be written to.
        if rowCount == 0 { return ([], false) }
        let objects = [NSManagedObject](unsafeUninitializedCapacity: rowCount) { buffer, count in
            for slab in slabs {
                let part = UnsafeMutableBufferPointer(rebasing: buffer[count..<count + slab.count])
                if fill(part, from: slab, rows: 0..<slab.count, store: store) { hasKnown = true }
                count += slab.count
            }
        }
        if retained.isOn { retained.append(contentsOf: objects) }
        return (objects, hasKnown)
    }

    /// The objects for some rows of a slab, in order.
    final func objects(for slab: RowSlab, rows: Range<Int>, store: NSPersistentStore)
        -> ContiguousArray<NSManagedObject>
    {
        if rows.isEmpty { return [] }
        let objects = ContiguousArray<NSManagedObject>(unsafeUninitializedCapacity: rows.count) { buffer, count in
            _ = fill(buffer, from: slab, rows: rows, store: store)
            count = rows.count
        }
        if retained.isOn { retained.append(contentsOf: objects) }
        return objects
    }

    private func fill(
        _ buffer: UnsafeMutableBufferPointer<NSManagedObject>, from slab: RowSlab, rows: Range<Int>,
        store: NSPersistentStore
    ) -> Bool {
        guard !rows.isEmpty else { return false }
        if objectClasses.materializers.isBusy { registerObjectsInMaking() }
        let materializer = objectClasses.materializers.begin()
        defer {
            materializer.letGo()
            objectClasses.materializers.end()
        }
        let entities = slab.entity.model.entities
        let table = registry.table(store: store, root: slab.entity.root)
        var lastLayout = slab.entity
        var lastClass: NSManagedObject.Type = objectClass(of: lastLayout)
        return table.fill(buffer, from: slab, rows: rows, with: materializer) { row in
            let index = slab.entityIndex(row)
            if index != lastLayout.index {
                lastLayout = entities[index]
                lastClass = objectClass(of: lastLayout)
            }
            return materializer.object(
                type: lastClass, layout: lastLayout, table: table, reference: slab.reference(row), slab: slab, row: row)
        }
    }

    /// What `obtainPermanentIDs` does.
    final func givePermanentIDs(for objects: [NSManagedObject]) throws {
        checkQueue()
        adoptPermanentIdentities()
        let temporary = objects.filter { $0.reference < 0 && $0.table?.registry === registry }
        guard !temporary.isEmpty else { return }
        if let parent {
            let ids = temporary.map(\.objectID)
            let linked = persistentStoreCoordinator.map { LinkedStores(self, $0) }
            let stores = temporary.map { identities.assignedStores[$0.reference] ?? linked?.linkedStore(of: $0) }
            let permanent = try parent.performAndWait {
                let originals = ids.map { parent.anyObject(with: $0) }
                for case (let original, let store?) in zip(originals, stores) where original.reference < 0 {
                    parent.identities.assignedStores[original.reference] = store
                }
                for original in originals { _ = original.ensureExtras() }
                try parent.obtainPermanentIDs(for: originals)
                return originals.map(\.objectID)
            }
            for (object, id) in zip(temporary, permanent) where !id.isTemporaryID && object.reference < 0 {
                guard let store = id.persistentStore else { continue }
                rekey(object, reference: id.reference, store: store)
            }
            return
        }
        guard let coordinator = persistentStoreCoordinator else { return }
        for (store, objects) in try groupedByStore(temporary, LinkedStores(self, coordinator)) {
            try assignReferences(objects, in: store)
        }
    }

    /// Gives an object that isn't registered yet the identifier that it is going to be saved with.
    ///
    /// - Returns: The table that the object belongs to then; `nil` where the number isn't known yet.
    private func takePermanentNumber(_ object: NSManagedObject) -> RegistryTable? {
        guard object.reference < 0, let store = persistentStoreCoordinator?.numberingStore(for: object.layout),
            !store.isReadOnly,
            let reference = try? store.allocateReferences(count: 1, root: object.layout.root)
        else { return nil }
        give(object, reference: reference, in: store)
        return registry.table(store: store, root: object.layout.root)
    }

    /// Gives an object that no table has its permanent identity in place of its temporary one.
    private func give(_ object: NSManagedObject, reference: Int64, in store: NSPersistentStore) {
        let temporary = object.reference
        recordPermanentIdentity(temporary, reference: reference, store: store)
        if !identities.assignedStores.isEmpty { identities.assignedStores[temporary] = nil }
        object.reference = reference
        guard object.cachedID != nil else { return }
        object.cachedID = nil
        recordHandedOut(temporary, object, in: store)
    }

    /// Gives a new object the identifier that it is going to be saved with, in a store that has to see the object first.
    private func givePermanentIDAtOnce(_ object: NSManagedObject) {
        guard let stores = persistentStoreCoordinator?.rowStores(for: object.layout), let store = stores.onlyElement,
            !store.isReadOnly, (store as? any ObjectStore)?.namesObjectsByContent != true
        else { return }
        try? assignReferences([object], in: store)
    }

    /// What `assign` does.
    final func assignObject(_ object: Any, to store: NSPersistentStore) {
        guard let object = object as? NSManagedObject, object.reference < 0 else { return }
        identities.assignedStores[object.reference] = store
    }

    /// Registers an object under its permanent identity.
    final func rekey(_ object: NSManagedObject, reference: Int64, store: NSPersistentStore) {
        let table = registry.table(store: store, root: object.layout.root)
        object.table?.unregister(object)
        identities.giveBack(object.reference)
        give(object, reference: reference, in: store)
        object.table = table
        table.register(object)
    }

    // MARK: Sets

    /// What `registeredObjects` does.
    final var allRegistered: Set<NSManagedObject> {
        checkQueue()
        if objectClasses.materializers.isBusy { registerObjectsInMaking() }
        return Set(registry.objects())
    }

    /// What `insertedObjects` does.
    final var allInserted: Set<NSManagedObject> {
        checkQueue()
        return Set(changeTracker.inserted)
    }

    /// What `updatedObjects` does.
    final var allUpdated: Set<NSManagedObject> {
        checkQueue()
        return Set(changeTracker.updated)
    }

    /// What `deletedObjects` does.
    final var allDeleted: Set<NSManagedObject> {
        checkQueue()
        return Set(changeTracker.deleted.lazy.filter { !($0.state.contains(.inserted) && $0.reference < 0) })
    }

    /// What `hasChanges` does.
    final var hasUnsavedChanges: Bool {
        checkQueue()
        return changeTracker.hasChanges
    }
}

extension NSEntityDescription {
    /// What `entity(forEntityName:in:)` does.
    static func entityOfContext(forEntityName entityName: String, in context: NSManagedObjectContext)
        -> NSEntityDescription?
    {
        context.layout?[entityName]?.entity
    }

    /// What `insertNewObject(forEntityName:into:)` does.
    static func newObject(forEntityName entityName: String, into context: NSManagedObjectContext)
        -> NSManagedObject
    {
        guard let layout = context.layout?[entityName] else {
            programmerError("The context's model has no entity named '\(entityName)'.")
        }
        var type = context.objectClass(of: layout)
        if type == NSManagedObject.self, ManagedObjectClass.isNamed(by: layout) {
            ManagedObjectClass.noticeImages()
            type = context.objectClass(of: layout)
        }
        return type.init(entity: layout.entity, insertInto: context)
    }
}
