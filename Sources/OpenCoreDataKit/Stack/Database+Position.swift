extension Database {
    /// Returns the present position. A program that follows it reads everything that this program has saved.
    ///
    /// - Returns: `nil` for stores in files, where all readers see what was saved.
    /// - Throws: ``DatabaseError/closed(name:)``, or an error of the store.
    public func position() async throws -> FeedPosition? {
        let operation = try await core.gate.enter()
        defer { core.gate.leave(operation) }
        return try await ServerStores(session)?.position()
    }

    /// Has all that is read from now on contain what a position names, whichever machine it came from.
    ///
    /// - Throws: ``DatabaseError/closed(name:)``; `NSPersistentStoreOperationError` for a string that is no position. Positions
    ///   of other stores have no effect.
    public func follow(_ position: FeedPosition) async throws {
        let operation = try await core.gate.enter()
        defer { core.gate.leave(operation) }
        try await ServerStores(session)?.follow(position)
    }
}
