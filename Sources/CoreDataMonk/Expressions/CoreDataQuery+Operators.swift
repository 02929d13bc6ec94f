import OpenCoreDataKit

/// Comparisons of a key with a value.
extension CoreDataQueryKey {
    /// The property equals the value; with nil: the property has no value.
    ///
    /// A value of another kind than the attribute's makes the fetch throw `DatabaseError.invalidQuery`. A related
    /// object can be a value, too.
    ///
    /// - Parameters:
    ///   - key: The key. Several keys joined with `|` stop the program.
    ///   - value: The value, or `nil`.
    /// - Returns: The condition.
    public static func == (key: CoreDataQueryKey, value: Any?) -> CoreDataQuery { key.compared(.equalTo, with: value) }

    /// The property differs from the value, or has none; with nil: the property has a value.
    ///
    /// A value of another kind than the attribute's makes the fetch throw `DatabaseError.invalidQuery`.
    ///
    /// - Parameters:
    ///   - key: The key. Several keys joined with `|` stop the program.
    ///   - value: The value, or `nil`.
    /// - Returns: The condition.
    public static func != (key: CoreDataQueryKey, value: Any?) -> CoreDataQuery {
        key.compared(.notEqualTo, with: value)
    }

    /// The property is greater than the value.
    ///
    /// A property without a value is never greater.
    ///
    /// - Parameters:
    ///   - key: The key. Several keys joined with `|` stop the program.
    ///   - value: The value.
    /// - Returns: The condition.
    public static func > (key: CoreDataQueryKey, value: Any) -> CoreDataQuery {
        key.compared(.greaterThan, with: value)
    }

    /// The property is less than the value.
    ///
    /// A property without a value is never less.
    ///
    /// - Parameters:
    ///   - key: The key. Several keys joined with `|` stop the program.
    ///   - value: The value.
    /// - Returns: The condition.
    public static func < (key: CoreDataQueryKey, value: Any) -> CoreDataQuery { key.compared(.lessThan, with: value) }

    /// The property is greater than the value or equals it.
    ///
    /// Objects without a value aren't found.
    ///
    /// - Parameters:
    ///   - key: The key. Several keys joined with `|` stop the program.
    ///   - value: The value.
    /// - Returns: The condition.
    public static func >= (key: CoreDataQueryKey, value: Any) -> CoreDataQuery {
        key.compared(.greaterThanOrEqualTo, with: value)
    }

    /// The property is less than the value or equals it.
    ///
    /// Objects without a value aren't found.
    ///
    /// - Parameters:
    ///   - key: The key. Several keys joined with `|` stop the program.
    ///   - value: The value.
    /// - Returns: The condition.
    public static func <= (key: CoreDataQueryKey, value: Any) -> CoreDataQuery {
        key.compared(.lessThanOrEqualTo, with: value)
    }
}

/// Comparisons of a key with another key.
extension CoreDataQueryKey {
    /// Both properties are equal; two without a value are.
    ///
    /// Both keys are of the object that the condition is evaluated for, or reached from it through relationships.
    ///
    /// - Parameters:
    ///   - left: The key on the left.
    ///   - right: The key on the right.
    /// - Returns: The condition.
    public static func == (left: CoreDataQueryKey, right: CoreDataQueryKey) -> CoreDataQuery {
        left.compared(.equalTo, with: right)
    }

    /// The properties differ.
    ///
    /// Both keys are of the object that the condition is evaluated for, or reached from it through relationships.
    ///
    /// - Parameters:
    ///   - left: The key on the left.
    ///   - right: The key on the right.
    /// - Returns: The condition.
    public static func != (left: CoreDataQueryKey, right: CoreDataQueryKey) -> CoreDataQuery {
        left.compared(.notEqualTo, with: right)
    }

    /// The left property is greater.
    ///
    /// - Parameters:
    ///   - left: The key on the left.
    ///   - right: The key on the right.
    /// - Returns: The condition.
    public static func > (left: CoreDataQueryKey, right: CoreDataQueryKey) -> CoreDataQuery {
        left.compared(.greaterThan, with: right)
    }

    /// The left property is less.
    ///
    /// - Parameters:
    ///   - left: The key on the left.
    ///   - right: The key on the right.
    /// - Returns: The condition.
    public static func < (left: CoreDataQueryKey, right: CoreDataQueryKey) -> CoreDataQuery {
        left.compared(.lessThan, with: right)
    }

    /// The left property is greater or equal.
    ///
    /// - Parameters:
    ///   - left: The key on the left.
    ///   - right: The key on the right.
    /// - Returns: The condition.
    public static func >= (left: CoreDataQueryKey, right: CoreDataQueryKey) -> CoreDataQuery {
        left.compared(.greaterThanOrEqualTo, with: right)
    }

    /// The left property is less or equal.
    ///
    /// - Parameters:
    ///   - left: The key on the left.
    ///   - right: The key on the right.
    /// - Returns: The condition.
    public static func <= (left: CoreDataQueryKey, right: CoreDataQueryKey) -> CoreDataQuery {
        left.compared(.lessThanOrEqualTo, with: right)
    }
}

extension CoreDataQueryKey {
    /// The only path of a key that is compared.
    var path: String {
        programmerError(
            unless: paths.count == 1, "The keys \(paths.joined(separator: " | ")) can be grouped by, not compared.")
        return paths[0]
    }

    fileprivate func compared(_ type: NSComparisonPredicate.Operator, with value: Any?) -> CoreDataQuery {
        compared(type, with: NSExpression(forConstantValue: OptionalValue.flatten(value)))
    }

    fileprivate func compared(_ type: NSComparisonPredicate.Operator, with key: CoreDataQueryKey) -> CoreDataQuery {
        compared(type, with: NSExpression(forKeyPath: key.path))
    }

    private func compared(_ type: NSComparisonPredicate.Operator, with right: NSExpression) -> CoreDataQuery {
        let modifier: NSComparisonPredicate.Modifier =
            switch self.modifier {
            case .direct: .direct
            case .any: .any
            case .all: .all
            }
        return CoreDataQuery(
            NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: path), rightExpression: right, modifier: modifier, type: type))
    }
}

/// Joining conditions.
extension CoreDataQuery {
    /// Both conditions hold.
    ///
    /// Conditions of equalities that are joined in this way can also say what a new object is like; see
    /// ``CoreDataUpdate/fetchOrCreate(_:_:)``.
    ///
    /// - Parameters:
    ///   - left: A condition.
    ///   - right: Another condition.
    /// - Returns: The joined condition.
    public static func && (left: CoreDataQuery, right: CoreDataQuery) -> CoreDataQuery {
        CoreDataQuery(NSCompoundPredicate(andPredicateWithSubpredicates: [left.predicate, right.predicate]))
    }

    /// One of the conditions holds at least.
    ///
    /// Binds less strongly than `&&`, as in Swift.
    ///
    /// - Parameters:
    ///   - left: A condition.
    ///   - right: Another condition.
    /// - Returns: The joined condition.
    public static func || (left: CoreDataQuery, right: CoreDataQuery) -> CoreDataQuery {
        CoreDataQuery(NSCompoundPredicate(orPredicateWithSubpredicates: [left.predicate, right.predicate]))
    }

    /// The condition does not hold.
    ///
    /// Comparisons bind less strongly, so put the condition in parentheses: `!(%"age" > 18)`.
    ///
    /// - Parameter condition: The condition.
    /// - Returns: The inverted condition.
    public static prefix func ! (condition: CoreDataQuery) -> CoreDataQuery {
        CoreDataQuery(NSCompoundPredicate(notPredicateWithSubpredicate: condition.predicate))
    }
}
