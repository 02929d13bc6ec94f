import Foundation

/// What only the program itself can have done wrong, by methods that can't throw: the next save throws it, once.
extension NSManagedObjectContext {
    /// Notes a mistake. The first one is kept until a save has thrown it.
    @inline(never)
    final func recordMistake(_ error: any Error) {
        if mistake == nil { mistake = error }
    }

    /// Throws what was recorded, once.
    final func throwMistake() throws {
        guard let error = mistake else { return }
        mistake = nil
        throw error
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
