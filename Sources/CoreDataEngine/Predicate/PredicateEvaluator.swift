import Foundation

/// Evaluates predicates and expressions on objects in memory.
///
/// **The rules.** They hold for SQL stores as well: a translation has to give the same answer.
///
/// *Logic.* There are two truth values. A comparison is true or false, never unknown, and NOT turns the one into the
/// other: where SQL's comparison would be NULL, it is false before NOT sees it. AND of nothing is true, OR of nothing
/// is false. AND and OR stop at the first part that decides.
///
/// *nil.*
/// - `==` is true if both sides are nil, false if one is. `!=` is exactly not `==`: `x != 5` is true where x is nil.
/// - `<`, `<=`, `>`, `>=` are false if a side is nil, or both are. BETWEEN is `>=` and `<=`, so false for nil.
/// - CONTAINS, BEGINSWITH, ENDSWITH, LIKE, MATCHES are false if a side is nil.
/// - `x IN list` is true if an element equals x by the rule of `==`: nil is IN a list that has nil. A nil list has no
///   elements. The same goes for `list CONTAINS x`.
/// - Functions and arithmetic give nil if an operand is nil, and also where there is no result: division by zero,
///   `sqrt` of a negative number, `log` and `ln` of zero and less, an index out of range.
/// - A key path through a to-one relationship that is nil is nil.
///
/// *Kinds.* Numbers of all types, booleans (1 and 0) included, compare by value: integers exactly with 64 bits, integer
/// with double exactly, two decimals exactly, decimal with double as doubles. A date compares with a number as its
/// seconds since the reference date. Number or URL against string: their string form (a whole number without fraction)
/// compared as strings. UUID against string: the string read as UUID. UUIDs and data are ordered by their bytes. Objects and
/// object IDs equal each other by identity and have no order. Any other mix of kinds is not equal, and `<`, `<=`, `>`,
/// `>=` are false.
///
/// *Strings* compare as ``StringComparison`` says. String operators take a number's or URL's string form; other kinds do not
/// match. The options apply to every operator between strings, in IN, CONTAINS and BETWEEN too.
///
/// *To-many.*
/// - A key path through a to-many relationship has one value per object at its end, nil included where the last
///   attribute or to-one is nil. A nil on the way contributes nothing (inner joins). Nested to-many relationships make
///   one flat list. Nothing is removed as a duplicate.
/// - ANY (SOME) is true if the comparison is true for at least one value, ALL if it is for each, NONE is NOT ANY. So on an
///   empty list ANY is false, ALL and NONE are true. A single value counts as a list of one, nil as a list of none.
/// - Without modifier a list compared by anything but IN, CONTAINS, `==` and `!=` is an error, and so is a list
///   compared by `==` or `!=` with a single value that is not nil. Two lists are equal if they have equal elements,
///   each as often, in whatever order. A list does not equal nil.
/// - `@count` counts all values. `@sum`, `@avg`, `@min`, `@max` skip nil; on nothing `@sum` is 0, the others are nil.
///   `@sum` is an integer if all values are, otherwise a double (decimals too, as an SQL store adds doubles);
///   `@avg` is a double. `@min` and `@max` order as `<` does. The operator may stand before the last part
///   (`books.@sum.price`) or at the end (`books.price.@sum`).
/// - SUBQUERY keeps the elements for which the predicate is true. `SELF` and plain key paths in it are those of the
///   object outside.
///
/// *Arithmetic.* `+ - *` of two integers are integers, or a double if the result does not fit. `/` of two integers is
/// cut towards zero. With any other number both become doubles. `modulus:by:` and the bit functions (`& | ^ ~ << >>`) cut to
/// integers first; shifting by 64 and more gives 0, or -1 for a negative number to the right, and by less than 0 the other way. `**` is a double. A date is a number of seconds. Strings are an error.
///
/// *Functions.* `length:` counts UTF-16 units. `uppercase:` and `lowercase:` are Unicode's without a locale,
/// `canonical:` folds as `[cd]`. `floor:`, `ceiling:`, `trunc:`, `abs:` of an integer are integers. `count:` and the other
/// aggregates skip nil.
///
/// *Failures* (unknown key, variable without value, an operand of the wrong kind, BETWEEN without two values, a broken
/// format string) are thrown by ``NSPredicate/matches(_:variables:)`` and by fetches. `evaluate(with:)` cannot throw and
/// counts them as "does not match".
struct PredicateEvaluator {
    let variables: [String: Any]
    /// How many levels the expressions have that represent the variables around what is evaluated.
    var depth = 0

    /// Whether an object matches a predicate.
    func matches(_ predicate: NSPredicate, _ object: Any?) throws -> Bool {
        switch predicate.node {
        case .value(let value): value
        case .block(let block): block(object, variables)
        case .comparison(let comparison): try matches(comparison: comparison, object)
        case .compound(let compound): try matches(compound: compound, object)
        case .after(let position): try position.isBefore(object)
        case .invalid(let error): throw error
        case .custom(let custom): try matches(custom: custom, object)
        }
    }

    private func matches(custom: NSPredicate, _ object: Any?) throws -> Bool {
        guard type(of: custom) != NSPredicate.self else {
            throw PredicateError.evaluation("A plain NSPredicate() has no condition: subclasses give it one.")
        }
        return custom.evaluate(with: object, substitutionVariables: variables)
    }

    private func matches(compound: NSCompoundPredicate, _ object: Any?) throws -> Bool {
        switch compound.compoundPredicateType {
        case .not:
            guard let part = compound.parts.first else { return true }
            return try !matches(part, object)
        case .and: return try compound.parts.allSatisfy { try matches($0, object) }
        case .or: return try compound.parts.contains { try matches($0, object) }
        }
    }

    private func matches(comparison: NSComparisonPredicate, _ object: Any?) throws -> Bool {
        let left = try value(of: comparison.leftExpression, object)
        let right = try value(of: comparison.rightExpression, object)
        let rule = ComparisonRule(comparison)
        switch comparison.comparisonPredicateModifier {
        case .direct: return try rule.compare(left, right)
        case .any: return try elements(left).contains { try rule.compare($0, right) }
        case .all: return try elements(left).allSatisfy { try rule.compare($0, right) }
        }
    }

    /// The values that ANY and ALL look at.
    private func elements(_ value: Any?) -> [Any?] {
        guard let value else { return [] }
        guard !(value is String), let elements = CollectionElements.of(value) else { return [value] }
        return elements.flatMap { element -> [Any?] in
            guard let element, !(element is NSDictionary), !(element is String) else { return [element] }
            return CollectionElements.of(element) ?? [element]
        }
    }
}
