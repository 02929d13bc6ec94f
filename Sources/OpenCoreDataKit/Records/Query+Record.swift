/// Queries for records: written with the properties of their objects, read as records.
extension Query {
    /// Creates a query for all objects of a record's class.
    ///
    /// Conditions and orders name the properties of the object's class, not the fields of the record. Run the query
    /// with `all(_:as:)`, `first(_:as:)` or `one(_:as:)` to get records.
    ///
    /// ```swift
    /// let best = try context.all(Query(Player.self).sorted(by: \.score, .reverse).limit(10), as: Player.self)
    /// ```
    ///
    /// - Parameter type: The record.
    public init<R: Record>(_ type: R.Type) where R.Object == T { self.init(T.self) }
}

extension NSManagedObjectContext {
    /// Returns the records of the objects that match a query, in its order.
    ///
    /// The records belong to this context's queue. Unsaved changes of the context count.
    ///
    /// - Parameters:
    ///   - query: The conditions and the order.
    ///   - type: The record.
    /// - Returns: The records; an empty array if no object matches.
    /// - Throws: ``DatabaseError`` that names entity and condition.
    public func all<R: Record>(_ query: Query<R.Object>, as type: R.Type) throws -> [R] {
        try all(query).map { R(object: $0) }
    }

    /// Returns the record of the first object that matches a query, or `nil` if no object matches.
    ///
    /// Without an order, any matching object may be returned. Unsaved changes of the context count.
    ///
    /// - Parameters:
    ///   - query: The conditions and the order.
    ///   - type: The record.
    /// - Returns: The record, or `nil`.
    /// - Throws: ``DatabaseError`` that names entity and condition.
    public func first<R: Record>(_ query: Query<R.Object>, as type: R.Type) throws -> R? {
        try first(query).map { R(object: $0) }
    }

    /// Returns the record of the first object that matches a query.
    ///
    /// Further objects that match aren't an error. Use `first(_:as:)` if a missing object is expected.
    ///
    /// - Parameters:
    ///   - query: The conditions and the order.
    ///   - type: The record.
    /// - Returns: The record.
    /// - Throws: ``DatabaseError/notFound(entity:condition:)`` if no object matches.
    public func one<R: Record>(_ query: Query<R.Object>, as type: R.Type) throws -> R {
        R(object: try one(query))
    }
}
