import Foundation

/// Noting what could not be read, and keeping it from being saved.
extension NSManagedObjectContext {
    /// Notes a change that needed what could not be read: were it saved, it might be on top of anything.
    final func recordBlindChange(of key: String, of object: NSManagedObject) {
        // Changed by what is called when the row was found missing: there is nothing to be read.
        guard !object.state.contains(.firing) else { return }
        let relationship = object.layout.relationship(named: key)
        let known =
            relationship.flatMap { failedReads.failure(.toMany($0), of: object) }
            ?? failedReads.failure(.row, of: object)
        let cause =
            known?.cause ?? CoreDataError.make(NSPersistentStoreOperationError, "The store did not answer.")
        failedReads.record(cause, .change(key), of: object)
    }

    /// Throws an error that no caller was notified of yet.
    final func throwUnreported() throws {
        guard !failedReads.isEmpty, let error = failedReads.takeUnreported() else { return }
        throw error
    }

    /// Reads what could not be read before; throws while it can't be, and after changes that were made on top of it.
    ///
    /// To be called before anything is written.
    final func requireReads() throws {
        guard !failedReads.isEmpty else { return }
        try throwUnreported()
        for failure in failedReads.all {
            if let object = failure.object, canStillBeSaved(object) { try makeGood(failure, object) }
            failedReads.forget(failure)
        }
    }

    /// Whether an object is one of this context's, and of a store that is still there.
    private func canStillBeSaved(_ object: NSManagedObject) -> Bool {
        guard let table = object.table, table.registry === registry else { return false }
        guard let store = table.store else { return true }
        return persistentStoreCoordinator?.persistentStores.contains { $0 === store } == true
    }

    private func makeGood(_ failure: FailedReads.Failure, _ object: NSManagedObject) throws {
        do {
            switch failure.part {
            case .row:
                if object.isUnread { try fill([object]) }
            case .toMany(let relationship):
                guard let state = object.toManyStateIfAny(relationship), state.members == nil else { return }
                try loadToMany(relationship, of: object)
            case .fetchedProperty(let property):
                _ = try object.fetchedObjects(property)
            case .change:
                throw failure.cause
            case .deletion:
                guard object.state.isDeleted else { return }
                changeTracker.propagateAgain(object)
            }
        } catch {
            throw failure.error(error)
        }
    }
}

extension NSManagedObject {
    /// To be called after a change for which the object's values had to be known: notes it if they can't be read.
    @inline(__always)
    final func recordIfBlind(_ key: String) {
        if state.contains(.fault) { recordBlindChange(key) }
    }

    @inline(never)
    private func recordBlindChange(_ key: String) {
        if isUnread { ownContext?.recordBlindChange(of: key, of: self) }
    }

    /// The error that says why a part of the object could not be read.
    final func unreadError(_ part: FailedReads.Part) -> CocoaError? {
        ownContext?.failedReads.failure(part, of: self)?.error
    }
}
