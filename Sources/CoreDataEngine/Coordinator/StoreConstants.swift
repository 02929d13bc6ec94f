// Option, metadata and notification keys with the values of Apple's framework where they are published.

/// Dictionary key `NSAddedPersistentStoresKey`, as Apple names it.
public let NSAddedPersistentStoresKey: String = "added"
/// Store option `NSBinaryStoreInsecureDecodingCompatibilityOption`.
public let NSBinaryStoreInsecureDecodingCompatibilityOption: String = "NSBinaryStoreInsecureDecodingCompatibilityOption"
/// Apple's constant `NSBinaryStoreSecureDecodingClasses`.
public let NSBinaryStoreSecureDecodingClasses: String = "NSBinaryStoreSecureDecodingClasses"
/// Store type `NSBinaryStoreType`.
public let NSBinaryStoreType: String = "Binary"
/// Dictionary key `NSDeletedObjectIDsKey`, as Apple names it.
public let NSDeletedObjectIDsKey: String = "deleted_objectIDs"
/// Dictionary key `NSDeletedObjectsKey`, as Apple names it.
public let NSDeletedObjectsKey: String = "deleted"
/// Store option `NSIgnorePersistentStoreVersioningOption`.
public let NSIgnorePersistentStoreVersioningOption: String = "NSIgnorePersistentStoreVersioningOption"
/// Store type `NSInMemoryStoreType`.
public let NSInMemoryStoreType: String = "InMemory"
/// Store option `NSInferMappingModelAutomaticallyOption`.
public let NSInferMappingModelAutomaticallyOption: String = "NSInferMappingModelAutomaticallyOption"
/// Dictionary key `NSInsertedObjectIDsKey`, as Apple names it.
public let NSInsertedObjectIDsKey: String = "inserted_objectIDs"
/// Dictionary key `NSInsertedObjectsKey`, as Apple names it.
public let NSInsertedObjectsKey: String = "inserted"
/// Dictionary key `NSInvalidatedAllObjectsKey`, as Apple names it.
public let NSInvalidatedAllObjectsKey: String = "invalidatedAll"
/// Dictionary key `NSInvalidatedObjectIDsKey`, as Apple names it.
public let NSInvalidatedObjectIDsKey: String = "invalidated_objectIDs"
/// Dictionary key `NSInvalidatedObjectsKey`, as Apple names it.
public let NSInvalidatedObjectsKey: String = "invalidated"
/// Dictionary key `NSManagedObjectContextQueryGenerationKey`, as Apple names it.
public let NSManagedObjectContextQueryGenerationKey: String = "NSManagedObjectContextQueryGenerationKey"
/// Store option `NSMigratePersistentStoresAutomaticallyOption`.
public let NSMigratePersistentStoresAutomaticallyOption: String = "NSMigratePersistentStoresAutomaticallyOption"
/// The variable `$destination` in the expressions of mapping models.
public let NSMigrationDestinationObjectKey: String = "destination"
/// The variable `$entityMapping` in the expressions of mapping models.
public let NSMigrationEntityMappingKey: String = "entityMapping"
/// The variable `$entityPolicy` in the expressions of mapping models.
public let NSMigrationEntityPolicyKey: String = "entityPolicy"
/// The variable `$manager` in the expressions of mapping models.
public let NSMigrationManagerKey: String = "manager"
/// The variable `$propertyMapping` in the expressions of mapping models.
public let NSMigrationPropertyMappingKey: String = "propertyMapping"
/// The variable `$source` in the expressions of mapping models.
public let NSMigrationSourceObjectKey: String = "source"
/// Dictionary key `NSPersistentHistoryTokenKey`, as Apple names it.
public let NSPersistentHistoryTokenKey: String = "historyToken"
/// Dictionary key `NSPersistentHistoryTrackingKey`, as Apple names it.
public let NSPersistentHistoryTrackingKey: String = "NSPersistentHistoryTrackingKey"
/// Dictionary key `NSPersistentStoreConnectionPoolMaxSizeKey`, as Apple names it.
public let NSPersistentStoreConnectionPoolMaxSizeKey: String = "NSPersistentStoreConnectionPoolMaxSizeKey"
/// Store option `NSPersistentStoreDeferredLightweightMigrationOptionKey`.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey: String =
    "NSPersistentStoreDeferredLightweightMigrationOptionKey"
