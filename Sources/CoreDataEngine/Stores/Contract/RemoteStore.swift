package import Foundation

/// A class of stores that are in no file: what the coordinator asks of it where it would handle files otherwise.
package protocol RemoteStore: NSPersistentStore {
    /// Whether a URL is that of such a store, for calls that don't tell a type.
    static func handles(_ url: URL) -> Bool
    /// Removes a store with all that it keeps.
    ///
    /// - Throws: An error that names the store by its display name, also when there is no store.
    static func destroyStore(at url: URL, options: [AnyHashable: Any]?) throws
    /// Puts a copy of a store in the place of another, or where there is none yet.
    static func replaceStore(
        at url: URL, options: [AnyHashable: Any]?, withStoreAt sourceURL: URL, sourceOptions: [AnyHashable: Any]?
    ) throws
    /// The model that the store was last used with.
    static func model(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> NSManagedObjectModel
    /// Whether the store records its history. Who writes to one that does has to go on with it.
    static func hasHistory(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> Bool
    /// Brings a store from one model to another in place, or changes nothing and tells why.
    ///
    /// - Parameters:
    ///   - metadata: What the store said of itself when the models were compared; the application's keys are to be kept.
    ///   - match: The entities of the store and those of the new model, compared.
    ///   - model: The new model.
    static func migrateStore(
        at url: URL, metadata: [String: Any], by match: ModelMatch, to model: NSManagedObjectModel,
        options: [AnyHashable: Any]?
    ) throws
    /// The location in words for messages; without anything secret.
    static func displayName(of url: URL) -> String
}

extension RemoteStore {
    package static func displayName(of url: URL) -> String { url.displayName }
}
