/// Statements about a derived sum of one owner, whose key is their first parameter.
struct DerivedSum: Sendable {
    /// A derived attribute.
    struct Key: Hashable, Sendable {
        /// The number of the owner's entity.
        var entity: Int64
        var property: String
    }

    /// Gives the sum, what is stored, and whether they are the same.
    var read: String
    /// Stores the second parameter.
    var write: String
}