/// Store option `NSPersistentStoreForceDestroyOption`.
public let NSPersistentStoreForceDestroyOption: String = "NSPersistentStoreForceDestroyOption"
/// Dictionary key `NSPersistentStoreModelVersionChecksumKey`, as Apple names it.
public let NSPersistentStoreModelVersionChecksumKey: String = "NSStoreModelVersionChecksumKey"
/// Apple's constant `NSPersistentStoreOSCompatibility`.
public let NSPersistentStoreOSCompatibility: String = "NSPersistentStoreOSCompatibility"
/// Store option `NSPersistentStoreRemoteChangeNotificationPostOptionKey`.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey: String =
    "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// Store option `NSPersistentStoreStagedMigrationManagerOptionKey`.
public let NSPersistentStoreStagedMigrationManagerOptionKey: String = "NSPersistentStoreStagedMigrationManagerOptionKey"
/// Store option `NSPersistentStoreTimeoutOption`.
public let NSPersistentStoreTimeoutOption: String = "NSPersistentStoreTimeoutOption"
/// Dictionary key `NSPersistentStoreURLKey`, as Apple names it.
public let NSPersistentStoreURLKey: String = "storeURL"
/// Store option `NSReadOnlyPersistentStoreOption`.
public let NSReadOnlyPersistentStoreOption: String = "NSReadOnlyPersistentStoreOption"
/// Dictionary key `NSRefreshedObjectIDsKey`, as Apple names it.
public let NSRefreshedObjectIDsKey: String = "refreshed_objectIDs"
/// Dictionary key `NSRefreshedObjectsKey`, as Apple names it.
public let NSRefreshedObjectsKey: String = "refreshed"
/// Dictionary key `NSRemovedPersistentStoresKey`, as Apple names it.
public let NSRemovedPersistentStoresKey: String = "removed"
/// Store option `NSSQLiteAnalyzeOption`.
public let NSSQLiteAnalyzeOption: String = "NSSQLiteAnalyzeOption"
/// Store option `NSSQLiteManualVacuumOption`.
public let NSSQLiteManualVacuumOption: String = "NSSQLiteManualVacuumOption"
/// Store option `NSSQLitePragmasOption`.
public let NSSQLitePragmasOption: String = "NSSQLitePragmasOption"
/// Store type `NSSQLiteStoreType`.
public let NSSQLiteStoreType: String = "SQLite"
/// Dictionary key `NSStoreModelVersionHashesKey`, as Apple names it.
public let NSStoreModelVersionHashesKey: String = "NSStoreModelVersionHashes"
/// Dictionary key `NSStoreModelVersionIdentifiersKey`, as Apple names it.
public let NSStoreModelVersionIdentifiersKey: String = "NSStoreModelVersionIdentifiers"
/// Dictionary key `NSStoreTypeKey`, as Apple names it.
public let NSStoreTypeKey: String = "NSStoreType"
/// Dictionary key `NSStoreUUIDKey`, as Apple names it.
public let NSStoreUUIDKey: String = "NSStoreUUID"
/// Dictionary key `NSUUIDChangedPersistentStoresKey`, as Apple names it.
public let NSUUIDChangedPersistentStoresKey: String = "NSUUIDChangedPersistentStoresKey"
/// Dictionary key `NSUpdatedObjectIDsKey`, as Apple names it.
public let NSUpdatedObjectIDsKey: String = "updated_objectIDs"
/// Dictionary key `NSUpdatedObjectsKey`, as Apple names it.
public let NSUpdatedObjectsKey: String = "updated"
/// Store option `NSValidateXMLStoreOption`.
public let NSValidateXMLStoreOption: String = "NSValidateXMLStoreOption"
/// Store type `NSXMLStoreType`.
public let NSXMLStoreType: String = "XML"
