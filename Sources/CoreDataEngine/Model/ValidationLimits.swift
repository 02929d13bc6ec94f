import Foundation

/// The limits of an attribute that Xcode offers, and the validation predicates that Apple's compiler makes of them.
package struct ValidationLimits {
    /// The predicates that a value must fulfil.
    package private(set) var predicates: [NSPredicate] = []
    /// For each predicate the error code of a value that does not.
    package private(set) var warnings: [Any] = []

    /// Creates the predicates of limits.
    ///
    /// - Parameters:
    ///   - type: The type of the attribute. Of strings the length is limited.
    ///   - least: The least value, nil for no limit.
    ///   - most: The greatest value, nil for no limit.
    ///   - pattern: A regular expression for the whole string, nil for any.
    package init(type: NSAttributeType, least: Any?, most: Any?, pattern: String?) {
        let isString = type == .stringAttributeType
        let value = isString ? NSExpression(forKeyPath: "length") : NSExpression(expressionType: .evaluatedObject)
        let (tooSmall, tooLarge) =
            switch type {
            case .stringAttributeType: (NSValidationStringTooShortError, NSValidationStringTooLongError)
            case .dateAttributeType: (NSValidationDateTooSoonError, NSValidationDateTooLateError)
            default: (NSValidationNumberTooSmallError, NSValidationNumberTooLargeError)
            }
        if let least { add(value, .greaterThanOrEqualTo, least, tooSmall) }
        if let most { add(value, .lessThanOrEqualTo, most, tooLarge) }
        if let pattern {
            add(
                NSExpression(expressionType: .evaluatedObject), .matches, pattern,
                NSValidationStringPatternMatchingError)
        }
    }

    private mutating func add(_ value: NSExpression, _ type: NSComparisonPredicate.Operator, _ limit: Any, _ code: Int)
    {
        let constant = NSExpression(forConstantValue: limit)
        predicates.append(NSComparisonPredicate(leftExpression: value, rightExpression: constant, type: type))
        warnings.append(NSNumber(value: code))
    }
}
