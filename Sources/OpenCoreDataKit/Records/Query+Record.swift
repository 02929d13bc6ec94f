/// Queries for records: written with the properties of their objects, read as records.
extension Query {
    /// Creates a query for all objects of a record's class.
    ///
    /// - Parameter type: The record.
    public init<R: Record>(_ type: R.Type) where R.Object == T { self.init(T.self) }
}

extension NSManagedObjectContext {
    /// Returns the records of the objects that match a query, in its order.
    ///
    /// - Parameters:
    ///   - query: The conditions and the order.
    ///   - type: The record.
    /// - Throws: ``DatabaseError`` that names entity and condition.
    public func all<R: Record>(_ query: Query<R.Object>, as type: R.Type) throws -> [R] {
        try all(query).map { R(object: $0) }
    }

    /// Returns the record of the first object that matches a query, or `nil` if no object matches.
    ///
    /// - Parameters:
    ///   - query: The conditions and the order.
    ///   - type: The record.
    /// - Throws: ``DatabaseError`` that names entity and condition.
    public func first<R: Record>(_ query: Query<R.Object>, as type: R.Type) throws -> R? {
        try first(query).map { R(object: $0) }
    }

    /// Returns the record of the first object that matches a query.
    ///
    /// - Parameters:
    ///   - query: The conditions and the order.
    ///   - type: The record.
    /// - Throws: ``DatabaseError/notFound(entity:condition:)`` if no object matches.
    public func one<R: Record>(_ query: Query<R.Object>, as type: R.Type) throws -> R {
        R(object: try one(query))
    }
}
