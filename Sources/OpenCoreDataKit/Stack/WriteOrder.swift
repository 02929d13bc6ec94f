/// How the blocks of `write` follow each other.
public enum WriteOrder: Sendable, Hashable {
    /// Side by side. Conflicts are settled by the layout's policies.
    case concurrent
    /// One at a time, first come, first served: a block starts when the one before is in the stores.
    case serial
}
