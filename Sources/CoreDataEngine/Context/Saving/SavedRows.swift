/// The rows of objects after they are saved, and the objects that have none.
struct SavedRows {
    private(set) var slabs: SavedSlabs
    /// Changed objects whose other values were not read.
    private(set) var unread: ContiguousArray<NSManagedObject> = []
    /// The identifiers of the inserted objects, where the rows were made ahead.
    private(set) var identifiers: ContiguousArray<NSManagedObjectID> = []

    init(derived: [DerivedChange], expectedCount: Int) {
        slabs = SavedSlabs(derived: derived, expectedCount: expectedCount)
    }

    mutating func add(_ object: NSManagedObject, inserted change: RowChange) {
        slabs.append(object, reference: change.reference, version: 1, values: change.values)
    }

    mutating func add(updated object: NSManagedObject) {
        if object.slab?.hasValues == true || !object.state.isFault {
            slabs.append(object, reference: object.reference, version: object.version + 1)
        } else {
            unread.append(object)
        }
    }

    /// Creates the rows of a plan while it is being executed.
    init(ahead builder: SavePlanBuilder, derived: [DerivedChange]) {
        self.init(derived: derived, expectedCount: builder.inserts.count + builder.updates.count)
        identifiers.reserveCapacity(builder.inserts.count)
        for (object, change) in zip(builder.inserts, builder.plan.inserts) {
            add(object, inserted: change)
            identifiers.append(
                NSManagedObjectID(layout: object.layout, reference: change.reference, store: builder.store))
        }
        for object in builder.updates { add(updated: object) }
    }

    /// The rows that a store has made while it waited for another program.
    final class Ahead {
        fileprivate(set) var rows: SavedRows?
        /// The identifiers of the inserted objects.
        fileprivate(set) var identifiers: Set<NSManagedObjectID> = []

        /// - Parameter derived: What the outcome will say that the rows have in place of their objects' values; `nil` when
        ///   that is not known any longer.
        func make(_ builder: SavePlanBuilder, _ derived: [DerivedChange]?) {
            guard let derived else {
                (rows, identifiers) = (nil, [])
                return
            }
            let made = SavedRows(ahead: builder, derived: derived)
            identifiers = Set(capacityForMany: made.identifiers.count)
            for identifier in made.identifiers { identifiers.insert(identifier) }
            rows = made
        }
    }
}
