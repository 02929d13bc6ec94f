public import OpenCoreDataKit

// The spelling of the library's first users, with capitals.

extension CoreDataQuery {
    /// The same as ``where(_:_:)``.
    ///
    /// - Parameters:
    ///   - format: The format, for example `name LIKE %@`.
    ///   - arguments: A value for each placeholder.
    /// - Returns: The condition.
    public static func Where(_ format: String, _ arguments: Any?...) -> CoreDataQuery {
        CoreDataQuery(parsing: format, arguments)
    }

    /// The same as ``predicate(_:)``.
    ///
    /// - Parameter predicate: The predicate.
    /// - Returns: The condition.
    public static func Where(_ predicate: NSPredicate) -> CoreDataQuery { .predicate(predicate) }

    /// The same as ``predicate(_:)``.
    ///
    /// - Parameter predicate: The predicate.
    /// - Returns: The condition.
    public static func Predicate(_ predicate: NSPredicate) -> CoreDataQuery { .predicate(predicate) }
}

extension CoreDataOrderBy {
    /// The same as ``ascending(_:comparison:)``.
    ///
    /// - Parameter key: A property, or a path through to-one relationships.
    /// - Returns: The order.
    public static func Ascending(_ key: String) -> CoreDataOrderBy { .ascending(key) }
    /// The same as ``descending(_:comparison:)``.
    ///
    /// - Parameter key: A property, or a path through to-one relationships.
    /// - Returns: The order.
    public static func Descending(_ key: String) -> CoreDataOrderBy { .descending(key) }
    /// The same as ``sort(_:)``.
    ///
    /// - Parameter descriptor: The descriptor, which names a key.
    /// - Returns: The order.
    public static func Sort(_ descriptor: NSSortDescriptor) -> CoreDataOrderBy { .sort(descriptor) }
}

extension CoreDataQueryOptions {
    /// The same as ``noSubEntities``.
    public static var NoSubEntities: CoreDataQueryOptions { .noSubEntities }
    /// The same as ``noPendingChanges``.
    public static var NoPendingChanges: CoreDataQueryOptions { .noPendingChanges }
    /// The same as ``noPropertyValues``.
    public static var NoPropertyValues: CoreDataQueryOptions { .noPropertyValues }
    /// The same as ``limit(_:)``.
    ///
    /// - Parameter count: The largest number of results.
    /// - Returns: The option.
    public static func Limit(_ count: Int) -> CoreDataQueryOptions { .limit(count) }
    /// The same as ``offset(_:)``.
    ///
    /// - Parameter count: The number of results to skip.
    /// - Returns: The option.
    public static func Offset(_ count: Int) -> CoreDataQueryOptions { .offset(count) }
    /// The same as ``batch(_:)``.
    ///
    /// - Parameter size: The number of objects in a batch.
    /// - Returns: The option.
    public static func Batch(_ size: Int) -> CoreDataQueryOptions { .batch(size) }
    /// The same as ``prefetch(_:)``.
    ///
    /// - Parameter keyPaths: The relationships.
    /// - Returns: The option.
    public static func Prefetch(_ keyPaths: [String]) -> CoreDataQueryOptions { .prefetch(keyPaths) }
    /// The same as ``propertiesOnly(_:)``.
    ///
    /// - Parameter names: The names of attributes.
    /// - Returns: The option.
    public static func PropertiesOnly(_ names: [String]) -> CoreDataQueryOptions { .propertiesOnly(names) }
    /// The same as ``distinct``.
    public static var Distinct: CoreDataQueryOptions { .distinct }
    /// The same as ``tweak(_:)``.
    ///
    /// - Parameter block: Gets the request.
    /// - Returns: The option.
    public static func Tweak(_ block: @escaping (NSFetchRequestBase) -> Void) -> CoreDataQueryOptions { .tweak(block) }
}

extension CoreDataSelect {
    /// The same as ``select(_:)``.
    ///
    /// - Parameter names: The names or paths.
    /// - Returns: The columns.
    public static func Select(_ names: String...) -> CoreDataSelect {
        CoreDataSelect(targets: names.map { .property($0) })
    }
    /// The same as ``expression(_:)``.
    ///
    /// - Parameter description: The expression, its name and its result type.
    /// - Returns: The column.
    public static func Expression(_ description: NSExpressionDescription) -> CoreDataSelect { .expression(description) }
    /// The same as ``average(_:alias:)``.
    ///
    /// - Parameters:
    ///   - key: The property.
    ///   - alias: The name of the column; the key if left out.
    /// - Returns: The column.
    public static func Average(_ key: String, alias: String? = nil) -> CoreDataSelect { .average(key, alias: alias) }
    /// The same as ``sum(_:alias:)``.
    ///
    /// - Parameters:
    ///   - key: The property.
    ///   - alias: The name of the column; the key if left out.
    /// - Returns: The column.
    public static func Sum(_ key: String, alias: String? = nil) -> CoreDataSelect { .sum(key, alias: alias) }
    /// The same as ``stdDev(_:alias:)``.
    ///
    /// - Parameters:
    ///   - key: The property.
    ///   - alias: The name of the column; the key if left out.
    /// - Returns: The column.
    public static func StdDev(_ key: String, alias: String? = nil) -> CoreDataSelect { .stdDev(key, alias: alias) }
    /// The same as ``min(_:alias:)``.
    ///
    /// - Parameters:
    ///   - key: The property.
    ///   - alias: The name of the column; the key if left out.
    /// - Returns: The column.
    public static func Min(_ key: String, alias: String? = nil) -> CoreDataSelect { .min(key, alias: alias) }
    /// The same as ``max(_:alias:)``.
    ///
    /// - Parameters:
    ///   - key: The property.
    ///   - alias: The name of the column; the key if left out.
    /// - Returns: The column.
    public static func Max(_ key: String, alias: String? = nil) -> CoreDataSelect { .max(key, alias: alias) }
    /// The same as ``median(_:alias:)``.
    ///
    /// - Parameters:
    ///   - key: The property.
    ///   - alias: The name of the column; the key if left out.
    /// - Returns: The column.
    public static func Median(_ key: String, alias: String? = nil) -> CoreDataSelect { .median(key, alias: alias) }
    /// The same as ``count(_:alias:)``.
    ///
    /// - Parameters:
    ///   - key: The property.
    ///   - alias: The name of the column; the key if left out.
    /// - Returns: The column.
    public static func Count(_ key: String, alias: String? = nil) -> CoreDataSelect { .count(key, alias: alias) }
}
