extension Database {
    /// Runs a block with a background context of its own that reads what is in the stores. Changes are forgotten.
    ///
    /// Where a store has replicas, one of them is read from, if it has all that this program saved and followed
    /// (``follow(_:)``).
    ///
    /// - Throws: What the block throws; ``DatabaseError/closed(name:)``.
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable (Context) throws -> Result
    ) async throws -> Result {
        let operation = try await core.gate.enter()
        defer { core.gate.leave(operation) }
        let session = session
        let context = session.tree.makeBackground("read")
        guard let admission = session.admission else {
            return try await context.perform(schedule: .enqueued) { try body(context) }
        }
        return try await admission.perform(with: context) {
            ServerStores.read(with: $0)
            return try body($0)
        }
    }

    /// Runs a block with a background context of its own, and brings what it changed to the stores.
    ///
    /// Returns after the data is in the stores and the contexts that the layout says have merged it. When the block
    /// throws, or the task is cancelled, everything is as before. Identifiers of new objects that the block returns, alone
    /// or in arrays, sets, optionals and the values of dictionaries, are the permanent ones.
    ///
    /// - Throws: What the block throws; ``DatabaseError/validation(_:)`` when something is not valid, and nothing was
    ///   changed then; errors of the contexts further up and of the stores, where the changes then wait for the next save.
    @discardableResult
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (Context) throws -> Result
    ) async throws -> Result {
        let operation = try await core.gate.enter()
        defer { core.gate.leave(operation) }
        let turn = await core.turns?.take()
        defer { turn?.end() }
        try Task.checkCancellation()
        let session = session
        try await session.admission?.enter()
        defer { session.admission?.leave() }
        let context = session.tree.makeDraft()
        let (result, objects) = try await context.perform(schedule: .enqueued) {
            let result = try body(context)
            return (result, result is any IdentifierHolding ? NewObjects(of: context) : nil)
        }
        try Task.checkCancellation()
        _ = try await ClimbingSave.run(from: context)
        guard let objects, let holder = result as? any IdentifierHolding else { return result }
        let permanent = await context.perform(schedule: .enqueued) { objects.permanentIDs(in: context) }
        return holder.replacing(permanent) as? Result ?? result
    }
}
