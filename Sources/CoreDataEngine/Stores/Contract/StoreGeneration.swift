/// A state of one store that stays readable while others write.
package protocol StoreGeneration: AnyObject, Sendable {
    /// The rows of this state that are in memory.
    var rowCache: RowCache { get }
    /// Whether the state can't be read any more because the store was closed.
    var isOver: Bool { get }
    /// Runs a block in which the store's reads, on this thread, see this state.
    func reading<Result>(_ body: () throws -> Result) throws -> Result
}

/// A store whose states can be pinned.
package protocol GenerationalStore: RowStore {
    /// Pins the present state; `nil` when the store, as it was opened, can't.
    func pinGeneration() throws -> (any StoreGeneration)?
    /// Whether `pinGeneration` gives a state.
    var canPinGenerations: Bool { get }
}
