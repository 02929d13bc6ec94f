extension Database {
    /// Returns the present position. A program that follows it reads everything that this program has saved.
    ///
    /// Call it after a save and pass the position on, for example in the header of a response. The position covers
    /// everything that this program saved before the call.
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
    /// Call it before the reads that handle a request with a position. For stores in files, nothing happens.
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
