/// A section of live results.
public struct ListSection<T> {
    /// The value that the objects of the section have in common, as a string; empty if there are no sections.
    public let name: String
    /// The title in an index; `nil` if it has none.
    public let indexTitle: String?
    /// The objects, in order.
    public let objects: [T]
}

extension ListSection: Sendable where T: Sendable {}

extension ListSection: Equatable where T: Equatable {}
