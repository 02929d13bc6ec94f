package import Foundation

/// What brings a store that was made with another version of the model up to date, before it is opened.
package protocol StoreMigrator: Sendable {
    /// Migrates a store in place, or changes nothing and says why.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - type: Its type.
    ///   - metadata: Its metadata, with the version hashes of the model it was made with.
    ///   - model: The model it shall have.
    ///   - configuration: The configuration of the model that the store keeps.
    ///   - options: The options that the store is being added with.
    func migrateStore(
        at url: URL, type: String, metadata: [String: Any], to model: NSManagedObjectModel, configuration: String?,
        options: [AnyHashable: Any]?
    ) throws

    /// Whether a store of the right version is still owed a part of its last migration.
    func isUnfinished(_ metadata: [String: Any], options: [AnyHashable: Any]?) -> Bool
}

extension StoreMigrator {
    package func isUnfinished(_ metadata: [String: Any], options: [AnyHashable: Any]?) -> Bool { false }
}
