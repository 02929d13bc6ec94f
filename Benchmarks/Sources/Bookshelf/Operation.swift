/// One timed operation of the workload.
public enum Operation: String, CaseIterable, Sendable {
    case insert
    case insertTags = "insert-tags"
    case fetchTouch = "fetch-touch"
    case fetchIDs = "fetch-ids"
    case fetchFaults = "fetch-faults"
    case byKey = "by-key"
    case byIDMiss = "by-id-miss"
    case byIDHit = "by-id-hit"
    case predicate
    case traverse
    case traversePrefetch = "traverse-prefetch"
    case update
    case delete
    case aggregate
    case saveSmall = "save-small"
    case match
    case `import`
    case screen
    case walk
    case merge
    case cascade

    /// What the store must look like when a run begins.
    public enum StoreState: Sendable {
        /// A store with a schema and no rows, new for each run.
        case empty
        /// The store that holds everything; the operation only reads.
        case shared
        /// A copy of the store that holds everything, new for each run.
        case copy
    }

    public var storeState: StoreState {
        switch self {
        case .insert, .insertTags: .empty
        case .update, .delete, .saveSmall, .import, .merge, .cascade: .copy
        default: .shared
        }
    }
}
