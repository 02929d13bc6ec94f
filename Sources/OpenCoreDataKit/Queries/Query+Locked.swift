#if !canImport(ObjectiveC)
import CoreDataPlatform

extension Query {
    /// Locks the rows that the query finds until the end of the `write` in which it runs: no other block can change or lock
    /// them before. A row is found if it matches at the time when it is locked.
    ///
    /// ```swift
    /// try await database.write(locking: .rows) { context in
    ///     let waiting = Query(Job.self).filter(#Predicate { $0.state == "waiting" }).sorted(by: \.number)
    ///     guard let job = try context.first(waiting.locked(.skippingLocked)) else { return }
    ///     job.state = "done"
    /// }
    /// ```
    ///
    /// In stores that aren't on a server, a block of `write` has the whole store for itself, and there is nothing to lock.
    /// Running the query anywhere but in a block that writes throws ``DatabaseError/invalidQuery(entity:reason:)``, and so does
    /// a condition that the server can't evaluate, or an order that it can't sort by.
    ///
    /// - Parameter locking: What to do about rows that another block has locked.
    public func locked(_ locking: RowLocking = .waiting) -> Self { adding(.lock(locking)) }

    /// Sets the lock of a request in a context.
    func lockRows(of request: NSFetchRequestBase, _ layout: EntityLayout, _ context: NSManagedObjectContext) throws {
        for case .lock(let locking) in steps {
            guard context.isInTransaction else {
                throw DatabaseError.invalidQuery(
                    entity: layout.name, reason: "Rows can only be locked in a block of write.")
            }
            request.rowLock = locking == .waiting ? .waiting : .skipping
            // The values from before the lock may have changed.
            request.shouldRefreshRefetchedObjects = true
        }
    }
}

extension NSManagedObjectContext {
    /// Locks a name until the end of the `write` in which it is called, for work that only one block at a time may do and that
    /// no row represents. Waits for another block that has locked the name, in any process.
    ///
    /// In stores that aren't on a server, a block of `write` has the whole store for itself, and there is nothing to wait for.
    ///
    /// - Parameter name: Any name. It is the database's own: the same name in another database or schema is another lock.
    /// - Throws: ``DatabaseError/readOnly(_:)`` outside of a block that writes; ``DatabaseError/storeFailed(store:url:cause:)``
    ///   after the time that the store waits for locks.
    public func lock(named name: String) throws { _ = try lock(name, waits: true) }

    /// Locks a name as ``lock(named:)`` does, unless another block has locked it.
    ///
    /// Doesn't wait. Use it for work that isn't to be done twice, but may be left out. In stores that aren't on a
    /// server, the result is always `true`, because a block of `write` has the whole store for itself.
    ///
    /// - Parameter name: Any name.
    /// - Returns: Whether this block has locked it.
    /// - Throws: ``DatabaseError/readOnly(_:)`` outside of a block that writes.
    public func tryLock(named name: String) throws -> Bool { try lock(name, waits: false) }

    private func lock(_ name: String, waits: Bool) throws -> Bool {
        guard isInTransaction else {
            throw DatabaseError.readOnly("A name can only be locked in a block of write.")
        }
        for case let store as any LockingStore in persistentStoreCoordinator?.persistentStores ?? [] {
            do {
                guard try store.lock(named: name, waits: waits) else { return false }
            } catch {
                throw DatabaseError.storeFailed(store: store.url?.displayName ?? "", url: store.url, cause: error)
            }
        }
        return true
    }
}
#endif
