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

    /// Makes all later reads include the changes up to a position, which may come from another machine.
    ///
    /// - Parameter position: The position.
    /// - Throws: ``DatabaseError/closed(name:)``; `NSPersistentStoreOperationError` if the string isn't a position.
    ///   Positions of other stores have no effect.
    public func follow(_ position: FeedPosition) async throws {
        let operation = try await core.gate.enter()
        defer { core.gate.leave(operation) }
        try await ServerStores(session)?.follow(position)
    }
}
