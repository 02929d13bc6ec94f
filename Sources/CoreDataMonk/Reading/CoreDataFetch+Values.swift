public import OpenCoreDataKit

/// Reading values instead of objects. They come from the stores: unsaved changes are not among them.
extension CoreDataFetch {
    /// Rows of values: one for each object, or for each group of objects.
    ///
    /// The rows come from the one store that keeps the objects of the class. Without groups, a selection of aggregates
    /// has a single row, and a selection of properties has a row for each object.
    ///
    /// ```swift
    /// let rows = try World.query(
    ///     Person.self, .select("city") | .average("age", alias: "mean"), groupBy: %"city")
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - select: The values, each under a name of its own. Numbers are `NSNumber`s.
    ///   - query: Which objects; all if omitted.
    ///   - orderBy: The order of the rows; of groups, by the names of columns.
    ///   - groupBy: What makes the groups. Objects without a value are a group of their own.
    ///   - having: Which groups.
    ///   - options: Settings of the fetch.
    /// - Returns: A dictionary for each row, without the keys of missing values.
    /// - Throws: `DatabaseError.invalidQuery` for an unknown property, a function that does not fit one, a property that
    ///   is neither grouped by nor computed, two columns of one name, and for `having` without groups.
    public func query<T: NSManagedObject>(
        _ type: T.Type, _ select: CoreDataSelect, _ query: CoreDataQuery? = nil, orderBy: CoreDataOrderBy? = nil,
        groupBy: CoreDataQueryKey? = nil, having: CoreDataQuery? = nil, options: CoreDataQueryOptions? = nil
    ) throws -> [[String: Any]] {
        let isPlain = select.isPlain && groupBy == nil
        var summary = try kitQuery(type, query, orderBy: isPlain ? orderBy : nil, options: options)
            .exactly(select.columns(of: type), by: groupBy?.paths ?? [], having: having?.predicate)
        if !isPlain {
            for descriptor in orderBy?.descriptors ?? [] {
                summary = summary.sorted(by: descriptor.key ?? "", ascending: descriptor.ascending)
            }
        }
        return try managedObjectContext.rows(summary).map(\.dictionary)
    }

    /// Returns a single value.
    ///
    /// The value comes from the stores, without unsaved changes. Sums and counts of nothing are 0, so they are always a
    /// result.
    ///
    /// ```swift
    /// let oldest = try World.queryValue(Person.self, .max("age"))
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - select: The value.
    ///   - query: The condition; by default all objects.
    ///   - options: Settings of the fetch.
    /// - Returns: The value; numbers are `NSNumber`s.
    /// - Throws: `DatabaseError.notFound` if there is no result, `DatabaseError.invalidQuery` if more than one value is
    ///   selected, and the errors of ``query(_:_:_:orderBy:groupBy:having:options:)``.
    public func queryValue<T: NSManagedObject>(
        _ type: T.Type, _ select: CoreDataSelect, _ query: CoreDataQuery? = nil, options: CoreDataQueryOptions? = nil
    ) throws -> Any {
        let summary = try kitQuery(type, query, options: options).exactly(select.columns(of: type), by: [], having: nil)
        let value: Any? = try managedObjectContext.value(summary)
        if let value { return value }
        throw DatabaseError.notFound(
            entity: try stack.metadataForEntityClass(type).entity.name ?? "",
            condition: query.map { "a value to select and \($0)" } ?? "a value to select")
    }
}
