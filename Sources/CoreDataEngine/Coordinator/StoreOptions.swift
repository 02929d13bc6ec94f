import Foundation

/// What the options of a store ask for, checked before anything is opened.
struct StoreOptions {
    let ignoresVersioning: Bool
    let migratesAutomatically: Bool

    /// Options that belong to services which exist on Apple's platforms only, with what to call them in a sentence.
    private static let unavailable: [(prefix: String, service: String)] = [
        ("NSPersistentStoreUbiquitous", "iCloud document storage"),
        ("NSPersistentStoreRebuildFromUbiquitousContent", "iCloud document storage"),
        ("NSPersistentStoreRemoveUbiquitousMetadata", "iCloud document storage"),
        ("NSPersistentCloudKit", "CloudKit"),
        ("NSCloudKit", "CloudKit"),
        ("NSCoreDataCoreSpotlight", "Spotlight"),
        ("NSExternalRecord", "external records"),
    ]

    /// The class of protection of a file, which needs keys that Apple's devices alone have.
    private static let fileProtection = "NSPersistentStoreFileProtectionKey"

    /// Reads the options that concern the coordinator; the others are the store's.
    ///
    /// - Throws: `NSPersistentStoreOpenError` naming an option that can't be followed.
    init(_ options: [AnyHashable: Any]?, url: URL?) throws {
        let options = options ?? [:]
        for key in options.keys {
            guard let name = key as? String else { continue }
            if let found = Self.unavailable.first(where: { name.hasPrefix($0.prefix) }) {
                throw CoreDataError.make(
                    NSPersistentStoreOpenError,
                    "The store option '\(name)' can't be followed: \(found.service) exists on Apple's platforms only.",
                    path: url?.path)
            }
        }
        if let protection = options[Self.fileProtection], !(protection is NSNull) {
            DiagnosticLog.warn(
                "OpenCoreData", "The store option '\(Self.fileProtection)' has no effect outside of Apple's devices.")
        }
        ignoresVersioning = NSPersistentStore.flag(options[NSIgnorePersistentStoreVersioningOption]) ?? false
        migratesAutomatically = NSPersistentStore.flag(options[NSMigratePersistentStoresAutomaticallyOption]) ?? false
    }
}
