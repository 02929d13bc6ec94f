public import OpenCoreDataKit

/// A condition on one attribute.
///
/// Made by operators, `\.name == "Zerator"`, and by ``PredicateRightValue``.
public struct FetchPredicate<Entity: NSManagedObject, Value: DatabaseFieldValue, TestValue> {
    /// The condition as Core Data has it.
    public let nsValue: NSPredicate

    /// Wraps a condition.
    ///
    /// For conditions that the operators don't offer. Whether it fits the entity is found out when the request is
    /// fetched.
    ///
    /// - Parameter nsValue: The condition.
    public init(nsValue: NSPredicate) { self.nsValue = nsValue }

    /// Compares an attribute with a value.
    ///
    /// Nothing is fetched yet. A store that can't evaluate the comparison makes the fetch throw.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute. One that reads no property of the model is an error of the program.
    ///   - operation: The kind of comparison.
    ///   - value: The value on the right.
    ///   - isInverted: Whether objects that don't fulfil the comparison are wanted, those without a value included.
    public init(
        keyPath: KeyPath<Entity, Value>, operation: NSComparisonPredicate.Operator, value: Any?,
        isInverted: Bool = false
    ) {
        let comparison = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: AttributeName.required(of: keyPath)),
            rightExpression: NSExpression(forConstantValue: value), type: operation)
        nsValue = isInverted ? NSCompoundPredicate(notPredicateWithSubpredicate: comparison) : comparison
    }

    /// Compares an attribute with a value by an operator of the format language, such as `BEGINSWITH[cd]`.
    ///
    /// An operator that the language doesn't have makes the fetch throw.
    ///
    /// Case and diacritics count unless the operator says otherwise.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute. One that reads no property of the model is an error of the program.
    ///   - operatorString: The operator, as in `BEGINSWITH[cd]`.
    ///   - value: The value on the right.
    ///   - isInverted: Whether objects that don't fulfil the comparison are wanted, those without a value included.
    public init(keyPath: KeyPath<Entity, Value>, operatorString: String, value: TestValue, isInverted: Bool = false) {
        let comparison = NSPredicate(
            format: "%K \(operatorString) %@", argumentArray: [AttributeName.required(of: keyPath), value])
        nsValue = isInverted ? NSCompoundPredicate(notPredicateWithSubpredicate: comparison) : comparison
    }
}

// MARK: Equality

/// The attribute equals a value, or is missing.
///
/// A value of `nil` finds the objects without a value. A key path that reads no property of the model is an error of
/// the program.
///
/// - Parameters:
///   - keyPath: The attribute.
///   - value: The value.
/// - Returns: The condition.
public func == <Entity: NSManagedObject, Value: DatabaseFieldValue & Equatable>(
    keyPath: KeyPath<Entity, Value>, value: Value
) -> FetchPredicate<Entity, Value, Value> {
    FetchPredicate(keyPath: keyPath, operation: .equalTo, value: value)
}

/// The attribute differs from a value; a missing one differs from every value.
///
/// A value of `nil` finds the objects with any value.
///
/// - Parameters:
///   - keyPath: The attribute.
///   - value: The value.
/// - Returns: The condition.
public func != <Entity: NSManagedObject, Value: DatabaseFieldValue & Equatable>(
    keyPath: KeyPath<Entity, Value>, value: Value
) -> FetchPredicate<Entity, Value, Value> {
    FetchPredicate(keyPath: keyPath, operation: .notEqualTo, value: value)
}

// MARK: Order

/// The attribute is less than a value.
///
/// Strings are compared by their characters' codes.
///
/// - Parameters:
///   - keyPath: The attribute.
///   - value: The value.
/// - Returns: The condition.
public func < <Entity: NSManagedObject, Value: DatabaseFieldValue & Comparable>(
    keyPath: KeyPath<Entity, Value>, value: Value
) -> FetchPredicate<Entity, Value, Value> {
    FetchPredicate(keyPath: keyPath, operation: .lessThan, value: value)
}

/// The attribute is at most a value.
///
/// Strings are compared by their characters' codes.
///
/// - Parameters:
///   - keyPath: The attribute.
///   - value: The value.
/// - Returns: The condition.
public func <= <Entity: NSManagedObject, Value: DatabaseFieldValue & Comparable>(
    keyPath: KeyPath<Entity, Value>, value: Value
) -> FetchPredicate<Entity, Value, Value> {
    FetchPredicate(keyPath: keyPath, operation: .lessThanOrEqualTo, value: value)
}

/// The attribute is greater than a value.
///
/// Strings are compared by their characters' codes.
///
/// - Parameters:
///   - keyPath: The attribute.
///   - value: The value.
/// - Returns: The condition.
public func > <Entity: NSManagedObject, Value: DatabaseFieldValue & Comparable>(
    keyPath: KeyPath<Entity, Value>, value: Value
) -> FetchPredicate<Entity, Value, Value> {
    FetchPredicate(keyPath: keyPath, operation: .greaterThan, value: value)
}

/// The attribute is at least a value.
///
/// Strings are compared by their characters' codes.
///
/// - Parameters:
///   - keyPath: The attribute.
///   - value: The value.
/// - Returns: The condition.
public func >= <Entity: NSManagedObject, Value: DatabaseFieldValue & Comparable>(
    keyPath: KeyPath<Entity, Value>, value: Value
) -> FetchPredicate<Entity, Value, Value> {
    FetchPredicate(keyPath: keyPath, operation: .greaterThanOrEqualTo, value: value)
}

/// The attribute is less than a value; a missing one is not.
///
/// - Parameters:
///   - keyPath: The attribute, which may be `nil`.
///   - value: The value.
/// - Returns: The condition.
public func < <Entity: NSManagedObject, Value: DatabaseFieldValue & Comparable>(
    keyPath: KeyPath<Entity, Value?>, value: Value
) -> FetchPredicate<Entity, Value?, Value> {
    FetchPredicate(keyPath: keyPath, operation: .lessThan, value: value)
}

/// The attribute is at most a value; a missing one is not.
///
/// - Parameters:
///   - keyPath: The attribute, which may be `nil`.
///   - value: The value.
/// - Returns: The condition.
public func <= <Entity: NSManagedObject, Value: DatabaseFieldValue & Comparable>(
    keyPath: KeyPath<Entity, Value?>, value: Value
) -> FetchPredicate<Entity, Value?, Value> {
    FetchPredicate(keyPath: keyPath, operation: .lessThanOrEqualTo, value: value)
}

/// The attribute is greater than a value; a missing one is not.
///
/// - Parameters:
///   - keyPath: The attribute, which may be `nil`.
///   - value: The value.
/// - Returns: The condition.
public func > <Entity: NSManagedObject, Value: DatabaseFieldValue & Comparable>(
    keyPath: KeyPath<Entity, Value?>, value: Value
) -> FetchPredicate<Entity, Value?, Value> {
    FetchPredicate(keyPath: keyPath, operation: .greaterThan, value: value)
}

/// The attribute is at least a value; a missing one is not.
///
/// - Parameters:
///   - keyPath: The attribute, which may be `nil`.
///   - value: The value.
/// - Returns: The condition.
public func >= <Entity: NSManagedObject, Value: DatabaseFieldValue & Comparable>(
    keyPath: KeyPath<Entity, Value?>, value: Value
) -> FetchPredicate<Entity, Value?, Value> {
    FetchPredicate(keyPath: keyPath, operation: .greaterThanOrEqualTo, value: value)
}
