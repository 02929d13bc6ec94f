extension PersistentContainer {
    /// The state of a container. It changes from `reset` to `loading`, and then to one of the others.
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
