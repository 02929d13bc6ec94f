public import OpenCoreDataKit

/// An order by an attribute of an entity, for requests and for sorting models in memory.
///
/// In memory, objects without a value come last in both directions. In a request they come where the store has them: first
/// when ascending.
public struct Sort<Entity: NSManagedObject> {
    /// The descriptor for requests.
    public let nsSortDescriptor: NSSortDescriptor
    /// The order of two objects in memory.
    let compare: (Entity, Entity) -> ComparisonResult

    private init(
        _ keyPath: KeyPath<Entity, some Any>, _ direction: SortDirection, _ comparison: SortComparison,
        compare: @escaping (Entity, Entity) -> ComparisonResult
    ) {
        nsSortDescriptor = direction.descriptor(keyPath, comparison)
        self.compare = compare
    }

    /// The order of two values that may be missing.
    private static func order<Value>(
        _ left: Value?, _ right: Value?, _ direction: SortDirection, isBefore: (Value, Value) -> Bool
    ) -> ComparisonResult {
        switch (left, right) {
        case (let left?, let right?):
            let isAscending = isBefore(left, right)
            if !isAscending, !isBefore(right, left) { return .orderedSame }
            return isAscending == (direction == .ascending) ? .orderedAscending : .orderedDescending
        case (.some, nil): return .orderedAscending
        case (nil, .some): return .orderedDescending
        case (nil, nil): return .orderedSame
        }
    }

    private static func make<Stored, Value: Comparable>(
        _ keyPath: KeyPath<Entity, Stored>, _ direction: SortDirection, _ value: @escaping (Entity) -> Value?
    ) -> Self {
        Self(keyPath, direction, .standard) { order(value($0), value($1), direction, isBefore: <) }
    }

    private static func make<Stored>(
        _ keyPath: KeyPath<Entity, Stored>, _ direction: SortDirection, comparison: SortComparison,
        _ value: @escaping (Entity) -> String?
    ) -> Self {
        let comparator = NSSortDescriptor(key: nil, ascending: true, selector: comparison.selector).comparator
        return Self(keyPath, direction, comparison) {
            order(value($0), value($1), direction) { comparator($0, $1) == .orderedAscending }
        }
    }
}

// MARK: By values

extension Sort {
    /// Smaller values first.
    ///
    /// In memory the values are compared by `<`, and in a request by the store.
    ///
    /// - Parameter keyPath: The attribute. One that reads no property of the model is an error of the program.
    /// - Returns: The order.
    public static func ascending<Value: Comparable>(_ keyPath: KeyPath<Entity, Value>) -> Self {
        make(keyPath, .ascending) { $0[keyPath: keyPath] }
    }

    /// Smaller values first.
    ///
    /// Objects without a value come first in a request and last in memory.
    ///
    /// - Parameter keyPath: The attribute.
    /// - Returns: The order.
    public static func ascending<Value: Comparable>(_ keyPath: KeyPath<Entity, Value?>) -> Self {
        make(keyPath, .ascending) { $0[keyPath: keyPath] }
    }

    /// Larger values first.
    ///
    /// In memory the values are compared by `<`, and in a request by the store.
    ///
    /// - Parameter keyPath: The attribute. One that reads no property of the model is an error of the program.
    /// - Returns: The order.
    public static func descending<Value: Comparable>(_ keyPath: KeyPath<Entity, Value>) -> Self {
        make(keyPath, .descending) { $0[keyPath: keyPath] }
    }

    /// Larger values first.
    ///
    /// Objects without a value come last, in a request and in memory.
    ///
    /// - Parameter keyPath: The attribute.
    /// - Returns: The order.
    public static func descending<Value: Comparable>(_ keyPath: KeyPath<Entity, Value?>) -> Self {
        make(keyPath, .descending) { $0[keyPath: keyPath] }
    }

    /// By a closure that says whether a value comes before another. An SQL store can't sort by it.
    ///
    /// Use it to sort models in memory, or for a fetch from a store in memory.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - isBefore: Whether the first value comes before the second.
    /// - Returns: The order.
    public static func custom<Value>(
        on keyPath: KeyPath<Entity, Value>, using isBefore: @escaping (Value, Value) -> Bool
    ) -> Self {
        let descriptor = NSSortDescriptor(keyPath: keyPath, ascending: true) { left, right in
            guard let left = left as? Value, let right = right as? Value else { return .orderedSame }
            return order(left, right, .ascending, isBefore: isBefore)
        }
        return Self(nsSortDescriptor: descriptor) {
            order($0[keyPath: keyPath], $1[keyPath: keyPath], .ascending, isBefore: isBefore)
        }
    }

    private init(nsSortDescriptor: NSSortDescriptor, compare: @escaping (Entity, Entity) -> ComparisonResult) {
        self.nsSortDescriptor = nsSortDescriptor
        self.compare = compare
    }
}

// MARK: By strings

extension Sort {
    /// Strings in their order by a comparison.
    ///
    /// The same comparison is used in memory and by the store.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - comparison: How strings are compared.
    /// - Returns: The order.
    public static func ascending(_ keyPath: KeyPath<Entity, String>, comparison: SortComparison) -> Self {
        make(keyPath, .ascending, comparison: comparison) { $0[keyPath: keyPath] }
    }

    /// Strings in their order by a comparison.
    ///
    /// Objects without a string come first in a request and last in memory.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - comparison: How strings are compared.
    /// - Returns: The order.
    public static func ascending(_ keyPath: KeyPath<Entity, String?>, comparison: SortComparison) -> Self {
        make(keyPath, .ascending, comparison: comparison) { $0[keyPath: keyPath] }
    }

    /// Strings against their order by a comparison.
    ///
    /// The same comparison is used in memory and by the store.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - comparison: How strings are compared.
    /// - Returns: The order.
    public static func descending(_ keyPath: KeyPath<Entity, String>, comparison: SortComparison) -> Self {
        make(keyPath, .descending, comparison: comparison) { $0[keyPath: keyPath] }
    }

    /// Strings against their order by a comparison.
    ///
    /// Objects without a string come last, in a request and in memory.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - comparison: How strings are compared.
    /// - Returns: The order.
    public static func descending(_ keyPath: KeyPath<Entity, String?>, comparison: SortComparison) -> Self {
        make(keyPath, .descending, comparison: comparison) { $0[keyPath: keyPath] }
    }
}
