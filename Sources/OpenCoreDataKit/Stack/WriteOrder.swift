/// How the blocks of `write` follow each other.
public enum WriteOrder: Sendable, Hashable {
    /// As ``serial``: what a block reads must still be so when it is saved. Code that asks for it goes on to compile.
    case concurrent
    /// One at a time, first come, first served: a block starts when the one before is in the stores.
    case serial
}
