package import Foundation

/// What differs between the databases that the shared SQL is written for.
package protocol SQLDialect: Sendable {
    // MARK: Words

    /// A name of a table or column as a statement needs it.
    func quoted(_ name: String) -> String
    /// A name of a table as a statement needs it.
    func table(_ name: String) -> String
    /// A truth value as a condition.
    func truth(_ value: Bool) -> String
    /// The end of a statement that makes one group of all rows.
    var emptyGroup: SQLFragment { get }
    /// A term of ORDER BY. Missing values come first in ascending order, and last in descending order.
    func order(_ term: SQLFragment, ascending: Bool) -> SQLFragment
    /// A select of distinct rows in an order, whose terms need not be among what is selected.
    ///
    /// - Parameters:
    ///   - list: What is selected.
    ///   - rows: The rest of the statement, before ORDER BY.
    ///   - orders: The terms of ORDER BY.
    func distinct(_ list: [SQLFragment], _ rows: SQLFragment, orders: [SQLFragment]) -> SQLFragment
    /// A term of ORDER BY that leaves the order as it is.
    var noOrder: SQLFragment { get }

    // MARK: Values

    /// A bound value where a value of the type is expected.
    func placeholder(_ value: SQLValue, type: SQLValueType) -> SQLFragment
    /// A decimal as it is bound.
    func constant(_ decimal: Decimal) -> SQLValue
    /// `left sign right`, with `<`, `<=`, `>`, `>=` or `=`, where the database needs another form; `nil` where it doesn't.
    func comparison(_ left: SQLTerm, _ sign: SQLFragment, _ right: SQLTerm) -> SQLFragment?
    /// A value as one of another type.
    func cast(_ value: SQLFragment, to type: SQLValueType) -> SQLFragment
    /// `left sign right`, with `+`, `-`, `*` or `/`: whole numbers stay whole if both are; nothing is what divides by zero.
    func arithmetic(_ sign: SQLFragment, _ left: SQLFragment, _ right: SQLFragment, isInteger: Bool) -> SQLFragment
    /// A computed value as a column of a kind takes it; `nil` for as it is.
    func assigned(_ value: SQLTerm, to kind: SlotKind) -> SQLFragment?
    /// A computed value for the column of an attribute: one that has no room in it ends the statement with an error.
    func fitting(_ value: SQLFragment, _ slot: SlotLayout) -> SQLFragment
    /// The number that a string begins with, or 0; NULL for NULL.
    func leadingNumber(_ text: SQLFragment) -> SQLFragment
    /// A known 0 or 1 in a comparison with a boolean, as a boolean; `nil` for other numbers, and where booleans are numbers.
    func boolean(_ value: SQLValue) -> SQLTerm?
    /// Whether the question if a collection has elements is asked with EXISTS, and not by their number.
    var asksForExistence: Bool { get }
    /// A boolean column's value as a number, 0 or 1.
    func number(ofBoolean value: SQLFragment) -> SQLFragment
    /// A date column's value as a number: seconds since the reference date.
    func number(ofDate value: SQLFragment) -> SQLFragment
    /// The columns of a composite attribute, separated by commas, as one value: NULL when all are, unless the attribute is
    /// mandatory.
    func composite(_ columns: SQLFragment, isOptional: Bool) -> SQLFragment
    /// A value for which no index is used.
    func withoutIndex(_ value: SQLFragment) -> SQLFragment
    /// What rows satisfy that are not stray, for which no index must be looked through: they belong to one of some entities, and
    /// have a key that is not negative.
    ///
    /// - Parameters:
    ///   - numbers: Those of the entities; nil where another condition compares them.
    ///   - columns: The system columns of the table that goes by an alias.
    func isSound(_ alias: String, _ columns: SystemColumns, entities numbers: [Int64]?) -> SQLFragment

    // MARK: Strings, functions, groups and lists

    /// ` LIMIT … OFFSET …`; 0 means none.
    func window(limit: Int, offset: Int) -> SQLFragment
    /// Whether two values are the same, NULL being the same as NULL; never NULL itself.
    func isSame(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment
    /// Number of UTF-16 units of a string.
    func textLength(_ text: SQLFragment) throws -> SQLFragment
    /// A string operator: 0 or 1, NULL when one of the strings is.
    func textTest(
        _ type: NSComparisonPredicate.Operator, _ text: SQLFragment, _ pattern: SQLTerm,
        options: NSComparisonPredicate.Options
    ) throws -> SQLFragment
    /// Full text search: whether a string has words, which are written as people write them for a search engine.
    func textSearch(_ words: String, in text: SQLTerm) throws -> SQLFragment
    /// A string in the form in which strings that compare equal with the options are identical.
    func foldedText(_ text: SQLFragment, options: NSComparisonPredicate.Options) throws -> SQLFragment
    /// -1, 0 or 1: the order of two strings by the rules of the user's locale.
    func localizedOrder(_ left: SQLFragment, _ right: SQLFragment) throws -> SQLFragment
    /// A call of one of the functions of the format language.
    func function(_ name: String, _ arguments: [SQLFragment]) throws -> SQLFragment
    /// A number to compute with. Where a column may hold something else, the statement ends with an error.
    func checked(_ number: SQLTerm) -> SQLFragment
    /// The sum or the average of numbers that are no decimals, the least or the greatest of values.
    func aggregate(_ function: SQLTranslator.Aggregate, _ value: SQLTerm) throws -> SQLFragment
    /// The sum or the average of decimals, exact.
    func decimalAggregate(_ function: SQLTranslator.Aggregate, _ value: SQLFragment) throws -> SQLFragment
    /// The median over the rows of a group; of an even number of values the mean of the middle two, or for values that
    /// are no numbers the lower one.
    func median(_ value: SQLFragment, isNumber: Bool) throws -> SQLFragment
    /// The standard deviation of the whole population over the rows of a group.
    func standardDeviation(_ value: SQLFragment) throws -> SQLFragment
    /// The string that a number or UUID is to string operators.
    func textForm(_ term: SQLTerm) throws -> SQLFragment
    /// The UUID that a string spells; NULL when it spells none.
    func uuid(ofText text: SQLTerm) throws -> SQLTerm
    /// A term of ORDER BY that compares strings by one of the comparison selectors.
    func collated(_ text: SQLFragment, selector: String) -> SQLFragment?
    /// A list of any length, as the right side of IN.
    func list(_ values: [SQLValue], type: SQLValueType) -> SQLFragment
    /// Whether a value is one of a list of any length.
    func membership(_ value: SQLFragment, in list: [SQLValue], type: SQLValueType) -> SQLFragment
}

extension SQLDialect {
    package func table(_ name: String) -> String { quoted(name) }

    package var noOrder: SQLFragment { "NULL" }

    package func constant(_ decimal: Decimal) -> SQLValue { SQLNumber.value(of: decimal) }

    package func comparison(_ left: SQLTerm, _ sign: SQLFragment, _ right: SQLTerm) -> SQLFragment? { nil }

    package func assigned(_ value: SQLTerm, to kind: SlotKind) -> SQLFragment? { nil }

    package func boolean(_ value: SQLValue) -> SQLTerm? { nil }

    package var asksForExistence: Bool { false }

    package func fitting(_ value: SQLFragment, _ slot: SlotLayout) -> SQLFragment { value }

    package func number(ofDate value: SQLFragment) -> SQLFragment { value }

    package func leadingNumber(_ text: SQLFragment) -> SQLFragment { "CAST(\(text) AS REAL)" }

    package func isSound(_ alias: String, _ columns: SystemColumns, entities numbers: [Int64]?) -> SQLFragment {
        let hasKey: SQLFragment = "\(name: alias).\(name: quoted(columns.key)) >= 0"
        guard let numbers else { return hasKey }
        let list = numbers.map(String.init).joined(separator: ", ")
        return "\(name: alias).\(name: quoted(columns.entity)) IN (\(name: list)) AND \(hasKey)"
    }

    package func checked(_ number: SQLTerm) -> SQLFragment { number.sql }

    package func aggregate(_ function: SQLTranslator.Aggregate, _ value: SQLTerm) throws -> SQLFragment {
        try plainAggregate(function, value)
    }

    /// The database's own function.
    package func plainAggregate(_ function: SQLTranslator.Aggregate, _ value: SQLTerm) throws -> SQLFragment {
        switch function {
        case .sum: "SUM(\(value.sql))"
        case .average: "AVG(\(value.sql))"
        case .minimum: "MIN(\(value.sql))"
        case .maximum: "MAX(\(value.sql))"
        case .count: "COUNT(\(value.sql))"
        case .median, .deviation: throw PredicateError.evaluation("A store has no function for this.")
        }
    }

    package func membership(_ value: SQLFragment, in list: [SQLValue], type: SQLValueType) -> SQLFragment {
        list.count == 1
            ? "\(value) = \(placeholder(list[0], type: type))" : "\(value) IN \(self.list(list, type: type))"
    }
}
