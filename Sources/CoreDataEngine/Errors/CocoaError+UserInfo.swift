public import Foundation

/// What Core Data puts into an error's user info.
extension CocoaError {
    /// The objects that could not be saved or fetched.
    public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }

    /// The stores that could not be reached.
    public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }

    /// The conflicts of objects that were changed elsewhere since the context read them.
    public var persistentStoreSaveConflicts: [NSMergeConflict]? {
        userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    }

    /// The property that failed validation.
    public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }

    /// The object that failed validation.
    public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }

    /// The predicate that the value did not satisfy.
    public var validationPredicate: NSPredicate? { userInfo[NSValidationPredicateErrorKey] as? NSPredicate }

    /// The value that failed validation.
    public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }
}
