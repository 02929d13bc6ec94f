import CoreDataPlatform
import Foundation

extension Record {
    /// The value of a field, read from the object on each access.
    ///
    /// Nothing is cached in the record, so the value includes unsaved changes, and reading a fault loads the object.
    /// Set values with `set(_:to:)`.
    ///
    /// ```swift
    /// let name = player[\.name]
    /// ```
    ///
    /// - Parameter field: The field.
    public subscript<Value>(field: KeyPath<Self, RecordField<Object, Value, Never>>) -> Value {
        self[keyPath: field].read(object).get()
    }

    /// The value of a field that has to be decoded, read from the object on each access.
    ///
    /// The value is decoded on each access; keep it in a variable if it is needed several times. Fields with a fallback
    /// don't throw.
    ///
    /// - Parameter field: The field.
    /// - Throws: ``DatabaseError/undecodable(entity:property:value:type:)`` if the value can't be decoded.
    public subscript<Value>(field: KeyPath<Self, RecordField<Object, Value, DatabaseError>>) -> Value {
        get throws { try self[keyPath: field].read(object).get() }
    }

    /// Checks a value and sets it in the object. Doesn't save.
    ///
    /// The rules of the field are checked in their order, and then whether the value is unique; the first refusal is
    /// thrown.
    ///
    /// ```swift
    /// try player.set(\.name, to: "Ada")
    /// try player.save()
    /// ```
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - value: The value. If it is refused, the object is unchanged.
    /// - Throws: ``DatabaseError/validation(_:)`` for a value that breaks a rule; a rule's own error; an encoder's
    ///   error.
    public func set<Value, Failure: Error>(_ field: KeyPath<Self, RecordField<Object, Value, Failure>>, to value: Value)
        throws
    {
        try check(value, for: field)
        try self[keyPath: field].write(object, value)
    }

    /// Checks a value with all rules of a field, in order, without setting it.
    ///
    /// For a form that shows errors while the user types. A unique field is compared with the store and with unsaved
    /// objects of this context, so another context can still take the value before this one saves; only a uniqueness
    /// constraint of the model prevents that. `nil` is never taken.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - field: The field.
    /// - Throws: ``DatabaseError/validation(_:)`` for a value that breaks a rule; a rule's own error.
    public func check<Value, Failure: Error>(
        _ value: Value, for field: KeyPath<Self, RecordField<Object, Value, Failure>>
    ) throws {
        let field = self[keyPath: field]
        do {
            try field.rules(value)
        } catch let refusal as any RuleRefusal {
            throw DatabaseError.validation([failure(field, value, refusal.sentence)])
        }
        if try field.isTaken(value, besides: object) {
            throw DatabaseError.validation([failure(field, value, "Another \(entityName) has this value.")])
        }
    }

    private var entityName: String { object.entity.name ?? "\(Object.self)" }

    private func failure<Value, Failure: Error>(
        _ field: RecordField<Object, Value, Failure>, _ value: Value, _ reason: String
    ) -> DatabaseError.Failure {
        DatabaseError.Failure(
            entity: entityName, property: field.name, value: ValueDescription.string(of: value), reason: reason,
            objectID: object.objectID)
    }

    /// Inverts the value of a Boolean field.
    ///
    /// The rules of the field are checked for the new value, as in `set(_:to:)`. Doesn't save.
    ///
    /// - Parameter field: The field.
    /// - Throws: ``DatabaseError/validation(_:)`` if a rule refuses the new value.
    public func toggle(_ field: KeyPath<Self, RecordField<Object, Bool, Never>>) throws {
        try set(field, to: !self[field])
    }

    /// Saves the record's context and its ancestors, up to the store.
    ///
    /// Call it on the context's queue. It waits for the queues of the ancestors.
    ///
    /// - Throws: ``DatabaseError``. The first level that fails keeps its changes; those below stay saved.
    public func save() throws {
        var context = object.managedObjectContext
        while let current = context {
            try current.performAndWait {
                do {
                    if current.hasChanges { try current.save() }
                } catch {
                    throw DatabaseError.saving(error)
                }
            }
            context = current.parent
        }
    }
}

extension RecordField {
    /// Whether the field is unique and another object of the entity has a value: in the store, or unsaved in the object's
    /// context or its parents. Nil is never taken.
    ///
    /// - Throws: ``DatabaseError/foreignObject(entity:reason:)`` for an object without a context; the fetch's error.
    package func isTaken(_ value: Value, besides object: Object) throws -> Bool {
        guard isUnique, let stored = try stored(value), !isNil(stored) else { return false }
        let entityName = object.entity.name ?? "\(Object.self)"
        guard let name, let context = object.managedObjectContext else {
            throw DatabaseError.foreignObject(
                entity: entityName, reason: "Whether a value is unique can only be checked for an object in a context.")
        }
        let request = NSFetchRequest<Object>(entityName: entityName)
        request.predicate = NSPredicate(format: "%K == %@ AND SELF != %@", argumentArray: [name, stored, object])
        request.fetchLimit = 1
        return try context.count(for: request) > 0
    }
}

/// A refusal by a rule for values of any type.
package protocol RuleRefusal: Error {
    var sentence: String { get }
}

extension Validation.Refusal: RuleRefusal {
    package var sentence: String { description }
}

/// Whether a value of any type is an optional without a value.
func isNil(_ value: Any) -> Bool {
    guard let optional = value as? any OptionalValue else { return false }
    return optional.isNone
}

private protocol OptionalValue {
    var isNone: Bool { get }
}

extension Optional: OptionalValue {
    var isNone: Bool { self == nil }
}
