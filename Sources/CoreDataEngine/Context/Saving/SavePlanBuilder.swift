import Foundation

/// Makes the plan for one store from the objects that changed. Touches no database, but to ask for the members of an
/// ordered to-many that was added to without being read.
struct SavePlanBuilder {
    let store: any RowStore
    /// From before the store was given the plan.
    let moment: RowCache.Moment
    private(set) var plan = SavePlan()
    /// What was made while the store worked.
    private(set) var ahead: SavedRows.Ahead?
    /// The objects of the plan's rows, in the plan's order.
    private(set) var inserts: ContiguousArray<NSManagedObject> = []
    private(set) var updates: ContiguousArray<NSManagedObject> = []
    private(set) var deletes: ContiguousArray<NSManagedObject> = []

    init(store: any RowStore, context: NSManagedObjectContext) {
        self.store = store
        moment = store.rowCache.moment
        plan.author = context.transactionAuthor
        plan.contextName = context.name
        plan.waitsForTransactions = context.isStrict
    }

    mutating func add(_ changes: ContextChanges) throws {
        inserts = changes.inserted
        deletes = changes.deleted
        plan.inserts.reserveCapacity(changes.inserted.count)
        for object in changes.inserted { try addInsert(object) }
        for object in changes.updated { try addUpdate(object) }
        for object in changes.deleted { addDelete(object) }
        // Where two owners were given one object, the same one has it in every store, whatever order the objects came in.
        if plan.hiddenOwners.count > 1 { plan.hiddenOwners.sort { ($0.owner ?? .min) < ($1.owner ?? .min) } }
    }

    /// Returns the plan. A store that waits for another program can make rows from it in the meantime.
    mutating func planWithRowsAhead() -> SavePlan {
        let ahead = SavedRows.Ahead()
        let builder = self
        self.ahead = ahead
        var plan = plan
        plan.whileWaiting = { ahead.make(builder, $0) }
        return plan
    }

    /// Returns the values of an inserted row. The plan was executed and doesn't need them any more, so their memory is
    /// used for the following rows.
    mutating func takeInsert(_ index: Int) -> RowChange {
        let change = plan.inserts[index]
        plan.inserts[index].values = []
        return change
    }

    private mutating func addInsert(_ object: NSManagedObject) throws {
        let values = try storedValues(of: object)
        plan.inserts.append(
            RowChange(entity: object.layout, reference: object.futureReference, version: 0, values: values))
        _ = try addToManys(of: object)
    }

    private mutating func addUpdate(_ object: NSManagedObject) throws {
        var change = RowChange(
            entity: object.layout, reference: object.reference, version: object.slab == nil ? -1 : object.version)
        if let extras = object.extras, !extras.values.isEmpty {
            for case let slot? in object.layout.slots where !slot.isTransient && object.slotIsChanged(slot) {
                if slot.isDerived, !(store is any ObjectStore) {
                    // What the store computes stays what it is.
                    extras.values[slot.index] = nil
                    continue
                }
                if change.values.isEmpty {
                    change.values = ContiguousArray(repeating: .null, count: object.layout.slotCount)
                }
                change.slots.append(slot.index)
                change.values[slot.index] = try storedValue(of: object, slot)
            }
        }
        change.changedToManys = try addToManys(of: object)
        change.detectsConflicts = object.extras?.detectsConflicts == true
        guard !change.slots.isEmpty || !change.changedToManys.isEmpty || change.detectsConflicts else { return }
        plan.updates.append(change)
        updates.append(object)
    }

    private mutating func addDelete(_ object: NSManagedObject) {
        plan.deletes.append(
            RowChange(
                entity: object.layout, reference: object.reference, version: object.slab == nil ? -1 : object.version))
        for relationship in object.layout.relationships where relationship.isToMany && !relationship.isTransient {
            guard let state = object.toManyStateIfAny(relationship), let stored = state.committed else { continue }
            guard let inverse = relationship.inverse else {
                for member in stored.objects where !member.state.isDeleted {
                    addHidden(relationship, owner: nil, former: object, member)
                }
                continue
            }
            guard inverse.isToMany else { continue }
            for member in stored.objects where !member.state.isDeleted || Self.isFirst(object, member) {
                plan.linkDeletes.append(
                    LinkChange(relationship: relationship, owner: object.reference, destination: member.reference))
            }
        }
    }

    /// Of two deleted objects the one that removes the pair.
    private static func isFirst(_ left: NSManagedObject, _ right: NSManagedObject) -> Bool {
        (left.layout.root.index, left.reference) <= (right.layout.root.index, right.reference)
    }

    // MARK: Values

