extension PersistentContainer {
    /// How far a container has come: from `reset` by `loading` to one of the others, and never back.
    public enum State: Sendable {
        /// It was not started.
        case reset
        /// Its stores are being loaded.
        case loading
        /// Its stores are loaded.
        case loaded(ContextProvider)
        /// Starting has failed. Another try needs another container.
        case failedToLoad(any Swift.Error)
    }
}
