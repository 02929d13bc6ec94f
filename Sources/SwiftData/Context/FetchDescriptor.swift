/// Which models are to be found, and in which order.
public struct FetchDescriptor<T: PersistentModel> {
    /// The condition; nil for all models.
    public var predicate: Predicate<T>?
    /// The order.
    public var sortBy: [SortDescriptor<T>]
    /// How many models are found at most; all for `nil` and 0.
    public var fetchLimit: Int?
    /// How many models are left out at the beginning.
    public var fetchOffset: Int?
    /// Whether changes that were not saved count.
    public var includePendingChanges = true
    /// The properties that are read; kept, without effect.
    public var propertiesToFetch: [PartialKeyPath<T>] = []
    /// Relationships whose models are read together.
    public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []

    /// Creates a description of the models to fetch.
    ///
    /// Unsaved changes count, and all models are found. Set the other properties to change that:
    ///
    /// ```swift
    /// var newest = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.year, order: .reverse)])
    /// newest.fetchLimit = 10
    /// ```
    ///
    /// - Parameters:
    ///   - predicate: The condition, or `nil` for all models of the class.
    ///   - sortBy: The order. Without any, the models come in no particular order.
    public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}

extension FetchDescriptor {
    /// How many models are found at most, or nil for all.
    var limit: Int? { fetchLimit.flatMap { $0 > 0 ? $0 : nil } }
    var offset: Int { max(0, fetchOffset ?? 0) }
}

// @unchecked Sendable because key paths of properties are immutable.
extension FetchDescriptor: @unchecked Sendable {}

extension FetchDescriptor: Equatable {
    /// Whether two descriptors find the same models in the same order.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.fetchLimit == rhs.fetchLimit && lhs.fetchOffset == rhs.fetchOffset
            && lhs.includePendingChanges == rhs.includePendingChanges && lhs.sortBy == rhs.sortBy
            && lhs.propertiesToFetch == rhs.propertiesToFetch
            && lhs.relationshipKeyPathsForPrefetching == rhs.relationshipKeyPathsForPrefetching
            && PredicateEquality.areEqual(lhs.predicate, rhs.predicate)
    }
}

/// Whether two predicates are written alike.
struct PredicateEquality {
    /// The variables of the second predicate by those of the first: each predicate has its own.
    private var variables: [AnyHashable: AnyHashable] = [:]

    static func areEqual<T>(_ first: Predicate<T>?, _ second: Predicate<T>?) -> Bool {
        guard let first, let second else { return first == nil && second == nil }
        var equality = PredicateEquality()
        guard equality.isVariable(first.variable, second.variable) else { return false }
        return equality.areAlike(first.expression, second.expression, 0)
    }

    private mutating func isVariable<T>(
        _ first: PredicateExpressions.Variable<T>, _ second: PredicateExpressions.Variable<T>
    ) -> Bool {
        isSame(first.key, second.key)
    }

    private mutating func isSame(_ first: PredicateExpressions.VariableID, _ second: PredicateExpressions.VariableID)
        -> Bool
    {
        let known = variables[AnyHashable(first)]
        if known == nil { variables[AnyHashable(first)] = AnyHashable(second) }
        return (known ?? AnyHashable(second)) == AnyHashable(second)
    }

    private mutating func areAlike(_ first: Any, _ second: Any, _ depth: Int) -> Bool {
        guard depth < 200, type(of: first) == type(of: second) else { return false }
        if let first = first as? PredicateExpressions.VariableID,
            let second = second as? PredicateExpressions.VariableID
        {
            return isSame(first, second)
        }
        if let first = first as? any Equatable { return isEqual(first, second) }
        let (children, others) = (Mirror(reflecting: first).children, Mirror(reflecting: second).children)
        guard children.count == others.count, !children.isEmpty else { return children.isEmpty && others.isEmpty }
        for (child, other) in zip(children, others) where !areAlike(child.value, other.value, depth + 1) {
            return false
        }
        return true
    }

    private func isEqual<Value: Equatable>(_ first: Value, _ second: Any) -> Bool { (second as? Value) == first }
}
