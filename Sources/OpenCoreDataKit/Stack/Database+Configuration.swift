extension Database {
    /// What a database is made of.
    public struct Configuration: Sendable {
        /// The name: of the model that is looked for, and of files that have no name of their own.
        public var name: String
        /// Where the model comes from.
        public var model: ModelSource
        /// Where the data is kept.
        public var stores: [Store]
        /// How the contexts are wired.
        public var layout: Layout
        /// How the blocks of `write` follow each other; both ways are the same today.
        public var writes: WriteOrder
        /// Called with errors of work that no caller awaits, on any thread. By default they are logged.
        public var onBackgroundError: (@Sendable (any Error) -> Void)?

        /// Describes a database. By default it is a SQLite file in the application support folder, with the model of
        /// the same name.
        public init(
            name: String, model: ModelSource = .byName, stores: [Store] = [.sqlite()], layout: Layout = .standard,
            writes: WriteOrder = .serial, onBackgroundError: (@Sendable (any Error) -> Void)? = nil
        ) {
            self.name = name
            self.model = model
            self.stores = stores
            self.layout = layout
            self.writes = writes
            self.onBackgroundError = onBackgroundError
        }

        /// The same with one store in memory instead of its stores. Files are neither read nor touched.
        public func inMemory() -> Configuration {
            var copy = self
            copy.stores = [.memory()]
            return copy
        }
    }
}
