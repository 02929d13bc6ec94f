/// What a history request gives.
public enum NSPersistentHistoryResultType: Int, Sendable {
    /// Whether the request succeeded, as an `NSNumber`.
    case statusOnly = 0
    /// The identifiers of the changed objects, as `[NSManagedObjectID]`.
    case objectIDs = 1
    /// How many transactions matched, or changes for a fetch request of changes, as an `NSNumber`; for a deletion how
    /// many transactions it removed.
    case count = 2
    /// The transactions without their changes, as `[NSPersistentHistoryTransaction]`.
    case transactionsOnly = 3
    /// The changes, as `[NSPersistentHistoryChange]`.
    case changesOnly = 4
    /// The transactions with their changes, as `[NSPersistentHistoryTransaction]`.
    case transactionsAndChanges = 5
}
