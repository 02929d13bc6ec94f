/// The members of `NSManagedObject` and `NSObject` that a property can't be called like.
package enum ReservedNames {
    package static let properties: Set<String> = [
        "awakeFromFetch", "awakeFromInsert", "classForCoder", "contextShouldIgnoreUnmodeledPropertyChanges",
        "debugDescription", "description", "didSave", "didTurnIntoFault", "entity", "faultingState", "fetchRequest",
        "hasChanges", "hash", "hashValue", "isDeleted", "isFault", "isInserted", "isUpdated", "managedObjectContext",
        "objectID", "observationInfo", "prepareForDeletion", "self", "superclass", "willSave", "willTurnIntoFault",
        "zone",
    ]
}
