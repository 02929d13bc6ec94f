public import Foundation

extension NSPersistentStoreCoordinator {
    // MARK: Of a store that was added

    /// The metadata of a store: type, UUID, version hashes, and the application's own keys.
    public func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata ?? [:] }

    /// Sets the metadata of a store. They reach its file with the next save.
    ///
    /// Type, UUID and version hashes stay when the new metadata don't have them.
    public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        store.metadata = Self.completed(metadata, from: store.metadata ?? [:])
    }

    /// Where a store is.
    public func url(for store: NSPersistentStore) -> URL {
        store.url ?? URL(fileURLWithPath: "/dev/null")
    }

    /// Tells a store that its file has moved. SQLite stores keep their file open and refuse.
    ///
    /// - Returns: Whether the store took the URL.
    public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
        guard store.type != NSSQLiteStoreType, persistentStores.contains(where: { $0 === store }) else { return false }
        store.url = url
        return true
    }

    /// The store that was added with a URL.
    public func persistentStore(for url: URL) -> NSPersistentStore? { openStore(at: url) }

    // MARK: Of a file

    /// Reads the metadata of a store that need not be open.
    ///
    /// - Parameters:
    ///   - storeType: The store's type; `nil` to tell it by the file.
    ///   - url: Where the store is.
    ///   - options: Options that reading needs.
    /// - Throws: An error that names the file.
    public class func metadataForPersistentStore(
        ofType storeType: String?, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        let type = try storeType ?? self.storeType(ofFileAt: url)
        let metadata = try storeClass(ofType: type, at: url).metadataForPersistentStore(with: url)
        if let recorded = metadata[NSStoreTypeKey] as? String, recorded != type {
            throw CoreDataError.make(
                NSPersistentStoreTypeMismatchError,
                "The store \(url.lastPathComponent) is of the type '\(recorded)', not '\(type)'.", path: url.path)
        }
        return metadata
    }

    /// Reads the metadata of a store that need not be open.
    public class func metadataForPersistentStore(
        type storeType: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: storeType.rawValue, at: url, options: options)
    }

    /// Writes the metadata of a store at once. A store object that is open doesn't notice.
    ///
    /// - Parameters:
    ///   - metadata: The metadata; type, UUID and version hashes stay when they are not in it.
    ///   - storeType: The store's type; `nil` to tell it by the file.
    ///   - url: Where the store is.
    ///   - options: Options that writing needs.
    /// - Throws: An error that names the file.
    public class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        let type = try storeType ?? self.storeType(ofFileAt: url)
        let storeClass = try storeClass(ofType: type, at: url)
        let current = try storeClass.metadataForPersistentStore(with: url)
        try storeClass.setMetadata(completed(metadata, from: current), forPersistentStoreAt: url)
    }

    /// Writes the metadata of a store at once. A store object that is open doesn't notice.
    public class func setMetadata(
        _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: storeType.rawValue, at: url, options: options)
    }

    /// Returns the model that a SQLite store keeps of itself, for stores whose model file is not at hand.
    ///
    /// - Parameters:
    ///   - url: Where the store is.
    ///   - options: Options of the store.
    /// - Throws: An error that names the file; `NSMigrationMissingSourceModelError` when it keeps no model.
    public class func cachedModelForPersistentStore(
        at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectModel {
        try StoreFile.model(inStoreAt: url)
    }

    /// Keys that a store can't be opened without.
    static let lastingKeys = [
        NSStoreTypeKey, NSStoreUUIDKey, NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey,
        "NSPersistenceFrameworkVersion", "NSStoreModelVersionHashesVersion", "NSStoreModelVersionHashesDigest",
        NSPersistentStoreModelVersionChecksumKey, "_NSAutoVacuumLevel",
    ]

    private static func completed(_ metadata: [String: Any]?, from current: [String: Any]) -> [String: Any] {
        var result = metadata ?? [:]
        for key in lastingKeys where result[key] == nil { result[key] = current[key] }
        return result
    }
}
