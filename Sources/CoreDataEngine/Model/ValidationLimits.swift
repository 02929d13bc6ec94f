import Foundation

/// The limits of an attribute that Xcode offers, and the validation predicates that Apple's compiler makes of them.
package struct ValidationLimits {
    /// The predicates that a value must fulfil.
    package private(set) var predicates: [NSPredicate] = []
    /// For each predicate the error code of a value that does not.
    package private(set) var warnings: [Any] = []

    /// Makes the predicates of limits.
    ///
    /// - Parameters:
    ///   - type: The type of the attribute. Of texts the length is limited.
    ///   - least: The least value, nil for no limit.
    ///   - most: The greatest value, nil for no limit.
    ///   - pattern: A regular expression for the whole text, nil for any.
    package init(type: NSAttributeType, least: Any?, most: Any?, pattern: String?) {
        let isText = type == .stringAttributeType
        let isDate = type == .dateAttributeType
        let value = isText ? NSExpression(forKeyPath: "length") : NSExpression(expressionType: .evaluatedObject)
        if let least {
            let code =
                isText
                ? NSValidationStringTooShortError
                : isDate ? NSValidationDateTooSoonError : NSValidationNumberTooSmallError
            add(value, .greaterThanOrEqualTo, least, code)
        }
        if let most {
            let code =
                isText
                ? NSValidationStringTooLongError
                : isDate ? NSValidationDateTooLateError : NSValidationNumberTooLargeError
            add(value, .lessThanOrEqualTo, most, code)
        }
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
