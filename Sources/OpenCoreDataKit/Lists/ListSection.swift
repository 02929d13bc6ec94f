/// A section of live results.
public struct ListSection<T> {
    /// The value that the objects of the section have in common, as a string; empty without sections.
    public let name: String
    /// The title in an index; `nil` for none.
    public let indexTitle: String?
    /// The objects, in order.
    public let objects: [T]
}
