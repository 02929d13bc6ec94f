public import Foundation

/// Objects that have the same values in the attributes of a uniqueness constraint.
///
/// Belongs to the queue of the objects' context.
open class NSConstraintConflict: NSObject {
    /// The names of the attributes whose values together must be unique.
    open private(set) var constraint: [String]
    /// The values that occur more than once, by attribute; `NSNull` for no value.
    open private(set) var constraintValues: [String: Any]
    /// The object whose row has the values already; `nil` when only unsaved objects clash with each other.
    open private(set) var databaseObject: NSManagedObject?
    /// The values of that row.
    open private(set) var databaseSnapshot: [String: Any]?
    /// The objects with unsaved changes that have the values.
    open private(set) var conflictingObjects: [NSManagedObject]
    /// The values of these objects as last read, in the same order.
    open private(set) var conflictingSnapshots: [[AnyHashable: Any]]

    /// Whether `databaseObject` was created for this conflict, and the context had no object for the row before.
    final var canBeInherited = false
    /// The new object that is to become the object of the stored row; set by the engine's policies.
    final var successor: NSManagedObject?

    /// Describes a conflict.
    ///
    /// Contexts create conflicts when a save finds them; programs only do so in tests. The ``constraintValues`` are
    /// read from the first conflicting object, or otherwise from the stored one, so call it on the queue of
    /// their context.
    ///
    /// - Parameters:
    ///   - contraint: The attributes of the constraint.
    ///   - databaseObject: The object whose row has the values already.
    ///   - databaseSnapshot: The values of that row.
    ///   - conflictingObjects: The objects with unsaved changes.
    ///   - conflictingSnapshots: The last read values of these objects.
    public init(
        constraint contraint: [String], database databaseObject: NSManagedObject?,
        databaseSnapshot: [AnyHashable: Any]?, conflicting conflictingObjects: [NSManagedObject],
        conflictingSnapshots: [Any]
    ) {
        constraint = contraint
        self.databaseObject = databaseObject
        self.databaseSnapshot = databaseSnapshot.map { snapshot in
            snapshot.reduce(into: [:]) { result, entry in result["\(entry.key)"] = entry.value }
        }
        self.conflictingObjects = conflictingObjects
        self.conflictingSnapshots = conflictingSnapshots.map { $0 as? [AnyHashable: Any] ?? [:] }
        let holder = conflictingObjects.first ?? databaseObject
        constraintValues = contraint.reduce(into: [:]) { result, key in
            result[key] = holder?.value(forKey: key) ?? NSNull()
        }
        super.init()
    }

    /// Creates a conflict about nothing, as tests of code that takes conflicts use it.
    public override convenience init() {
        self.init(constraint: [], database: nil, databaseSnapshot: nil, conflicting: [], conflictingSnapshots: [])
    }

    open override var description: String {
        "<NSConstraintConflict \(constraint.joined(separator: ", ")) = \(ValueDescription.string(of: constraintValues)): "
            + "\(conflictingObjects.count) objects, \(databaseObject.map { "stored \($0.objectID)" } ?? "none stored")>"
    }
}
