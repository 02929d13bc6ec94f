import OpenCoreDataKit

// MARK: Closed ranges

extension PredicateRightValue {
    /// The attribute lies in a range, both bounds included.
    ///
    /// An object whose value equals one of the bounds is found.
    ///
    /// - Parameter range: The range.
    /// - Returns: The operator.
    public static func isIn(_ range: TestValue) -> Self
    where Value: Comparable, TestValue == ClosedRange<Value> {
        comparison(.between, [range.lowerBound, range.upperBound])
    }

    /// The attribute lies in a range, both bounds included; a missing one lies in none.
    ///
    /// Objects without a value aren't found.
    ///
    /// - Parameter range: The range.
    /// - Returns: The operator.
    public static func isIn<Bound: Comparable>(_ range: TestValue) -> Self
    where Value == Bound?, TestValue == ClosedRange<Bound> {
        comparison(.between, [range.lowerBound, range.upperBound])
    }

    /// The attribute lies outside of a range.
    ///
    /// The bounds themselves are in the range.
    ///
    /// - Parameter range: The range.
    /// - Returns: The operator.
    public static func isNotIn(_ range: TestValue) -> Self
    where Value: Comparable, TestValue == ClosedRange<Value> {
        comparison(.between, [range.lowerBound, range.upperBound], isInverted: true)
    }

    /// The attribute lies outside of a range; a missing one lies in none.
    ///
    /// Objects without a value are found.
    ///
    /// - Parameter range: The range.
    /// - Returns: The operator.
    public static func isNotIn<Bound: Comparable>(_ range: TestValue) -> Self
    where Value == Bound?, TestValue == ClosedRange<Bound> {
        comparison(.between, [range.lowerBound, range.upperBound], isInverted: true)
    }
}

// MARK: Half-open ranges

extension PredicateRightValue {
    /// The attribute lies in a range without its upper bound.
    ///
    /// The lower bound is in the range. An empty range has no values.
    ///
    /// - Parameter range: The range.
    /// - Returns: The operator.
    public static func isIn(_ range: TestValue) -> Self
    where Value: Comparable, TestValue == Range<Value> {
        Self { FetchPredicate(nsValue: HalfOpen(range, $0).inside) }
    }

    /// The attribute lies in a range without its upper bound; a missing one lies in none.
    ///
    /// Objects without a value aren't found.
    ///
    /// - Parameter range: The range.
    /// - Returns: The operator.
    public static func isIn<Bound: Comparable>(_ range: TestValue) -> Self
    where Value == Bound?, TestValue == Range<Bound> {
        Self { FetchPredicate(nsValue: HalfOpen(range, $0).inside) }
    }

    /// The attribute lies below a range, or at or above its upper bound.
    ///
    /// The upper bound itself isn't in the range, so objects that have it are found.
    ///
    /// - Parameter range: The range.
    /// - Returns: The operator.
    public static func isNotIn(_ range: TestValue) -> Self
    where Value: Comparable, TestValue == Range<Value> {
        Self { FetchPredicate(nsValue: HalfOpen(range, $0).outside) }
    }

    /// The attribute lies below a range, or at or above its upper bound, or is missing.
    ///
    /// The upper bound itself isn't in the range, so objects that have it are found.
    ///
    /// - Parameter range: The range.
    /// - Returns: The operator.
    public static func isNotIn<Bound: Comparable>(_ range: TestValue) -> Self
    where Value == Bound?, TestValue == Range<Bound> {
        Self { FetchPredicate(nsValue: HalfOpen(range, $0).outsideOrMissing) }
    }
}

/// The conditions that a half-open range comes to.
private struct HalfOpen {
    private let attribute: NSExpression
    private let lower: NSExpression
    private let upper: NSExpression

    init<Entity, Value, Bound>(_ range: Range<Bound>, _ keyPath: KeyPath<Entity, Value>) {
        attribute = NSExpression(forKeyPath: AttributeName.required(of: keyPath))
        lower = NSExpression(forConstantValue: range.lowerBound)
        upper = NSExpression(forConstantValue: range.upperBound)
    }

    private func compare(
        _ left: NSExpression, _ type: NSComparisonPredicate.Operator, _ right: NSExpression
    ) -> NSPredicate {
        NSComparisonPredicate(leftExpression: left, rightExpression: right, type: type)
    }

    var inside: NSPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: [
            compare(lower, .lessThanOrEqualTo, attribute), compare(attribute, .lessThan, upper),
        ])
    }

    private var beyond: [NSPredicate] {
        [compare(lower, .greaterThan, attribute), compare(attribute, .greaterThanOrEqualTo, upper)]
    }

    var outside: NSPredicate { NSCompoundPredicate(orPredicateWithSubpredicates: beyond) }

    var outsideOrMissing: NSPredicate {
        let missing = compare(attribute, .equalTo, NSExpression(forConstantValue: nil))
        return NSCompoundPredicate(orPredicateWithSubpredicates: beyond + [missing])
    }
}
