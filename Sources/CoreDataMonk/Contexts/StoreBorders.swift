import OpenCoreDataKit

/// Relationships end where a store does.
enum StoreBorders {
    /// Refuses changes that relate objects of two stores.
    ///
    /// - Throws: Core Data error 133010 with both objects.
    static func check(_ context: NSManagedObjectContext) throws {
        guard context.persistentStoreCoordinator?.persistentStores.count ?? 0 > 1 else { return }
        for object in context.insertedObjects.union(context.updatedObjects) {
            let relationships = object.entity.relationshipsByName
            for name in object.changedValues().keys where relationships[name] != nil {
                for other in members(object.value(forKey: name)) where other.objectID.isElsewhere(than: object.objectID)
                {
                    throw CocoaError(
                        .managedObjectExternalRelationship,
                        userInfo: [
                            NSLocalizedDescriptionKey:
                                "'\(name)' of \(object.entity.name ?? "") relates objects of two stores.",
                            NSAffectedObjectsErrorKey: [object, other],
                        ])
                }
            }
        }
    }

    private static func members(_ value: Any?) -> [NSManagedObject] {
        switch value {
        case let object as NSManagedObject: [object]
        case let set as NSSet: set.compactMap { $0 as? NSManagedObject }
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        case let set as Set<NSManagedObject>: Array(set)
        default: []
        }
    }
}

extension NSManagedObjectID {
    fileprivate func isElsewhere(than other: NSManagedObjectID) -> Bool {
        guard let store = persistentStore, let otherStore = other.persistentStore else { return false }
        return store !== otherStore
    }
}
