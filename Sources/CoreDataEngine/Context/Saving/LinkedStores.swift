import Foundation

/// The stores of new objects that none was chosen for. What is linked has to be in one store: a new object goes where
/// those are that it is linked to, directly or by way of other new objects.
struct LinkedStores {
    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    /// New objects without a store, and the sets of those that are linked with each other.
    private var groups: [ObjectIdentifier: Group] = [:]

    private final class Group {
        var parent: Group?
        /// The stores of what the objects are linked to.
        var stores: [any RowStore] = []
        /// The stores that keep the entities of all objects.
        var candidates: [any RowStore]

        init(candidates: [any RowStore]) { self.candidates = candidates }

        var root: Group {
            var root = self
            while let next = root.parent { root = next }
            var group = self
            while let next = group.parent, next !== root {
                group.parent = root
                group = next
            }
            return root
        }

        func add(_ store: any RowStore) {
            if !stores.contains(where: { $0 === store }) { stores.append(store) }
        }

        func join(_ other: Group) {
            let (mine, theirs) = (root, other.root)
            guard mine !== theirs else { return }
            theirs.parent = mine
            for store in theirs.stores { mine.add(store) }
            mine.candidates.removeAll { store in !theirs.candidates.contains { $0 === store } }
        }
    }

    init(_ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) {
        self.context = context
        self.coordinator = coordinator
        guard coordinator.rowStores.count > 1 else { return }
        for object in context.changeTracker.inserted where context.chosenStore(of: object) == nil {
            groups[ObjectIdentifier(object)] = Group(candidates: coordinator.rowStores(for: object.layout))
        }
        guard !groups.isEmpty else { return }
        for object in context.changeTracker.inserted + context.changeTracker.updated {
            object.forEachNewDestination { link(object, $1) }
        }
    }

    private func link(_ one: NSManagedObject, _ other: NSManagedObject) {
        switch (groups[ObjectIdentifier(one)], groups[ObjectIdentifier(other)]) {
        case (let group?, let other?): group.join(other)
        case (let group?, nil): if let store = context.chosenStore(of: other) { group.root.add(store) }
        case (nil, let group?): if let store = context.chosenStore(of: one) { group.root.add(store) }
        case (nil, nil): break
        }
    }

    /// The one store of what a new object is linked to; `nil` where that is in none yet, or in several.
    func linkedStore(of object: NSManagedObject) -> (any RowStore)? {
        guard let group = groups[ObjectIdentifier(object)]?.root, let store = group.stores.onlyElement,
            coordinator.rowStores(for: object.layout).contains(where: { $0 === store })
        else { return nil }
        return store
    }

    /// The store that an object is in, or goes to.
    ///
    /// - Throws: That no store takes new objects of the entity.
    func store(of object: NSManagedObject) throws -> any RowStore {
        if let store = context.chosenStore(of: object) ?? linkedStore(of: object) { return store }
        if let group = groups[ObjectIdentifier(object)]?.root, group.stores.isEmpty,
            let store = group.candidates.first(where: { !$0.isReadOnly })
        {
            return store
        }
        return try coordinator.storeForNewObjects(of: object.layout)
    }

    /// Throws if an object was linked to one of another store.
    ///
    /// - Parameter store: Gives the store of an object; `nil` where that isn't known yet.
    static func requireOneStore(
        for objects: some Sequence<NSManagedObject>, _ store: (NSManagedObject) throws -> (any RowStore)?
    ) throws {
        for object in objects {
            try object.forEachNewDestination { relationship, destination in
                guard destination.table != nil, !destination.state.isDeleted,
                    let own = try store(object), let other = try store(destination), own !== other
                else { return }
                throw CoreDataError.make(
                    NSManagedObjectExternalRelationshipError,
                    "Illegal attempt to establish the relationship '\(relationship.name)' of "
                        + "\(object.layout.name) between objects in different stores: \(object.objectID) is in "
                        + "\(own.shortName), \(destination.objectID) in \(other.shortName).",
                    userInfo: [
                        NSAffectedObjectsErrorKey: [object, destination],
                        NSAffectedStoresErrorKey: [own as NSPersistentStore, other as NSPersistentStore],
                        NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: relationship.name,
                    ])
            }
        }
    }
}

extension NSManagedObjectContext {
    /// The store that an object is in, or was assigned to.
    final func chosenStore(of object: NSManagedObject) -> (any RowStore)? {
        (object.table?.store ?? identities.assignedStores[object.reference]) as? any RowStore
    }

    /// Throws if an object of a child was linked to one of another store, as far as stores are known by now.
    final func requireOneStore(for changes: ContextChanges) throws {
        guard let stores = persistentStoreCoordinator?.rowStores, stores.count > 1 else { return }
        try LinkedStores.requireOneStore(for: changes.inserted + changes.updated) { chosenStore(of: $0) }
    }
}

extension NSManagedObject {
    /// Calls a block with what the object was linked to since it was last saved.
    final func forEachNewDestination(_ body: (RelationshipLayout, NSManagedObject) throws -> Void) rethrows {
        guard let extras else { return }
        for info in layout.slotInfos where info.kind == .toOne && !info.isTransient && hasEdit(info.index) {
            guard let slot = layout.slots[info.index], let relationship = slot.relationship,
                let destination = destinationWithoutFiring(slot)
            else { continue }
            try body(relationship, destination)
        }
        guard !extras.relationships.isEmpty else { return }
        for index in layout.storedToManys {
            let relationship = layout.relationships[index]
            guard let state = toManyStateIfAny(relationship), state.hasChanges else { continue }
            for member in state.changes().added { try body(relationship, member) }
        }
    }
}
