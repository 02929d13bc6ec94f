public import OpenCoreDataKit

// The spelling of the library's first users, with capitals.

extension CoreDataQuery {
    /// The same as ``where(_:_:)``.
    public static func Where(_ format: String, _ arguments: Any?...) -> CoreDataQuery {
        CoreDataQuery(parsing: format, arguments)
    }

    /// The same as ``predicate(_:)``.
    public static func Where(_ predicate: NSPredicate) -> CoreDataQuery { .predicate(predicate) }

    /// The same as ``predicate(_:)``.
    public static func Predicate(_ predicate: NSPredicate) -> CoreDataQuery { .predicate(predicate) }
}

extension CoreDataOrderBy {
    /// The same as ``ascending(_:comparison:)``.
    public static func Ascending(_ key: String) -> CoreDataOrderBy { .ascending(key) }
    /// The same as ``descending(_:comparison:)``.
    public static func Descending(_ key: String) -> CoreDataOrderBy { .descending(key) }
    /// The same as ``sort(_:)``.
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
    public static func Limit(_ count: Int) -> CoreDataQueryOptions { .limit(count) }
    /// The same as ``offset(_:)``.
    public static func Offset(_ count: Int) -> CoreDataQueryOptions { .offset(count) }
    /// The same as ``batch(_:)``.
    public static func Batch(_ size: Int) -> CoreDataQueryOptions { .batch(size) }
    /// The same as ``prefetch(_:)``.
    public static func Prefetch(_ keyPaths: [String]) -> CoreDataQueryOptions { .prefetch(keyPaths) }
    /// The same as ``propertiesOnly(_:)``.
    public static func PropertiesOnly(_ names: [String]) -> CoreDataQueryOptions { .propertiesOnly(names) }
    /// The same as ``distinct``.
    public static var Distinct: CoreDataQueryOptions { .distinct }
    /// The same as ``tweak(_:)``.
    public static func Tweak(_ block: @escaping (NSFetchRequestBase) -> Void) -> CoreDataQueryOptions { .tweak(block) }
}

extension CoreDataSelect {
    /// The same as ``select(_:)``.
    public static func Select(_ names: String...) -> CoreDataSelect {
        CoreDataSelect(targets: names.map { .property($0) })
    }
    /// The same as ``expression(_:)``.
    public static func Expression(_ description: NSExpressionDescription) -> CoreDataSelect { .expression(description) }
    /// The same as ``average(_:alias:)``.
    public static func Average(_ key: String, alias: String? = nil) -> CoreDataSelect { .average(key, alias: alias) }
    /// The same as ``sum(_:alias:)``.
    public static func Sum(_ key: String, alias: String? = nil) -> CoreDataSelect { .sum(key, alias: alias) }
    /// The same as ``stdDev(_:alias:)``.
    public static func StdDev(_ key: String, alias: String? = nil) -> CoreDataSelect { .stdDev(key, alias: alias) }
    /// The same as ``min(_:alias:)``.
    public static func Min(_ key: String, alias: String? = nil) -> CoreDataSelect { .min(key, alias: alias) }
    /// The same as ``max(_:alias:)``.
    public static func Max(_ key: String, alias: String? = nil) -> CoreDataSelect { .max(key, alias: alias) }
    /// The same as ``median(_:alias:)``.
    public static func Median(_ key: String, alias: String? = nil) -> CoreDataSelect { .median(key, alias: alias) }
    /// The same as ``count(_:alias:)``.
    public static func Count(_ key: String, alias: String? = nil) -> CoreDataSelect { .count(key, alias: alias) }
}
