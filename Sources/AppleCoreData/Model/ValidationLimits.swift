#if canImport(ObjectiveC)
package import CoreData

/// The limits of an attribute that Xcode offers, as validation predicates.
package struct ValidationLimits {
    /// The predicates that a value must fulfil.
    package private(set) var predicates: [NSPredicate] = []
    /// For each predicate what is said of a value that does not.
    package private(set) var warnings: [String] = []

    /// Creates the predicates of limits.
    ///
    /// - Parameters:
    ///   - type: The type of the attribute. Of strings the length is limited.
    ///   - least: The least value, nil for no limit.
    ///   - most: The greatest value, nil for no limit.
    ///   - pattern: A regular expression for the whole string, nil for any.
    package init(type: NSAttributeType, least: Any?, most: Any?, pattern: String?) {
        let value =
            type == .stringAttributeType
            ? NSExpression(forKeyPath: "length") : NSExpression.expressionForEvaluatedObject()
        if let least { add(value, .greaterThanOrEqualTo, least, "The value is less than \(least).") }
        if let most { add(value, .lessThanOrEqualTo, most, "The value is greater than \(most).") }
        if let pattern {
            add(
                NSExpression.expressionForEvaluatedObject(), .matches, pattern,
                "The string does not match the pattern \(pattern).")
        }
    }

    private mutating func add(
        _ value: NSExpression, _ type: NSComparisonPredicate.Operator, _ limit: Any, _ warning: String
    ) {
        predicates.append(
            NSComparisonPredicate(
                leftExpression: value, rightExpression: NSExpression(forConstantValue: limit), modifier: .direct,
                type: type))
        warnings.append(warning)
    }
}

extension NSPropertyDescription {
    package func setValidation(predicates: [NSPredicate], warnings: [String]) {
        setValidationPredicates(predicates, withValidationWarnings: warnings)
    }
}

extension NSEntityDescription {
    package func addSubentity(_ child: NSEntityDescription) { subentities.append(child) }
}

extension NSManagedObjectModel {
    /// Looks for what the framework would stop the program for.
    ///
    /// - Throws: An error that names a relationship without a destination.
    package func validate() throws {
        for entity in entities {
            for (name, relationship) in entity.relationshipsByName where relationship.destinationEntity == nil {
                throw CoreDataError.make(
                    NSCoreDataError, "The relationship '\(entity.name ?? "").\(name)' has no destination entity.")
            }
        }
    }
}
#endif
