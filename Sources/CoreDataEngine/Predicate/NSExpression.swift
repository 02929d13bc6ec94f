public import Foundation

/// An expression for use in a comparison predicate, as a fetched column or as the source of a derived attribute.
///
/// An expression is immutable. Which of the accessors may be asked depends on ``expressionType``; asking another one
/// is a programmer's error and stops with a sentence, where Apple's framework raises an exception.
open class NSExpression: NSObject, NSCopying {
    /// The kind of expression.
    ///
    /// The raw values are Apple's.
    public enum ExpressionType: UInt, Sendable {
        /// A value.
        case constantValue = 0
        /// The object being evaluated, `SELF`.
        case evaluatedObject = 1
        /// A value looked up in the bindings, `$name`.
        case variable = 2
        /// A key path of the evaluated object.
        case keyPath = 3
        /// A function with arguments.
        case function = 4
        /// The elements of either of two collections.
        case unionSet = 5
        /// The elements that two collections have in common.
        case intersectSet = 6
        /// The elements of the left collection that the right one doesn't have.
        case minusSet = 7
        /// The elements of a collection that match a predicate.
        case subquery = 13
        /// A list of expressions.
        case aggregate = 14
        /// Any key.
        case anyKey = 15
        /// A closure.
        case block = 19
        /// One of two expressions, as a predicate decides.
        case conditional = 20
        /// The result of a fetch request (Core Data's `NSFetchRequestExpressionType`).
        case fetchRequest = 50
    }

    /// What this expression is.
    // Written while the expression is being made only.
    package private(set) final var node: ExpressionNode
    /// How many levels of predicates and expressions are nested in this one, itself included: see ``PredicateDepth``.
    // Written while the expression is being made only.
    @exclusivity(unchecked) package internal(set) final var depth = 1

    /// Whether a constant of nil was given as `NSNull`, which is printed `<null>`.
    // Written while the expression is being made only.
    @exclusivity(unchecked) private(set) final var isNull = false

    package convenience init(node: ExpressionNode) {
        self.init(expressionType: .constantValue)
        depth = PredicateDepth.depth(of: node)
        self.node = depth <= PredicateDepth.limit ? node : PredicateDepth.bounded(node)
    }

    /// Creates an expression that keeps an error until it is used.
    convenience init(invalid error: any Error, depth: Int) {
        self.init(expressionType: .constantValue)
        node = .invalid(error)
        self.depth = depth
    }

    /// Creates an expression of a given type, for subclasses, which override ``expressionValue(with:context:)``.
    ///
    /// An expression of the types `.evaluatedObject` and `.anyKey` needs no override. Use the other initializers for
    /// expressions that aren't of a class of your own.
    ///
    /// - Parameter type: The type that ``expressionType`` returns.
    public init(expressionType type: ExpressionType) {
        node =
            switch type {
            case .evaluatedObject: .evaluatedObject
            case .anyKey: .anyKey
            default: .custom(type)
            }
        super.init()
    }

    /// Creates the expression of nil.
    ///
    /// `NSObject` has this initializer; there is no reason to call it.
    public override convenience init() {
        self.init(forConstantValue: nil)
    }

    /// Creates an expression of a value.
    ///
    /// A number, string, date, collection or managed object can be given as it is. `NSNull` represents `nil`.
    ///
    /// - Parameter value: The value.
    public convenience init(forConstantValue value: Any?) {
        let flat = OptionalValue.flatten(value)
        self.init(node: .constant(flat))
        if flat == nil, let value { isNull = value is NSNull }
    }

    /// Creates an expression of a value that is supplied later.
    ///
    /// ``expressionValue(with:context:)`` and `evaluate(with:substitutionVariables:)` of a predicate get the values. A
    /// variable without a value makes the evaluation fail, and a fetch throw.
    ///
    /// - Parameter string: The name of the variable, without `$`.
    public convenience init(forVariable string: String) {
        self.init(node: .variable(string))
    }

    /// Creates an expression of the value at a key path of the evaluated object.
    ///
    /// A path over a to-many relationship has a value for each object at its end. A relationship on the way that is
    /// `nil` gives `nil`. An unknown key makes the evaluation fail, and a fetch throw. The path may have an operator,
    /// such as `books.@count`.
    ///
    /// - Parameter keyPath: The key path, such as `author.name`.
    public convenience init(forKeyPath keyPath: String) {
        self.init(node: .keyPath(keyPath))
    }

