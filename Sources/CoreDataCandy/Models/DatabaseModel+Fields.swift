import OpenCoreDataKit

// MARK: Reading

extension DatabaseModel {
    /// The value of a field, read now. Unsaved values count.
    ///
    /// A value that can't be decoded is reported (see `UnreadableValues`) and read as the field's fallback or default, or nil.
    ///
    /// - Parameter field: The field.
    /// - Returns: The value.
    public func current<Field: FieldInterfaceProtocol>(_ field: KeyPath<Self, Field>) -> Field.Value
    where Field.Entity == Entity {
        let field = self[keyPath: field].field
        return onQueue { field.value(of: entity) }
    }
}

// MARK: Writing

extension DatabaseModel {
    /// Checks a value and writes it into the object. Saves nothing.
    ///
    /// The field's rules are checked in order, and then whether a value of a unique field is taken. An error of a rule
    /// of the application that is no ``CoreDataCandyError`` becomes ``CoreDataCandyError/unknown``;
    /// ``validateAndAssign(_:to:)`` throws it as it is.
    ///
    /// ```swift
    /// player.assign("Ada", to: \.name)
    /// try player.save()
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - field: The field.
    /// - Returns: Whether the value was written. One that is refused leaves the object as it was. `get()` throws why.
    @discardableResult
    public func assign<Field: FieldInterfaceProtocol>(
        _ value: Field.Value, to field: KeyPath<Self, Field>
    ) -> Result<Void, CoreDataCandyError> where Field.Entity == Entity {
        do {
            try validateAndAssign(value, to: field)
            return .success(())
        } catch {
            return .failure(CoreDataCandyError(error))
        }
    }

    /// Checks a value by all validations of a field, in order, and for a unique field whether it is taken. Writes nothing.
    ///
    /// Checking a unique field fetches; for an object without a context that is an error of the program.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - field: The field.
    /// - Throws: The first error: a ``CoreDataCandyError``, or whatever a validation of the application throws.
    public func validate<Field: FieldInterfaceProtocol>(
        _ value: Field.Value, for field: KeyPath<Self, Field>
    ) throws where Field.Entity == Entity {
        let field = self[keyPath: field].field
        try onQueue { try field.check(value, for: entity) }
    }

    /// Checks a value and writes it into the object. Saves nothing.
    ///
    /// Use it where an error has to stop the work, and ``assign(_:to:)`` where the result is enough.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - field: The field.
    /// - Throws: As ``validate(_:for:)`` does, and ``CoreDataCandyError/storeConversion``; the object stays as it was then.
    public func validateAndAssign<Field: FieldInterfaceProtocol>(
        _ value: Field.Value, to field: KeyPath<Self, Field>
    ) throws where Field.Entity == Entity {
        let field = self[keyPath: field].field
        try onQueue {
            try field.check(value, for: entity)
            try field.store(value, in: entity)
        }
    }

    /// Writes the opposite of a field's value. Saves nothing.
    ///
    /// The field's rules are checked for the new value, and a refusal leaves the object as it was.
    ///
    /// - Parameter field: The field.
    /// - Returns: Whether the value was written.
    @discardableResult
    public func toggle<Field: FieldInterfaceProtocol>(
        _ field: KeyPath<Self, Field>
    ) -> Result<Void, CoreDataCandyError> where Field.Entity == Entity, Field.Value == Bool {
        onQueue { assign(!current(field), to: field) }
    }

    /// Saves the object's context, and the contexts that it is a child of, up to the store.
    ///
    /// All unsaved changes of these contexts are saved, not only those of this object. It waits for the queue of each
    /// context. The first context that fails keeps its changes; those below it stay saved.
    ///
    /// - Throws: ``CoreDataCandyError/unableToSaveContext(reason:)``.
    public func save() throws(CoreDataCandyError) {
        do {
            try onQueue { try EntityRecord(object: entity).save() }
        } catch {
            throw .unableToSaveContext(reason: CoreDataCandyError.sentence(of: error))
        }
    }
}

/// A managed object as a record of the kit.
struct EntityRecord<Object: NSManagedObject>: OpenCoreDataKit.Record {
    let object: Object
}
