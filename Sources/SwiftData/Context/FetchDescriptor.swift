/// Which models are to be found, and in which order.
public struct FetchDescriptor<T: PersistentModel> {
    /// The condition; nil for all models.
    public var predicate: Predicate<T>?
    /// The order.
    public var sortBy: [SortDescriptor<T>]
    /// How many models are found at most.
    public var fetchLimit: Int?
    /// How many models are left out at the beginning.
    public var fetchOffset: Int?
    /// Whether changes that were not saved count.
    public var includePendingChanges = true
    /// The properties that are read; kept, without effect.
    public var propertiesToFetch: [PartialKeyPath<T>] = []
    /// Relationships whose models are read together.
    public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []

    /// Creates one of its parts.
    public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}

// @unchecked Sendable because key paths of properties are immutable.
extension FetchDescriptor: @unchecked Sendable {}
