/// The order of `write` blocks.
public enum WriteOrder: Sendable, Hashable {
    /// The same as ``serial``: what a block reads has to be unchanged when it is saved. Kept so that existing code
    /// compiles.
    case concurrent
    /// One at a time, in order of arrival: a block starts when the previous one is in the stores.
    case serial
}
