/// How the blocks of `write` follow each other.
public enum WriteOrder: Sendable, Hashable {
    /// The same as ``serial``: what a block reads has to be unchanged when it is saved. Kept so that existing code
    /// compiles.
    case concurrent
    /// One at a time, first come, first served: a block starts when the one before is in the stores.
    case serial
}
