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