    private func storedValues(of object: NSManagedObject) throws -> ContiguousArray<PropertyValue> {
        guard let extras = object.extras else { return [] }
        var values = ContiguousArray<PropertyValue>()
        values.reserveCapacity(extras.values.count)
        for index in 0..<extras.values.count {
            let value = try extras.values[index] ?? object.rowValueToWrite(index)
            switch value {
            case .object, .transformed:
                guard let slot = object.layout.slots[index] else { continue }
                values.append(slot.isTransient ? .null : try Self.stored(value, slot))
            default: values.append(value)
            }
        }
        if object.layout.hasTransientSlots {
            for info in object.layout.slotInfos where info.isTransient && info.index < values.count {
                values[info.index] = .null
            }
        }
        return values
    }

    private func storedValue(of object: NSManagedObject, _ slot: SlotLayout) throws -> PropertyValue {
        try Self.stored(object.currentValue(slot.index), slot)
    }

    static func stored(_ value: PropertyValue, _ slot: SlotLayout) throws -> PropertyValue {
        switch value {
        case .object(let destination):
            .reference(
                ObjectReference(
                    reference: destination.futureReference,
                    entityIndex: Int32(truncatingIfNeeded: destination.layout.index)))
        case .transformed(let box):
            try slot.archived(box.value).map { .data($0) } ?? .null
        default: value
        }
    }

    // MARK: To-many

    /// Adds links, order and hidden owners of an object's changed to-manys, and returns the names of these.
    private mutating func addToManys(of object: NSManagedObject) throws -> [String] {
        guard let extras = object.extras, !extras.relationships.isEmpty else { return [] }
        var changed: [String] = []
        for index in object.layout.storedToManys where extras.relationships[index] != nil {
            let relationship = object.layout.relationships[index]
            guard let state = object.toManyStateIfAny(relationship), state.hasChanges else { continue }
            changed.append(relationship.name)
            let (added, removed) = state.changes()
            if let inverse = relationship.inverse {
                if inverse.isToMany, Self.isCanonical(relationship, inverse) {
                    addLinks(relationship, inverse, object, added: added, removed: removed)
                }
            } else {
                for member in added where !member.state.isDeleted {
                    addHidden(relationship, owner: object, former: nil, member)
                }
                for member in removed where !member.state.isDeleted {
                    addHidden(relationship, owner: nil, former: object, member)
                }
            }
            if relationship.isOrdered { try addOrder(relationship, object) }
        }
        return changed
    }

    /// Whether a pair is written from this side: the entity with the lower number, the name that sorts first.
    private static func isCanonical(_ relationship: RelationshipLayout, _ inverse: RelationshipLayout) -> Bool {
        (relationship.owner.index, relationship.name) <= (inverse.owner.index, inverse.name)
    }

    private mutating func addLinks(
        _ relationship: RelationshipLayout, _ inverse: RelationshipLayout, _ object: NSManagedObject,
        added: ContiguousArray<NSManagedObject>, removed: ContiguousArray<NSManagedObject>
    ) {
        let owner = object.futureReference
        let isReflexive = relationship === inverse
        func isMine(_ other: NSManagedObject) -> Bool {
            !isReflexive || owner <= other.futureReference
        }
        for member in added where !member.state.isDeleted && isMine(member) {
            plan.linkInserts.append(
                LinkChange(relationship: relationship, owner: owner, destination: member.futureReference))
        }
        for member in removed where !member.state.isDeleted && isMine(member) {
            plan.linkDeletes.append(
                LinkChange(relationship: relationship, owner: owner, destination: member.futureReference))
        }
    }

    private mutating func addOrder(_ relationship: RelationshipLayout, _ object: NSManagedObject) throws {
        guard let members = object.loadedState(relationship).members else {
            throw object.unreadError(.toMany(relationship))
                ?? CoreDataError.make(
                    NSCoreDataError, "The order of '\(relationship.name)' of \(object.objectID) is not known.")
        }
        plan.orders.append(
            OrderChange(
                relationship: relationship, owner: object.futureReference,
                destinations: members.objects.lazy.filter { !$0.state.isDeleted }.map(\.futureReference)))
    }

    private mutating func addHidden(
        _ relationship: RelationshipLayout, owner: NSManagedObject?, former: NSManagedObject?, _ member: NSManagedObject
    ) {
        plan.hiddenOwners.append(
            HiddenOwnerChange(
                relationship: relationship, owner: owner?.futureReference, formerOwner: former?.futureReference,
                destination: member.futureReference, destinationEntity: member.layout))
    }
}

extension NSManagedObject {
    /// The number that the row has or will have.
    final var futureReference: Int64 { reference >= 0 ? reference : extras?.pendingReference ?? 0 }
}
