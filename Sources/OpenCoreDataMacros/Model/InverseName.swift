/// Which relationship leads back.
public enum InverseName: Sendable, Equatable {
    /// The one that can only be meant; none if there is no such.
    case found
    /// None.
    case none
    /// The one with a name.
    case named(String)
}
