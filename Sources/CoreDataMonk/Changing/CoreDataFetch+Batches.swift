public import OpenCoreDataKit

/// Changing rows in the store at once, without objects. These take effect immediately and skip validation; the context and
/// those above it take over what happened, others find it with their next fetch.
extension CoreDataFetch {
    /// Sets attributes of all objects that match.
    ///
    /// A value of `nil` or `NSNull` empties an attribute. Unsaved changes don't count when rows are found, and are not
    /// written.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - query: Which objects; all when `nil`.
    ///   - properties: The new values by name.
    /// - Returns: How many rows were changed.
    /// - Throws: `DatabaseError.invalidQuery` for an unknown property.
    @discardableResult
    public func batchUpdate<T: NSManagedObject>(
        _ type: T.Type, _ query: CoreDataQuery? = nil, properties: [String: Any]
    ) throws -> Int {
        try managedObjectContext.batchUpdate(
            kitQuery(type, query, options: nil), set: properties.mapValues { OptionalValue.flatten($0) })
    }

    /// Deletes all objects that match.
    ///
    /// The model's delete rules apply, and the number includes objects that a cascade rule deletes. Unsaved objects
    /// stay.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - query: Which objects; all if omitted.
    /// - Returns: How many objects are gone.
    /// - Throws: `DatabaseError.invalidQuery` for an unknown property.
    @discardableResult
    public func batchDelete<T: NSManagedObject>(_ type: T.Type, _ query: CoreDataQuery? = nil) throws -> Int {
        try managedObjectContext.batchDelete(kitQuery(type, query, options: nil))
    }

    /// Deletes the objects of identifiers. Those that are gone already don't matter.
    ///
    /// The model's delete rules apply, and unsaved objects stay. An empty list deletes nothing.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - ids: The identifiers.
    /// - Returns: How many objects are gone.
    /// - Throws: The errors of ``batchDelete(_:_:)``.
    @discardableResult
    public func batchDelete<T: NSManagedObject>(_ type: T.Type, ids: [NSManagedObjectID]) throws -> Int {
        try batchDelete(type, .where("SELF IN %@", ids))
    }
}
