public import Foundation

/// A specialized predicate that evaluates logical combinations of other predicates.
open class NSCompoundPredicate: NSPredicate {
    /// How predicates are combined.
    ///
    /// The raw values are Apple's.
    public enum LogicalType: UInt, Sendable {
        /// The only subpredicate is false.
        case not = 0
        /// All subpredicates are true.
        case and = 1
        /// At least one subpredicate is true.
        case or = 2
    }

    /// How the subpredicates are combined.
    open var compoundPredicateType: LogicalType { type }
    /// The predicates that are combined.
    ///
    /// Apple declares the array without an element type, hence `Any`.
    open var subpredicates: [Any] { parts }

    /// The predicates that are combined, typed.
    package final let parts: [NSPredicate]
    private let type: LogicalType
    // Written while the predicate is being made only.
    private final var error: (any Error)?

    package override var node: Node {
        if let error { return .invalid(error) }
        return .compound(self)
    }

    /// Creates a combination of predicates.
    ///
    /// Evaluation stops at the first predicate that decides. Without predicates, `and` and `not` are true, and `or` is
    /// false. Of several predicates, `not` uses the first one.
    ///
    /// - Parameters:
    ///   - type: How the predicates are combined.
    ///   - subpredicates: The predicates; one for `not`.
    public init(type: LogicalType, subpredicates: [NSPredicate]) {
        self.type = type
        let (parts, depth) = PredicateDepth.parts(subpredicates)
        self.parts = parts
        error = nil
        super.init()
        self.depth = depth
    }

    /// Creates a predicate that is true if all of the given ones are.
    ///
    /// Evaluation stops at the first predicate that is false. An empty array gives a predicate that is always true, so
    /// conditions can be collected one by one.
    ///
    /// ```swift
    /// var conditions: [NSPredicate] = [NSPredicate(format: "pages > 100")]
    /// if let title { conditions.append(NSPredicate(format: "title CONTAINS[cd] %@", title)) }
    /// request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: conditions)
    /// ```
    ///
    /// - Parameter subpredicates: The predicates.
    public convenience init(andPredicateWithSubpredicates subpredicates: [NSPredicate]) {
        self.init(type: .and, subpredicates: subpredicates)
    }

    /// Creates a predicate that is true if at least one of the given ones is.
    ///
    /// Evaluation stops at the first predicate that is true. An empty array gives a predicate that is always false.
    ///
    /// - Parameter subpredicates: The predicates.
    public convenience init(orPredicateWithSubpredicates subpredicates: [NSPredicate]) {
        self.init(type: .or, subpredicates: subpredicates)
    }

    /// Creates a predicate that is true if the given one is false.
    ///
    /// A comparison with `nil` is true or false like any other, so exactly one of a predicate and its negation matches
    /// an object, unless the evaluation fails.
    ///
    /// - Parameter predicate: The predicate.
    public convenience init(notPredicateWithSubpredicate predicate: NSPredicate) {
        self.init(type: .not, subpredicates: [predicate])
    }

    /// Decodes a combination. `nil` if the archive has none.
    ///
    /// An archive of any other predicate gives a combination that has it as the only part.
    ///
    /// - Parameter coder: The archive.
    public required convenience init?(coder: NSCoder) {
        guard let decoded = PredicateArchiving.predicate(from: coder) else { return nil }
        guard let compound = decoded as? NSCompoundPredicate else {
            // A combination of one predicate is written as that predicate.
            self.init(type: .and, subpredicates: [decoded])
            return
        }
        self.init(type: compound.type, subpredicates: compound.parts)
    }

    convenience init(invalidCompound error: any Error) {
        self.init(type: .and, subpredicates: [])
        self.error = error
    }
}
