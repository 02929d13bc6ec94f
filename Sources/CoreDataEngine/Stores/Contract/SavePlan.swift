import Foundation

/// Everything one save writes to one store, as a value. Made without a database, executed in one transaction.
package struct SavePlan {
    package var inserts: [RowChange] = []
    package var updates: [RowChange] = []
    package var deletes: [RowChange] = []
    /// Many-to-many pairs to add and to remove; each pair once, from one of its two sides.
    package var linkInserts: [LinkChange] = []
    package var linkDeletes: [LinkChange] = []
    /// Ordered to-manys whose order must be written, after all rows and links.
    package var orders: [OrderChange] = []
    /// To-manys without an inverse: which owner each destination row belongs to now (0: none).
    package var hiddenOwners: [HiddenOwnerChange] = []
    /// For history.
    package var author: String?
    package var contextName: String?
    /// Whether transactions on other machines are waited for, where the store doesn't keep saves apart by itself.
    package var waitsForTransactions = false
    /// A store that waits for another program may call it, on the thread that passed the plan: work that the context
    /// does then needn't be done afterwards. The argument is everything that the outcome will say about derived values
    /// if the plan succeeds, or `nil` if an earlier argument is no longer valid.
    package var whileWaiting: (([DerivedChange]?) -> Void)?

    package init() {}

    package var isEmpty: Bool {
        inserts.isEmpty && updates.isEmpty && deletes.isEmpty && linkInserts.isEmpty && linkDeletes.isEmpty
            && orders.isEmpty && hiddenOwners.isEmpty
    }
}

/// A row to insert, update or delete.
package struct RowChange {
    package var entity: EntityLayout
    package var reference: Int64
    /// The version (`Z_OPT`) that the writer last saw; 0 for an insert. Another one in the store is a conflict.
    /// Negative: the writer never read the row, so nothing can conflict.
    package var version: Int64
    /// Values by slot: all of them for an insert; for an update those in `slots`. To-ones are `reference` or `null`.
    package var values: ContiguousArray<PropertyValue>
    /// The changed slots of an update. Empty: only the version grows (a to-many changed).
    package var slots: [Int]
    /// To-manys and many-to-manys that changed, by name, for history.
    package var changedToManys: [String]
    /// Whether the row's version has to be compared even where nothing of the row changed (`detectConflicts(for:)`).
    package var detectsConflicts = false
    /// Whether the row keeps its version: what changes of it follows from another row.
    package var keepsVersion = false

    package init(
        entity: EntityLayout, reference: Int64, version: Int64, values: ContiguousArray<PropertyValue> = [],
        slots: [Int] = [], changedToManys: [String] = []
    ) {
        self.entity = entity
        self.reference = reference
        self.version = version
        self.values = values
        self.slots = slots
        self.changedToManys = changedToManys
    }
}

/// A pair of a many-to-many relationship.
package struct LinkChange {
    package var relationship: RelationshipLayout
    package var owner: Int64
    package var destination: Int64

    package init(relationship: RelationshipLayout, owner: Int64, destination: Int64) {
        self.relationship = relationship
        self.owner = owner
        self.destination = destination
    }
}

/// The whole new order of an ordered to-many. The store writes as few order keys as it can.
package struct OrderChange {
    package var relationship: RelationshipLayout
    package var owner: Int64
    package var destinations: [Int64]

    package init(relationship: RelationshipLayout, owner: Int64, destinations: [Int64]) {
        self.relationship = relationship
        self.owner = owner
        self.destinations = destinations
    }
}

/// The owner of a row in a to-many relationship that has no inverse.
package struct HiddenOwnerChange {
    package var relationship: RelationshipLayout
    /// `nil`: the destination leaves the relationship of `formerOwner`.
    package var owner: Int64?
    package var formerOwner: Int64?
    package var destination: Int64
    package var destinationEntity: EntityLayout

    package init(
        relationship: RelationshipLayout, owner: Int64?, formerOwner: Int64?, destination: Int64,
        destinationEntity: EntityLayout
    ) {
        self.relationship = relationship
        self.owner = owner
        self.formerOwner = formerOwner
        self.destination = destination
        self.destinationEntity = destinationEntity
    }
}

/// What became of a plan.
package enum SaveOutcome {
    /// Written. An insert's version is now 1, an update's one more, unless `derived` says another one. `derived` says
    /// which values the store itself changed. `transaction` is its number in the store's history, where the store
    /// records one.
    case saved(derived: [DerivedChange], transaction: Int64? = nil)
    /// Nothing was written.
    case conflicts([RowConflict], constraints: [ConstraintViolation])
}

/// What the store itself changed in a row during the save.
package struct DerivedChange {
    /// What of the row is another than was saved.
    package enum Content {
        /// The value of a slot, such as a derived attribute.
        case value(PropertyValue, slot: Int)
        /// The version, where the store's rows don't just count their changes.
        case version(Int64)
    }

    package var entity: EntityLayout
    package var reference: Int64
    package var content: Content

    package init(entity: EntityLayout, reference: Int64, content: Content) {
        self.entity = entity
        self.reference = reference
        self.content = content
    }

    package init(entity: EntityLayout, reference: Int64, slot: Int, value: PropertyValue) {
        self.init(entity: entity, reference: reference, content: .value(value, slot: slot))
    }

    /// The version that a row has now, where the store's rows don't just count their changes.
    package static func version(_ version: Int64, of reference: Int64, _ entity: EntityLayout) -> DerivedChange {
        DerivedChange(entity: entity, reference: reference, content: .version(version))
    }
}

/// A row that changed or went away since the writer read it.
package struct RowConflict {
    package var entity: EntityLayout
    package var reference: Int64
    package var isDelete: Bool
    /// The row as the store has it now: one row, or `nil` when it is gone.
    package var current: RowSlab?

    package init(entity: EntityLayout, reference: Int64, isDelete: Bool, current: RowSlab?) {
        self.entity = entity
        self.reference = reference
        self.isDelete = isDelete
        self.current = current
    }
}

/// A uniqueness constraint that a plan would break.
package struct ConstraintViolation {
    /// The entity that declares the constraint.
    package var entity: EntityLayout
    /// The attributes of the constraint, in declared order.
    package var constraint: [String]
    /// The rows of the plan (inserts and updates) that have the same values, by reference.
    package var references: [Int64]
    /// The stored row outside the plan that has the values too, with its values; `nil` when the plan clashes with
    /// itself.
    package var stored: RowSlab?

    package init(entity: EntityLayout, constraint: [String], references: [Int64], stored: RowSlab?) {
        self.entity = entity
        self.constraint = constraint
        self.references = references
        self.stored = stored
    }
}
