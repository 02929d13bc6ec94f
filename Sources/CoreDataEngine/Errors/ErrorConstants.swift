// Error codes and user-info keys with the values of Apple's framework.

/// User-info key `NSAffectedObjectsErrorKey` of an error.
public let NSAffectedObjectsErrorKey: String = "NSAffectedObjectsErrorKey"
/// User-info key `NSAffectedStoresErrorKey` of an error.
public let NSAffectedStoresErrorKey: String = "NSAffectedStoresErrorKey"
/// Error code `NSCoreDataError` of `NSCocoaErrorDomain`.
public let NSCoreDataError: Int = 134060
/// User-info key `NSDetailedErrorsKey` of an error.
public let NSDetailedErrorsKey: String = "NSDetailedErrors"
/// Error code `NSEntityMigrationPolicyError` of `NSCocoaErrorDomain`.
public let NSEntityMigrationPolicyError: Int = 134170
/// Error code `NSExternalRecordImportError` of `NSCocoaErrorDomain`.
public let NSExternalRecordImportError: Int = 134200
/// Error code `NSInferredMappingModelError` of `NSCocoaErrorDomain`.
public let NSInferredMappingModelError: Int = 134190
/// Error code `NSManagedObjectConstraintMergeError` of `NSCocoaErrorDomain`.
public let NSManagedObjectConstraintMergeError: Int = 133021
/// Error code `NSManagedObjectConstraintValidationError` of `NSCocoaErrorDomain`.
public let NSManagedObjectConstraintValidationError: Int = 1551
/// Error code `NSManagedObjectContextLockingError` of `NSCocoaErrorDomain`.
public let NSManagedObjectContextLockingError: Int = 132000
/// Error code `NSManagedObjectExternalRelationshipError` of `NSCocoaErrorDomain`.
public let NSManagedObjectExternalRelationshipError: Int = 133010
/// Error code `NSManagedObjectMergeError` of `NSCocoaErrorDomain`.
public let NSManagedObjectMergeError: Int = 133020
/// Error code `NSManagedObjectModelReferenceNotFoundError` of `NSCocoaErrorDomain`.
public let NSManagedObjectModelReferenceNotFoundError: Int = 134504
/// Error code `NSManagedObjectReferentialIntegrityError` of `NSCocoaErrorDomain`.
public let NSManagedObjectReferentialIntegrityError: Int = 133000
/// Error code `NSManagedObjectValidationError` of `NSCocoaErrorDomain`.
public let NSManagedObjectValidationError: Int = 1550
/// Error code `NSMigrationCancelledError` of `NSCocoaErrorDomain`.
public let NSMigrationCancelledError: Int = 134120
/// Error code `NSMigrationConstraintViolationError` of `NSCocoaErrorDomain`.
public let NSMigrationConstraintViolationError: Int = 134111
/// Error code `NSMigrationError` of `NSCocoaErrorDomain`.
public let NSMigrationError: Int = 134110
/// Error code `NSMigrationManagerDestinationStoreError` of `NSCocoaErrorDomain`.
public let NSMigrationManagerDestinationStoreError: Int = 134160
/// Error code `NSMigrationManagerSourceStoreError` of `NSCocoaErrorDomain`.
public let NSMigrationManagerSourceStoreError: Int = 134150
/// Error code `NSMigrationMissingMappingModelError` of `NSCocoaErrorDomain`.
public let NSMigrationMissingMappingModelError: Int = 134140
/// Error code `NSMigrationMissingSourceModelError` of `NSCocoaErrorDomain`.
public let NSMigrationMissingSourceModelError: Int = 134130
/// Error code `NSPersistentHistoryTokenExpiredError` of `NSCocoaErrorDomain`.
public let NSPersistentHistoryTokenExpiredError: Int = 134301
/// Error code `NSPersistentStoreCoordinatorLockingError` of `NSCocoaErrorDomain`.
public let NSPersistentStoreCoordinatorLockingError: Int = 132010
/// Error code `NSPersistentStoreIncompatibleSchemaError` of `NSCocoaErrorDomain`.
public let NSPersistentStoreIncompatibleSchemaError: Int = 134020
/// Error code `NSPersistentStoreIncompatibleVersionHashError` of `NSCocoaErrorDomain`.
public let NSPersistentStoreIncompatibleVersionHashError: Int = 134100
/// Error code `NSPersistentStoreIncompleteSaveError` of `NSCocoaErrorDomain`.
public let NSPersistentStoreIncompleteSaveError: Int = 134040
/// Error code `NSPersistentStoreInvalidTypeError` of `NSCocoaErrorDomain`.
public let NSPersistentStoreInvalidTypeError: Int = 134000
/// Error code `NSPersistentStoreOpenError` of `NSCocoaErrorDomain`.
public let NSPersistentStoreOpenError: Int = 134080
/// Error code `NSPersistentStoreOperationError` of `NSCocoaErrorDomain`.
public let NSPersistentStoreOperationError: Int = 134070
/// Error code `NSPersistentStoreSaveConflictsError` of `NSCocoaErrorDomain`.
public let NSPersistentStoreSaveConflictsError: Int = 134050
/// User-info key `NSPersistentStoreSaveConflictsErrorKey` of an error.
public let NSPersistentStoreSaveConflictsErrorKey: String = "conflictList"
/// Error code `NSPersistentStoreSaveError` of `NSCocoaErrorDomain`.
public let NSPersistentStoreSaveError: Int = 134030
/// Error code `NSPersistentStoreTimeoutError` of `NSCocoaErrorDomain`.
public let NSPersistentStoreTimeoutError: Int = 134090
/// Error code `NSPersistentStoreTypeMismatchError` of `NSCocoaErrorDomain`.
public let NSPersistentStoreTypeMismatchError: Int = 134010
/// Error code `NSPersistentStoreUnsupportedRequestTypeError` of `NSCocoaErrorDomain`.
public let NSPersistentStoreUnsupportedRequestTypeError: Int = 134091
/// Error code `NSSQLiteError` of `NSCocoaErrorDomain`.
public let NSSQLiteError: Int = 134180
/// Apple's constant `NSSQLiteErrorDomain`.
public let NSSQLiteErrorDomain: String = "NSSQLiteErrorDomain"
/// Error code `NSStagedMigrationBackwardMigrationError` of `NSCocoaErrorDomain`.
public let NSStagedMigrationBackwardMigrationError: Int = 134506
/// Error code `NSStagedMigrationFrameworkVersionMismatchError` of `NSCocoaErrorDomain`.
public let NSStagedMigrationFrameworkVersionMismatchError: Int = 134505
/// Error code `NSValidationDateTooLateError` of `NSCocoaErrorDomain`.
public let NSValidationDateTooLateError: Int = 1630
/// Error code `NSValidationDateTooSoonError` of `NSCocoaErrorDomain`.
public let NSValidationDateTooSoonError: Int = 1640
/// Error code `NSValidationInvalidDateError` of `NSCocoaErrorDomain`.
public let NSValidationInvalidDateError: Int = 1650
/// Error code `NSValidationInvalidURIError` of `NSCocoaErrorDomain`.
public let NSValidationInvalidURIError: Int = 1690
/// User-info key `NSValidationKeyErrorKey` of an error.
public let NSValidationKeyErrorKey: String = "NSValidationErrorKey"
/// Error code `NSValidationMissingMandatoryPropertyError` of `NSCocoaErrorDomain`.
public let NSValidationMissingMandatoryPropertyError: Int = 1570
/// Error code `NSValidationMultipleErrorsError` of `NSCocoaErrorDomain`.
public let NSValidationMultipleErrorsError: Int = 1560
/// Error code `NSValidationNumberTooLargeError` of `NSCocoaErrorDomain`.
public let NSValidationNumberTooLargeError: Int = 1610
/// Error code `NSValidationNumberTooSmallError` of `NSCocoaErrorDomain`.
public let NSValidationNumberTooSmallError: Int = 1620
/// User-info key `NSValidationObjectErrorKey` of an error.
public let NSValidationObjectErrorKey: String = "NSValidationErrorObject"
/// User-info key `NSValidationPredicateErrorKey` of an error.
public let NSValidationPredicateErrorKey: String = "NSValidationErrorPredicate"
/// Error code `NSValidationRelationshipDeniedDeleteError` of `NSCocoaErrorDomain`.
public let NSValidationRelationshipDeniedDeleteError: Int = 1600
/// Error code `NSValidationRelationshipExceedsMaximumCountError` of `NSCocoaErrorDomain`.
public let NSValidationRelationshipExceedsMaximumCountError: Int = 1590
/// Error code `NSValidationRelationshipLacksMinimumCountError` of `NSCocoaErrorDomain`.
public let NSValidationRelationshipLacksMinimumCountError: Int = 1580
/// Error code `NSValidationStringPatternMatchingError` of `NSCocoaErrorDomain`.
public let NSValidationStringPatternMatchingError: Int = 1680
/// Error code `NSValidationStringTooLongError` of `NSCocoaErrorDomain`.
public let NSValidationStringTooLongError: Int = 1660
/// Error code `NSValidationStringTooShortError` of `NSCocoaErrorDomain`.
public let NSValidationStringTooShortError: Int = 1670
/// User-info key `NSValidationValueErrorKey` of an error.
public let NSValidationValueErrorKey: String = "NSValidationErrorValue"
