/// What differs between the databases that the shared SQL is written for.
package protocol SQLDialect: Sendable {
    // MARK: Words

    /// A name of a table or column as a statement needs it.
    func quoted(_ name: String) -> String
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
    func distinct(_ list: SQLFragment, _ rows: SQLFragment, orders: [SQLFragment]) -> SQLFragment

    // MARK: Values

    /// A bound value where a value of the type is expected.
    func placeholder(_ value: SQLValue, type: SQLValueType) -> SQLFragment
    /// A value as one of another type.
    func cast(_ value: SQLFragment, to type: SQLValueType) -> SQLFragment
    /// `left sign right`, with `+`, `-`, `*` or `/`: whole numbers stay whole if both are; nothing is what divides by zero.
    func arithmetic(_ sign: SQLFragment, _ left: SQLFragment, _ right: SQLFragment, isInteger: Bool) -> SQLFragment
    /// A boolean column's value as a number, 0 or 1.
    func number(ofBoolean value: SQLFragment) -> SQLFragment
    /// The columns of a composite attribute, separated by commas, as one value: NULL when all are, unless the attribute is
    /// mandatory.
    func composite(_ columns: SQLFragment, isOptional: Bool) -> SQLFragment
    /// A value for which no index is used.
    func withoutIndex(_ value: SQLFragment) -> SQLFragment

    // MARK: Texts, functions, groups and lists

    /// ` LIMIT … OFFSET …`; 0 means none.
    func window(limit: Int, offset: Int) -> SQLFragment
    /// Whether two values are the same, NULL being the same as NULL; never NULL itself.
    func isSame(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment
    /// Number of UTF-16 units of a text.
    func textLength(_ text: SQLFragment) -> SQLFragment
    /// A text operator: 0 or 1, NULL when one of the texts is.
    func textTest(
        _ type: NSComparisonPredicate.Operator, _ text: SQLFragment, _ pattern: SQLTerm,
        options: NSComparisonPredicate.Options
    ) -> SQLFragment
    /// A text in the form in which texts that compare equal with the options are identical.
    func foldedText(_ text: SQLFragment, options: NSComparisonPredicate.Options) -> SQLFragment
    /// -1, 0 or 1: the order of two texts by the rules of the user's locale.
    func localizedOrder(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment
    /// A call of one of the functions of the format language.
    func function(_ name: String, _ arguments: [SQLFragment]) -> SQLFragment
    /// The sum or the average of decimals, exact.
    func decimalAggregate(_ function: SQLTranslator.Aggregate, _ value: SQLFragment) -> SQLFragment
    /// The median over the rows of a group; of an even number of values the mean of the middle two, or for values that
    /// are no numbers the lower one.
    func median(_ value: SQLFragment, isNumber: Bool) -> SQLFragment
    /// The standard deviation of the whole population over the rows of a group.
    func standardDeviation(_ value: SQLFragment) -> SQLFragment
    /// The text that a number or UUID is to text operators.
    func textForm(_ value: SQLFragment, type: SQLValueType) -> SQLFragment
    /// The UUID that a text spells; NULL when it spells none.
    func uuid(ofText text: SQLTerm) -> SQLTerm
    /// A term of ORDER BY that compares texts by one of the comparison selectors.
    func collated(_ text: SQLFragment, selector: String) -> SQLFragment?
    /// A list of any length, as the right side of IN.
    func list(_ values: [SQLValue], type: SQLValueType) -> SQLFragment
}