    /// Creates an expression of a key path's value.
    ///
    /// The name of the key path is found when the expression is created.
    ///
    /// ```swift
    /// let expression = NSExpression(forKeyPath: \Book.title)
    /// ```
    ///
    /// - Parameter keyPath: A key path of a class whose key paths are known by name, such as a managed object class.
    ///   For others, using the expression throws.
    public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        do {
            self.init(node: .keyPath(try KeyPathNames.requiredName(of: keyPath)))
        } catch {
            self.init(node: .invalid(error))
        }
    }

    /// Creates an expression that calls one of the predefined functions.
    ///
    /// Arguments that aren't expressions are constants. A function that isn't known, or a number of arguments that it
    /// doesn't take, makes the evaluation fail, and a fetch throw.
    ///
    /// ```swift
    /// let latest = NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "year")])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The function's name, for example `sum:`, `from:subtract:` or `now`.
    ///   - parameters: The arguments as expressions.
    public convenience init(forFunction name: String, arguments parameters: [Any]) {
        self.init(node: .function(name, parameters.map(NSExpression.wrap)))
    }

    /// Creates an expression that calls a method of the value of another expression.
    ///
    /// Known here are `valueForKey:`, `valueForKeyPath:`, the predefined functions and the comparison selectors.
    ///
    /// - Parameters:
    ///   - target: Whose value is called.
    ///   - name: The method's selector.
    ///   - parameters: The arguments as expressions.
    public convenience init(forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?) {
        let arguments = (parameters ?? []).map(NSExpression.wrap)
        if name == "valueForKeyPath:" || name == "valueForKey:", arguments.count == 1,
            let path = arguments[0].keyPathString
        {
            self.init(node: .operandKeyPath(target, path))
        } else {
            self.init(node: .call(target, name, arguments))
        }
    }

    /// Creates an expression of a list of expressions.
    ///
    /// Elements that aren't expressions are constants. It is the list on the right of `IN` and `BETWEEN`.
    ///
    /// - Parameter subexpressions: The expressions.
    public convenience init(forAggregate subexpressions: [Any]) {
        self.init(node: .aggregate(subexpressions.map(NSExpression.wrap)))
    }

    /// Creates an expression of the union of two collections.
    ///
    /// Elements of the right collection that the left one has are left out. A value that isn't a collection counts as
    /// one element, and `nil` as none. Stores can't evaluate it if it depends on the rows.
    ///
    /// - Parameters:
    ///   - left: One collection.
    ///   - right: The other collection.
    public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
        self.init(node: .unionSet(left, right))
    }

    /// Creates an expression of the elements that two collections have in common.
    ///
    /// The elements are those of the left collection, in its order. Stores can't evaluate it if it depends on the rows.
    ///
    /// - Parameters:
    ///   - left: One collection.
    ///   - right: The other collection.
    public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
        self.init(node: .intersectSet(left, right))
    }

    /// Creates an expression of the elements of one collection that aren't in another.
    ///
    /// The elements keep their order. Stores can't evaluate it if it depends on the rows.
    ///
    /// - Parameters:
    ///   - left: The collection whose elements are kept.
    ///   - right: The collection whose elements are left out.
    public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
        self.init(node: .minusSet(left, right))
    }

    /// Creates an expression of the elements of a collection that match a predicate.
    ///
    /// `SELF` and plain key paths in the predicate are those of the object outside; `$variable` is the element. A
    /// collection that is `nil` has no elements. In a fetch, the collection has to be a to-many relationship, and the
    /// result is usually counted.
    ///
    /// ```swift
    /// let longBooks = NSPredicate(format: "SUBQUERY(books, $book, $book.pages > 500).@count > 3")
    /// ```
    ///
    /// - Parameters:
    ///   - expression: The collection.
    ///   - variable: The name, without `$`, under which the predicate refers to an element.
    ///   - predicate: What an element has to match.
    public convenience init(
        forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate
    ) {
        self.init(node: .subquery(expression, variable, predicate))
    }

    /// Creates an expression of a closure.
    ///
    /// Arguments without a value are `NSNull`. A store can't evaluate it if an argument depends on the rows: the fetch
    /// throws.
    ///
    /// - Parameters:
    ///   - block: Gets the evaluated object, the arguments' values and the context.
    ///   - arguments: The arguments as expressions.
    public convenience init(
        block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?
    ) {
        self.init(node: .block(block, arguments ?? []))
    }

    /// Creates an expression whose value is that of one of two expressions.
    ///
    /// Only the expression that is used is evaluated. Its format string is `TERNARY(predicate, first, second)`.
    ///
    /// - Parameters:
    ///   - predicate: Decides.
    ///   - trueExpression: The expression used when the predicate matches.
    ///   - falseExpression: The expression used when it does not.
    public convenience init(
        forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression
    ) {
        self.init(node: .conditional(predicate, trueExpression, falseExpression))
    }

    /// Creates an expression by parsing a format string, for example `max(price) * 2` or `%K + 1`.
    ///
    /// A format string that is not valid gives an expression that makes a fetch throw the reason.
    ///
    /// - Parameters:
    ///   - expressionFormat: The format string.
    ///   - args: One value for each placeholder, in order.
    public convenience init(format expressionFormat: String, _ args: any CVarArg...) {
        self.init(node: PredicateFormatParser.expression(expressionFormat, arguments: args).node)
    }

    /// Creates an expression by parsing a format string with the arguments in an array.
    ///
    /// A format string that isn't valid gives an expression that makes a fetch throw the reason.
    ///
    /// - Parameters:
    ///   - expressionFormat: The format, such as `pages * %@`.
    ///   - arguments: One value for each placeholder, in order.
    public convenience init(format expressionFormat: String, argumentArray arguments: [Any]) {
        self.init(node: PredicateFormatParser.expression(expressionFormat, arguments: arguments).node)
    }

    /// Not available: what a C argument list holds can't be determined off Apple's platforms.
    @available(
        *, unavailable,
        message: "A CVaListPointer can't be read off Apple's platforms; pass the values as argumentArray:."
    )
    public convenience init(format expressionFormat: String, arguments argList: CVaListPointer) {
        self.init(format: expressionFormat, argumentArray: [])
    }

    /// Creates an expression by parsing a format string. Use it for strings that come from outside the program.
    ///
    /// Unlike `init(format:argumentArray:)`, it doesn't keep the error until the expression is used. Too few arguments
    /// for the placeholders are an error, too.
    ///
    /// - Parameters:
    ///   - expressionFormat: The format string.
    ///   - arguments: The values of its placeholders.
    /// - Throws: A `CocoaError` with the code `formatting` that says what was expected, and where.
    public convenience init(validatingFormat expressionFormat: String, argumentArray arguments: [Any] = []) throws {
        let expression = PredicateFormatParser.expression(expressionFormat, arguments: arguments)
        if let error = expression.formatError { throw error }
        self.init(node: expression.node)
    }

    /// The expression of the evaluated object, `SELF`.
    ///
    /// In a comparison such as `SELF IN %@` it represents the object itself. For an element of an array of strings or
    /// numbers, it is that value.
    open class func expressionForEvaluatedObject() -> NSExpression { NSExpression(node: .evaluatedObject) }

    /// The expression of any key, `ANYKEY`.
    ///
    /// It is there to be parsed and printed. It can't be evaluated: a fetch that uses it throws.
    open class func expressionForAnyKey() -> NSExpression { NSExpression(node: .anyKey) }

    /// The error of the first part of the expression that is not valid, or nil for a usable expression.
    package final var formatError: (any Error)? { PredicateWalk.firstError(in: self) }

    /// An expression as it is, any other value as a constant.
    package static func wrap(_ value: Any) -> NSExpression {
        (value as? NSExpression) ?? NSExpression(forConstantValue: value)
    }

    // MARK: Parts

    /// The kind of expression.
    open var expressionType: ExpressionType {
        switch node {
        case .constant, .invalid: .constantValue
        case .evaluatedObject: .evaluatedObject
        case .variable: .variable
        case .keyPath: .keyPath
        case .operandKeyPath, .function, .call: .function
        case .aggregate: .aggregate
        case .unionSet: .unionSet
        case .intersectSet: .intersectSet
        case .minusSet: .minusSet
        case .subquery: .subquery
        case .anyKey: .anyKey
        case .block: .block
        case .conditional: .conditional
        case .fetch: .fetchRequest
        case .custom(let type): type
        }
    }

    /// The value of a constant. Numbers are `NSNumber`, whatever they were given as.
    open var constantValue: Any? {
        switch node {
        case .constant(let value): ExpressionResult.object(for: value)
        case .invalid: nil
        default: inapplicable("constantValue")
        }
    }

    /// The value of a constant as the engine computes with it; nil for other expressions.
    package final var rawConstant: Any? {
        if case .constant(let value) = node { value } else { nil }
    }

    /// The key path of a key path expression.
    open var keyPath: String {
        if case .keyPath(let path) = node { path } else { inapplicable("keyPath") }
    }

    /// The function's name or the method's selector.
    ///
    /// A key path on another expression is the method `valueForKeyPath:`.
    open var function: String {
        switch node {
        case .function(let name, _), .call(_, let name, _): name
        case .operandKeyPath: "valueForKeyPath:"
        default: inapplicable("function")
        }
    }

    /// The name of a variable, or of a subquery's iterator variable, without `$`.
    open var variable: String {
        switch node {
        case .variable(let name), .subquery(_, let name, _): name
        default: inapplicable("variable")
        }
    }

    /// Whose method a function calls.
    open var operand: NSExpression {
        switch node {
        case .operandKeyPath(let operand, _), .call(let operand, _, _): operand
        case .keyPath: NSExpression(node: .evaluatedObject)
        case .function: NSExpression(forConstantValue: nil)
        default: inapplicable("operand")
        }
    }

    /// The arguments of a function or closure.
    open var arguments: [NSExpression]? {
        switch node {
        case .function(_, let arguments), .call(_, _, let arguments), .block(_, let arguments): arguments
        case .operandKeyPath(_, let path): [NSExpression(node: .keyPath(path))]
        default: inapplicable("arguments")
        }
    }

    /// The list of expressions of an aggregate, or the collection of a subquery.
    open var collection: Any {
        switch node {
        case .aggregate(let elements): elements
        case .subquery(let collection, _, _): collection
        default: inapplicable("collection")
        }
    }

    /// The predicate of a subquery or conditional.
    open var predicate: NSPredicate {
        switch node {
        case .subquery(_, _, let predicate), .conditional(let predicate, _, _): predicate
        default: inapplicable("predicate")
        }
    }

    /// The left expression of a set operation.
    open var left: NSExpression {
        switch node {
        case .unionSet(let left, _), .intersectSet(let left, _), .minusSet(let left, _): left
        default: inapplicable("left")
        }
    }

    /// The right expression of a set operation.
    open var right: NSExpression {
        switch node {
        case .unionSet(_, let right), .intersectSet(_, let right), .minusSet(_, let right): right
        default: inapplicable("right")
        }
    }

    /// The expression used when a conditional's predicate matches.
    open var `true`: NSExpression {
        if case .conditional(_, let result, _) = node { result } else { inapplicable("true") }
    }

    /// The expression used when a conditional's predicate does not match.
    open var `false`: NSExpression {
        if case .conditional(_, _, let result) = node { result } else { inapplicable("false") }
    }

    /// The closure of a block expression.
    open var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any {
        if case .block(let block, _) = node { block } else { inapplicable("expressionBlock") }
    }

    private func inapplicable(_ property: String) -> Never {
        programmerError("The expression \(description) of type \(expressionType) has no \(property).")
    }

    /// The key path of an expression that names one: a key path expression or a constant string.
    package final var keyPathString: String? {
        switch node {
        case .keyPath(let path): path
        case .constant(let value): value as? String
        default: nil
        }
    }

    // MARK: Evaluating

    /// Evaluates the expression for an object.
    ///
    /// Nothing is thrown: use a fetch, or evaluate a predicate in it, to learn why an evaluation fails. Faults of
    /// managed objects are fired.
    ///
    /// - Parameters:
    ///   - object: The object to which key paths are relative.
    ///   - context: Values for variables by name, without `$`.
    /// - Returns: The value; `nil` if the expression has no value or the evaluation failed. Numbers are `NSNumber`.
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        // A subclass that doesn't override this has no value.
        if case .custom = node { return nil }
        return ExpressionResult.object(for: try? value(with: object, variables: OptionalValue.bindings(of: context)))
    }

    /// Evaluates the expression; failures (unknown key, variable without value, broken format string) are thrown.
    package final func value(with object: Any?, variables: [String: Any] = [:]) throws -> Any? {
        try PredicateEvaluator(variables: variables).value(of: self, object)
    }

    /// Allows an expression that was decoded from an archive to be evaluated.
    ///
    /// Expressions here always can be.
    open func allowEvaluation() {}

    /// The expression with constants in place of variables.
    ///
    /// Subclasses that hold expressions override this.
    package func substituting(_ variables: [String: Any]) -> NSExpression {
        VariableSubstitution(variables: variables).applyToNode(of: self)
    }

    // MARK: NSObject

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSExpression else { return false }
        return PredicateEquality.equal(self, other)
    }

    open override var hash: Int {
        var hasher = Hasher()
        PredicateEquality.hash(self, into: &hasher)
        return hasher.finalize()
    }

    open override var description: String {
        // The printer asks a subclass for its own text.
        if case .custom = node { return "\(type(of: self))" }
        return PredicateFormatPrinter.format(of: self)
    }
}
