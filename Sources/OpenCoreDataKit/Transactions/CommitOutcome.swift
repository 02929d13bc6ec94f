/// The outcome of a save up to the stores.
public enum CommitOutcome: Sendable, Hashable {
    /// There were changes, and they are in the stores.
    case saved
    /// There was nothing to save.
    case unchanged
}
