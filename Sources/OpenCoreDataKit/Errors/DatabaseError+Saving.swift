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
            case let conflict as NSMergeConflict: changed(conflict)
            case let conflict as NSConstraintConflict: taken(conflict)
            default: nil
            }
        }
        return found.isEmpty ? [Conflict(entity: "", objectID: nil, properties: [], reason: sentence(error))] : found
    }

    private static func changed(_ conflict: NSMergeConflict) -> Conflict {
        let object = conflict.sourceObject
        let yours = object.isDeleted ? [:] : described(object.changedValues())
        guard conflict.newVersionNumber != 0, let new = conflict.cachedSnapshot ?? conflict.persistedSnapshot else {
            return Conflict(deleted: object.objectID, yours: yours)
        }
        let old = conflict.objectSnapshot ?? [:]
        let properties = new.keys.filter { !ComparedValue.isSame(old[$0], new[$0]) }.sorted()
        let stored = described(new.filter { properties.contains($0.key) || yours[$0.key] != nil })
        return Conflict(changed: object.objectID, properties: properties, yours: yours, stored: stored)
    }

    private static func taken(_ conflict: NSConstraintConflict) -> Conflict {
        let object = conflict.conflictingObjects.first
        let entity = object?.entity.name ?? conflict.databaseObject?.entity.name ?? ""
        let values = described(conflict.constraintValues)
        let wanted = conflict.constraint.map { "\($0) = \(values[$0] ?? "nil")" }.joined(separator: ", ")
        let holder = conflict.databaseObject?.objectID
        var result = Conflict(
            entity: entity, objectID: object?.objectID, properties: conflict.constraint,
            reason: holder.map { "\($0.uriRepresentation()) already has \(wanted), which has to be unique." }
                ?? "Several new objects have \(wanted), which has to be unique.")
        result.kind = .taken
        result.yours = values
        result.stored = described(
            (conflict.databaseSnapshot ?? [:]).filter { conflict.constraint.contains($0.key) })
        result.holder = holder
        return result
    }

    /// Values as strings, related objects as their identifiers.
    static func described(_ values: [String: Any]) -> [String: String] { values.mapValues { described($0) } }

    /// A value as a string.
    static func described(_ value: Any?) -> String {
        switch value {
        case nil, is NSNull: "nil"
        case let object as NSManagedObject: object.objectID.uriRepresentation().absoluteString
        case let id as NSManagedObjectID: id.uriRepresentation().absoluteString
        case let set as Set<NSManagedObject>: "\(set.map { described($0) }.sorted())"
        case let data as Data: described(data)
        case let date as Date: described(date)
        default: ValueDescription.string(of: value)
        }
    }

    /// The first bytes as well: two versions may be of one length.
    private static func described(_ data: Data) -> String {
        let shown = data.prefix(16).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        let count = data.count == 1 ? "1 byte" : "\(data.count) bytes"
        guard !data.isEmpty else { return count }
        return "\(count): \(shown.joined(separator: " "))\(data.count > shown.count ? " …" : "")"
    }

    /// Parts of a second as well, where there are any.
    private static func described(_ date: Date) -> String {
        let whole = ValueDescription.string(of: date)
        let seconds = date.timeIntervalSinceReferenceDate
        guard seconds.isFinite, seconds != seconds.rounded(.down) else { return whole }
        return "\(whole) (\(seconds) seconds since 2001)"
    }
}
