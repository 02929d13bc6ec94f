/// The inverse of a relationship.
public enum InverseName: Sendable, Equatable {
    /// The only relationship that can be the inverse, or no inverse if there is no such relationship.
    case found
    /// None.
    case none
    /// The one with a name.
    case named(String)
}
