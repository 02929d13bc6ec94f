public import Foundation

/// A definition of logical conditions for constraining a search for a fetch or for in-memory filtering.
///
/// A predicate is immutable. Predicates made from a format string are instances of ``NSComparisonPredicate`` and
/// ``NSCompoundPredicate``, so that they can be taken apart by casting.
///
/// A format string that is not valid cannot be reported by `NSPredicate(format:)`, which does not throw: the predicate
/// keeps the error, matches nothing, and a fetch that uses it throws the error. `NSPredicate(validatingFormat:)`
/// throws at once.
open class NSPredicate: NSObject, NSCopying, NSSecureCoding {
    /// What a predicate is, for code that translates or evaluates it.
    package enum Node {
        /// Always true or always false.
        case value(Bool)
        /// A closure; cannot be translated.
        case block((Any?, [String: Any]?) -> Bool)
        /// Compares two expressions.
        case comparison(NSComparisonPredicate)
        /// Combines predicates with AND, OR or NOT.
        case compound(NSCompoundPredicate)
        /// What comes after a position in an order.
        case after(any PredicatePosition)
        /// Came from a format string or a Foundation predicate that is not valid; using it throws the error.
        case invalid(any Error)
        /// A subclass of the user's own that overrides `evaluate(with:substitutionVariables:)`.
        case custom(NSPredicate)
    }

    private enum Content {
        case custom
        case value(Bool)
        case block((Any?, [String: Any]?) -> Bool)
        case after(any PredicatePosition)
        case invalid(any Error)
    }

    // Written while the predicate is being made only. A subclass elsewhere inherits the initializers as long as all
    // designated ones are public, so the others are convenience initializers that fill this in.
    private final var content: Content
    /// How many levels of predicates and expressions are nested in this one, itself included: see ``PredicateDepth``.
    // Written while the predicate is being made only.
    @exclusivity(unchecked) package internal(set) final var depth = 1

    /// What this predicate is.
    package var node: Node {
        switch content {
        case .custom: .custom(self)
        case .value(let value): .value(value)
        case .block(let block): .block(block)
        case .after(let position): .after(position)
        case .invalid(let error): .invalid(error)
        }
    }

    /// Creates a predicate for a subclass, which overrides `evaluate(with:substitutionVariables:)`.
    ///
    /// A SQL store can't evaluate such a predicate: fetch without it, and filter the objects.
    public override init() {
        content = .custom
        super.init()
    }

    /// Creates a predicate that always evaluates to a given value.
    ///
    /// A fetch with `true` finds all objects, and one with `false` finds none. In a format string they are
    /// `TRUEPREDICATE` and `FALSEPREDICATE`.
    ///
    /// - Parameter value: The result of every evaluation.
    public init(value: Bool) {
        content = .value(value)
        super.init()
    }

    /// Creates a predicate that evaluates a closure.
    ///
    /// A fetch from an SQL store cannot use such a predicate.
    ///
    /// - Parameter block: Gets the object to evaluate and the substitution variables.
    public init(block: @escaping (Any?, [String: Any]?) -> Bool) {
        content = .block(block)
        super.init()
    }

    /// Creates a predicate that finds what comes after a position in an order.
    package convenience init(after position: any PredicatePosition) {
        self.init(value: false)
        content = .after(position)
    }

    /// Creates a predicate that keeps an error until it is used.
    package convenience init(invalid error: any Error, depth: Int = 1) {
        self.init(value: false)
        content = .invalid(error)
        self.depth = depth
    }

    // MARK: Archiving

    /// Predicates can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Decodes a predicate. `nil` if the archive has none of this class.
    ///
    /// An unarchiver calls the initializer of the class that was archived, so `NSPredicate` represents predicates of
    /// every class when it decodes an object. This initializer reads those that are always true or always false.
    ///
    /// - Parameter coder: The archive.
    public required convenience init?(coder: NSCoder) {
        guard case .value(let value) = PredicateArchiving.predicate(from: coder)?.node else { return nil }
        self.init(value: value)
    }

    /// Why the predicate can't be archived: it has a block, an object, a part of a class of the application's own, or a
    /// broken format string. `nil` for one that can.
    public final var archivingError: (any Error)? { PredicateArchiving.error(in: self) }

    /// Encodes the predicate.
    ///
    /// One that has an ``archivingError`` writes that in its stead, because an archiver has no way to be given an error:
    /// reading such an archive is an error.
    ///
    /// - Parameter coder: The archive.
    open func encode(with coder: NSCoder) {
        PredicateArchiving.encode(self, with: coder)
    }

    // MARK: Evaluating

    /// The predicate's format string.
    open var predicateFormat: String { PredicateFormatPrinter.format(of: self) }

    /// Returns whether an object matches.
    ///
    /// An evaluation that fails, for example because the object lacks a key, counts as no match.
    ///
    /// - Parameter object: The object.
    open func evaluate(with object: Any?) -> Bool { evaluate(with: object, substitutionVariables: nil) }

    /// Whether an object matches, with values for the predicate's variables.
    ///
    /// A variable without a value counts as no match, and so does any other evaluation that fails. A value may be an
    /// ``NSExpression``, which is evaluated for the object.
    ///
    /// ```swift
    /// let longer = NSPredicate(format: "pages > $length")
    /// let isLong = longer.evaluate(with: book, substitutionVariables: ["length": 500])
    /// ```
    ///
    /// - Parameters:
    ///   - object: What the key paths are relative to.
    ///   - bindings: Values by variable name without `$`.
    open func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        // A subclass that doesn't override this has no condition.
        if case .custom = node { return false }
        return (try? matches(object, variables: bindings ?? [:])) ?? false
    }

    /// Whether an object matches; failures (unknown key, variable without value, broken format string) are thrown.
    package final func matches(_ object: Any?, variables: [String: Any] = [:]) throws -> Bool {
        try PredicateEvaluator(variables: variables).matches(self, object)
    }

    /// A copy of the predicate with constant values in place of variables.
    ///
    /// Use it to prepare a predicate once and to fetch with several values. A fetch with a variable that has no value
    /// throws. A subclass of the program's own returns itself.
    ///
    /// - Parameter variables: Values by variable name without `$`. Variables that are not named stay as they are.
    open func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        // The substitution of a class gives an instance of the same class; a subclass of the user's own stays itself.
        (VariableSubstitution(variables: variables).apply(to: self) as? Self) ?? self
    }

    /// Allows a predicate that was decoded from an archive to be evaluated.
    ///
    /// Predicates here always can be.
    open func allowEvaluation() {}

    /// The error of the first part of the predicate that is not valid, or nil for a usable predicate.
    package var formatError: (any Error)? { PredicateWalk.firstError(in: self) }

    // MARK: NSObject

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPredicate else { return false }
        return PredicateEquality.equal(self, other)
    }

    open override var hash: Int {
        var hasher = Hasher()
        PredicateEquality.hash(self, into: &hasher)
        return hasher.finalize()
    }

    open override var description: String { predicateFormat }
}
