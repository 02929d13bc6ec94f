extension Database {
    /// The configuration of a database.
    public struct Configuration: Sendable {
        /// The name. It is the name of the model, and of files without a name of their own.
        public var name: String
        /// The source of the model.
        public var model: ModelSource
        /// The stores.
        public var stores: [Store]
        /// The parents of the database's contexts, and which contexts merge each other's saves.
        public var layout: Layout
        /// The order of `write` blocks. Both values have the same effect.
        public var writes: WriteOrder
        /// Called with errors of work that no caller awaits, on any thread. By default they are logged.
        public var onBackgroundError: (@Sendable (any Error) -> Void)?

        /// Creates a configuration. By default it is a SQLite file in the application support folder, with the model of
        /// the same name.
        ///
        /// Nothing is opened or checked here; ``Database/open(_:)`` does that. Several stores need configurations of
        /// the model that say which entities each of them keeps.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - model: The source of the model.
        ///   - stores: The stores.
        ///   - layout: The parents of the contexts, and which contexts merge each other's saves.
        ///   - writes: The order of `write` blocks. Both values have the same effect.
        ///   - onBackgroundError: A handler for errors of work that no caller awaits.
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

        /// Returns a copy with a single store in memory instead of its stores. Files are neither read nor changed.
        ///
        /// For tests and previews: the model, the layout and the other settings stay. Configurations of several stores
        /// are joined in the one store, which keeps all entities.
        ///
        /// ```swift
        /// let database = try await Database.open(configuration.inMemory())
        /// ```
        ///
        /// - Returns: The changed configuration.
        public func inMemory() -> Configuration {
            var copy = self
            copy.stores = [.memory()]
            return copy
        }
    }
}
