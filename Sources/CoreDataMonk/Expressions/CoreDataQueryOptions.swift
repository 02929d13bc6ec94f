public import OpenCoreDataKit

/// Settings of a fetch, joined with `|`. Of several of one kind the last counts.
public struct CoreDataQueryOptions {
    private let settings: [(NSFetchRequestBase) -> Void]

    private init(_ setting: @escaping (NSFetchRequestBase) -> Void) { settings = [setting] }

    private init(_ settings: [(NSFetchRequestBase) -> Void]) { self.settings = settings }

    /// Only objects of the entity itself, none of its subentities.
    public static var noSubEntities: CoreDataQueryOptions { .init { $0.includesSubentities = false } }

    /// Unsaved changes are not considered.
    public static var noPendingChanges: CoreDataQueryOptions { .init { $0.includesPendingChanges = false } }

    /// Objects come without values, which are read when one is read.
    public static var noPropertyValues: CoreDataQueryOptions { .init { $0.includesPropertyValues = false } }

    /// Limits the number of results; 0 means all. A negative number stops the program.
    ///
    /// The limit applies after the order and after unsaved changes were taken into account.
    ///
    /// - Parameter count: The largest number of results.
    /// - Returns: The option.
    public static func limit(_ count: Int) -> CoreDataQueryOptions {
        programmerError(unless: count >= 0, "A limit of \(count) results is negative.")
        return .init { $0.fetchLimit = count }
    }

    /// Skips the first `count` results. A negative number stops the program.
    ///
    /// Without an order it isn't determined which results are skipped.
    ///
    /// - Parameter count: The number of results to skip.
    /// - Returns: The option.
    public static func offset(_ count: Int) -> CoreDataQueryOptions {
        programmerError(unless: count >= 0, "An offset of \(count) results is negative.")
        return .init { $0.fetchOffset = count }
    }

    /// Reads the values of `size` objects at a time, when one of them is used. A negative number stops the program.
    ///
    /// 0 reads the values of all objects at once.
    ///
    /// - Parameter size: The number of objects in a batch.
    /// - Returns: The option.
    public static func batch(_ size: Int) -> CoreDataQueryOptions {
        programmerError(unless: size >= 0, "A batch of \(size) objects is negative.")
        return .init { $0.fetchBatchSize = size }
    }

    /// The objects that these relationships, or paths of relationships, reach are read along.
    ///
    /// Saves a query for each object where the program goes through the relationships of all results. A path that isn't
    /// a relationship makes the fetch throw `DatabaseError.invalidQuery`.
    ///
    /// - Parameter keyPaths: The relationships, or paths such as `author.books`.
    /// - Returns: The option.
    public static func prefetch(_ keyPaths: [String]) -> CoreDataQueryOptions {
        .init { $0.relationshipKeyPathsForPrefetching = keyPaths }
    }

    /// Only these attributes are read, others when they are asked for. Means nothing to `query` and `queryValue`.
    ///
    /// This is a hint: objects are the same with and without it.
    ///
    /// - Parameter names: The names of attributes.
    /// - Returns: The option.
    public static func propertiesOnly(_ names: [String]) -> CoreDataQueryOptions {
        .init { request in
            guard request.resultType == .managedObjectResultType else { return }
            request.propertiesToFetch = names
        }
    }

    /// Equal rows are returned once.
    public static var distinct: CoreDataQueryOptions { .init { $0.returnsDistinctResults = true } }

    /// Whatever else a request can be given.
    ///
    /// Called each time that the query is run, on the queue of the context. The entity of the request can't be changed.
    ///
    /// - Parameter block: Gets the request when the options before this one have been set.
    /// - Returns: The option.
    public static func tweak(_ block: @escaping (NSFetchRequestBase) -> Void) -> CoreDataQueryOptions { .init(block) }

    /// The settings of the left, then those of the right.
    ///
    /// Where both have the same setting, the right one counts.
    ///
    /// - Parameters:
    ///   - left: Options that are set first.
    ///   - right: Options that are set afterwards.
    /// - Returns: The joined options.
    public static func | (left: CoreDataQueryOptions, right: CoreDataQueryOptions) -> CoreDataQueryOptions {
        CoreDataQueryOptions(left.settings + right.settings)
    }

    func apply(to request: NSFetchRequestBase) {
        for setting in settings { setting(request) }
    }
}
