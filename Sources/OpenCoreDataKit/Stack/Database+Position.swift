extension Database {
    /// The present position: whoever follows it reads all that this program has saved.
    ///
    /// - Returns: `nil` where all readers have what was saved anyway: for stores in files.
    /// - Throws: ``DatabaseError/closed(name:)``; an error of the store's when it can't be asked.
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
