/// Queries for records: written with the properties of their objects, read as records.
extension Query {
    /// Starts a query for all objects of a record's class.
    public init<R: Record>(_ type: R.Type) where R.Object == T { self.init(T.self) }
}

extension NSManagedObjectContext {
    /// The records of the objects that a query finds, in its order.
    ///
    /// - Throws: ``DatabaseError`` that names entity and condition.
    public func all<R: Record>(_ query: Query<R.Object>, as type: R.Type) throws -> [R] {
        try all(query).map { R(object: $0) }
    }

    /// The record of the first object that a query finds; `nil` when there is none.
    ///
    /// - Throws: ``DatabaseError`` that names entity and condition.
    public func first<R: Record>(_ query: Query<R.Object>, as type: R.Type) throws -> R? {
        try first(query).map { R(object: $0) }
    }

    /// The record of the first object that a query finds, where there has to be one.
    ///
    /// - Throws: ``DatabaseError/notFound(entity:condition:)`` when there is none.
    public func one<R: Record>(_ query: Query<R.Object>, as type: R.Type) throws -> R {
        R(object: try one(query))
    }
}
