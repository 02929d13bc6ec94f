/// A position in an order, from which a predicate finds what comes later.
package protocol PredicatePosition: CustomStringConvertible {
    /// What the order compares.
    var keyPaths: [String] { get }
    /// Whether an object comes after the position.
    func isBefore(_ object: Any?) throws -> Bool
    /// The same with other forms of the values.
    func mappingValues(_ transform: (Any) -> Any?) -> Self
}
