/// What differs between the databases that the shared SQL is written for.
protocol SQLDialect: Sendable {
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
    func list(_ values: [SQLValue]) -> SQLFragment
}
