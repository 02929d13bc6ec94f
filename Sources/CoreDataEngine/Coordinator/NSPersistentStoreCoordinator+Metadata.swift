public import Foundation

extension NSPersistentStoreCoordinator {
    // MARK: Of a store that was added

    /// What `metadata(for:)` does.
    final func storeMetadata(for store: NSPersistentStore) -> [String: Any] { store.metadata ?? [:] }

    /// What `setMetadata(_:for:)` does.
    final func setStoreMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        store.metadata = Self.completed(metadata, from: store.metadata ?? [:])
    }

    /// What `url(for:)` does.
    final func location(for store: NSPersistentStore) -> URL {
        store.url ?? URL(fileURLWithPath: "/dev/null")
    }

    /// What `setURL(_:for:)` does.
    final func setLocation(_ url: URL, for store: NSPersistentStore) -> Bool {
        guard store.type != NSSQLiteStoreType, persistentStores.contains(where: { $0 === store }) else { return false }
        store.url = url
        return true
    }

    /// What `persistentStore(for:)` does.
    final func storeAtURL(for url: URL) -> NSPersistentStore? { openStore(at: url) }

    // MARK: Of a file

    /// What `metadataForPersistentStore(ofType:at:options:)` does.
    static func fileMetadata(
        ofType storeType: String?, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        let url = ScratchStores.fileURL(of: url)
        let type = try storeType ?? self.storeType(ofFileAt: url)
        let metadata = try storeClass(ofType: type, at: url).metadataForPersistentStore(with: url)
        if let recorded = metadata[NSStoreTypeKey] as? String, recorded != type {
            throw CoreDataError.make(
                NSPersistentStoreTypeMismatchError,
                "The store \(url.lastPathComponent) is of the type '\(recorded)', not '\(type)'.", path: url.path)
        }
        return metadata
    }

    /// Reads the metadata of a store, which doesn't have to be open.
    ///
    /// The values are those that were saved last. A coordinator that has the store open may have others that it hasn't
    /// written yet.
    ///
    /// - Parameters:
    ///   - storeType: The type of the store.
    ///   - url: The URL of the store.
    ///   - options: Options of the store.
    /// - Throws: An error that names the file if it can't be read.
    public class func metadataForPersistentStore(
        type storeType: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: storeType.rawValue, at: url, options: options)
    }

    /// What `setMetadata(_:forPersistentStoreOfType:at:options:)` does.
    static func setFileMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        let url = ScratchStores.fileURL(of: url)
        let type = try storeType ?? self.storeType(ofFileAt: url)
        let storeClass = try storeClass(ofType: type, at: url)
        let current = try storeClass.metadataForPersistentStore(with: url)
        try storeClass.setMetadata(completed(metadata, from: current), forPersistentStoreAt: url)
    }

    /// Writes the metadata of a store at once. Coordinators that have the store open don't notice.
    ///
    /// The type, the UUID and the version hashes stay if `metadata` doesn't have them. Other keys that `metadata`
    /// doesn't have are removed.
    ///
    /// - Parameters:
    ///   - metadata: The new metadata.
    ///   - storeType: The type of the store.
    ///   - url: The URL of the store.
    ///   - options: Options of the store.
    /// - Throws: An error that names the file if it can't be written.
    public class func setMetadata(
        _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: storeType.rawValue, at: url, options: options)
    }

    /// What `cachedModelForPersistentStore(at:options:)` does.
    static func keptModel(
        at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectModel {
        if let remote = remoteStoreClass(for: url) { return try remote.model(ofStoreAt: url, options: options) }
        return try StoreFile.model(inStoreAt: ScratchStores.fileURL(of: url))
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
