extension DatabaseError {
    /// Says in the kit's words why a save failed. Called on the queue of the context that was saved.
    ///
    /// Errors that are not the engine's, such as those of an object's own validation, stay as they are.
    package static func saving(_ error: any Error) -> any Error {
        guard let error = error as? CocoaError else { return error }
        switch error.code.rawValue {
        case NSManagedObjectValidationError...NSValidationInvalidURIError:
            return DatabaseError.validation(parts(of: error).flatMap(failures))
        case NSManagedObjectMergeError, NSManagedObjectConstraintMergeError, NSPersistentStoreSaveConflictsError:
            return DatabaseError.conflict(conflicts(error))
        default:
            let url = error.userInfo[NSFilePathErrorKey].flatMap { $0 as? String }.map { URL(fileURLWithPath: $0) }
            return DatabaseError.storeFailed(store: url?.lastPathComponent ?? "", url: url, cause: error)
        }
    }

    private static func parts(of error: CocoaError) -> [any Error] {
        error.userInfo[NSDetailedErrorsKey] as? [any Error] ?? [error]
    }

    private static func failures(_ error: any Error) -> [Failure] {
        guard let error = error as? CocoaError else {
            return [Failure(entity: "", property: nil, reason: sentence(error))]
        }
        let object = error.validationObject as? NSManagedObject
        return [
            Failure(
                entity: object?.entity.name ?? "", property: error.validationKey,
                value: error.validationValue.map { String(describing: $0) }, reason: sentence(error),
                objectID: object?.objectID, code: error.code.rawValue)
        ]
    }

    private static func conflicts(_ error: CocoaError) -> [Conflict] {
        let listed = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any] ?? []
        let found = listed.compactMap { element -> Conflict? in
            switch element {
            case let conflict as NSMergeConflict:
                Conflict(
                    entity: conflict.sourceObject.entity.name ?? "", objectID: conflict.sourceObject.objectID,
                    properties: differences(conflict), reason: "It was changed or deleted by somebody else.")
            case let conflict as NSConstraintConflict:
                Conflict(
                    entity: conflict.conflictingObjects.first?.entity.name ?? conflict.databaseObject?.entity.name
                        ?? "",
                    objectID: conflict.conflictingObjects.first?.objectID, properties: conflict.constraint,
                    reason: "Another object has the same unique value.")
            default: nil
            }
        }
        return found.isEmpty ? [Conflict(entity: "", objectID: nil, properties: [], reason: sentence(error))] : found
    }

    /// The properties that the store has otherwise than the context read them.
    private static func differences(_ conflict: NSMergeConflict) -> [String] {
        guard let old = conflict.cachedSnapshot ?? conflict.objectSnapshot, let new = conflict.persistedSnapshot
        else { return [] }
        return old.keys.filter { key in
            (old[key] as? NSObject) != (new[key] as? NSObject)
        }.sorted()
    }
}
