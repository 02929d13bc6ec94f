import Foundation

extension NSManagedObject {
    /// Throws when a value was set whose type does not fit; saving in a migration does not look.
    final func requireFittingValues() throws {
        guard let (key, refused) = extras?.refused.first else { return }
        throw CoreDataError.make(
            NSManagedObjectValidationError, refused.reason.sentence,
            userInfo: [NSValidationKeyErrorKey: key, NSValidationObjectErrorKey: self])
    }

    /// Checks an object that was saved before it was whole.
    final func validateMigrated() throws {
        // Rules are checked for values in memory.
        if isFault { willAccessValue(forKey: nil) }
        try validateForInsert()
        for relationship in layout.relationships where relationship.isToMany && !relationship.isTransient {
            let description = relationship.description
            let least = description.minCount
            guard least > 0 || description.maxCount > 0 else { continue }
            let count = MigrationExpressions.objects(in: value(forKey: relationship.name)).count
            if count == 0, description.isOptional { continue }
            guard count < least || description.maxCount > 0 && count > description.maxCount else { continue }
            let isShort = count < least
            throw CoreDataError.make(
                isShort
                    ? NSValidationRelationshipLacksMinimumCountError : NSValidationRelationshipExceedsMaximumCountError,
                "After the migration the relationship \(relationship.name) of an object of \(layout.name) has \(count) "
                    + "objects; at \(isShort ? "least \(least) are needed" : "most \(description.maxCount) are allowed").",
                userInfo: [NSValidationKeyErrorKey: relationship.name, NSValidationObjectErrorKey: self])
        }
    }
}
