import Foundation

/// What went wrong in calls that can't throw, until a fetch or save of the context throws it.
struct ContextFailures {
    /// What could not be read; the next fetch or save reports it.
    var reads = FailedReads()
    /// Values that could not be read, because they are damaged or their external files are missing.
    var values = UnreadableExternalValues()
    /// What the program did wrong; the next save throws it.
    private var mistake: (any Error)?

    /// Records a mistake. The first one is kept until a save has thrown it.
    mutating func record(mistake error: any Error) { if mistake == nil { mistake = error } }

    /// The recorded mistake, which is reported with that.
    mutating func takeMistake() -> (any Error)? {
        defer { mistake = nil }
        return mistake
    }

    /// Forgets what no save has to throw once the changes are given up.
    mutating func rollback() {
        reads = FailedReads()
        mistake = nil
    }

    /// Forgets all objects.
    mutating func reset() {
        rollback()
        values.removeAll()
    }
}

/// Noting what could not be read, and keeping it from being saved.
extension NSManagedObjectContext {
    /// Notes a change that needed what could not be read: were it saved, it might be on top of anything.
    final func recordBlindChange(of key: String, of object: NSManagedObject) {
        // Changed by what is called when the row was found missing: there is nothing to be read.
        guard !object.state.contains(.firing) else { return }
        let relationship = object.layout.relationship(named: key)
        let known =
            relationship.flatMap { failures.reads.failure(.toMany($0), of: object) }
            ?? failures.reads.failure(.row, of: object)
        let cause =
            known?.cause ?? CoreDataError.make(NSPersistentStoreOperationError, "The store did not answer.")
        failures.reads.record(cause, .change(key), of: object)
    }

    /// Throws an error that no caller was notified of yet.
    final func throwUnreported() throws {
        guard !failures.reads.isEmpty, let error = failures.reads.takeUnreported() else { return }
        throw error
    }

    /// Reads what could not be read before; throws while it can't be, and after changes that were made on top of it.
    ///
    /// To be called before anything is written.
    final func requireReads() throws {
        guard !failures.reads.isEmpty else { return }
        try throwUnreported()
        for failure in failures.reads.all {
            if let object = failure.object, canStillBeSaved(object) { try makeGood(failure, object) }
            failures.reads.forget(failure)
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
        ownContext?.failures.reads.failure(part, of: self)?.error
    }
}

/// What only the program itself can have done wrong, by methods that can't throw: the next save throws it, once.
extension NSManagedObjectContext {
    /// Notes a mistake. The first one is kept until a save has thrown it.
    @inline(never)
    final func recordMistake(_ error: any Error) {
        failures.record(mistake: error)
    }

    /// Throws what was recorded, once.
    final func throwMistake() throws {
        if let error = failures.takeMistake() { throw error }
    }

    /// Notes that an object without an entity was to be inserted, which can't be saved.
    @inline(never)
    final func recordInsertionWithoutEntity(_ object: NSManagedObject) {
        recordMistake(
            CoreDataError.make(
                NSCoreDataError,
                "An object of the class \(type(of: object)), which was made without an entity, was inserted and can't be "
                    + "saved. Make it with init(context:) or init(entity:insertInto:).",
                userInfo: [NSAffectedObjectsErrorKey: [object]]))
    }

    /// Notes that an object was to be inserted that left its context as a fault: it has no values to save.
    @inline(never)
    final func recordInsertionWithoutValues(_ object: NSManagedObject) {
        recordMistake(
            CoreDataError.make(
                NSCoreDataError,
                "\(object.objectID.uriRepresentation().absoluteString) was inserted, but it left its context without its "
                    + "values. Get it with object(with:) or existingObject(with:).",
                userInfo: [NSAffectedObjectsErrorKey: [object]]))
    }

    /// Makes an object of an equal model one of the context's. Notes that it can't be saved if the context's model has no
    /// such entity, or another version of it.
    @inline(never)
    final func adoptModel(_ object: NSManagedObject, _ model: ModelLayout) {
        if let own = model[object.layout.name], own.hasSameProperties(as: object.layout) { return object.adopt(own) }
        recordMistake(
            CoreDataError.make(
                NSCoreDataError,
                "An object of the class \(type(of: object)) was inserted whose entity \(object.layout.name) the context's "
                    + "model lacks, or has in another version. Make it with init(context:).",
                userInfo: [NSAffectedObjectsErrorKey: [object]]))
    }

    /// Notes that an object was to be deleted that belongs to another context. One without context, or that is gone,
    /// has nothing to be deleted.
    @inline(never)
    final func recordForeignDeletion(_ object: NSManagedObject) {
        guard let other = object.managedObjectContext, other !== self else { return }
        func named(_ context: NSManagedObjectContext) -> String { context.name.map { " \"\($0)\"" } ?? "" }
        recordMistake(
            CoreDataError.make(
                NSCoreDataError,
                "The context\(named(self)) was asked to delete \(object.objectID.uriRepresentation().absoluteString), which "
                    + "is an object of another context\(named(other)). Get it with object(with:) or existingObject(with:) "
                    + "first.", userInfo: [NSAffectedObjectsErrorKey: [object]]))
    }
}

extension EntityLayout {
    /// Whether an entity of another model has the same properties in the same places.
    fileprivate func hasSameProperties(as other: EntityLayout) -> Bool {
        entity.versionHash == other.entity.versionHash
            && slots.elementsEqual(other.slots) { $0?.name == $1?.name && $0?.kind == $1?.kind }
            && relationships.elementsEqual(other.relationships) { $0.name == $1.name }
    }
}
