import Foundation

/// Finds the model that a store was made with.
enum SourceModel {
    /// Looks beside the new model, in the program's bundles, then in the store itself, which keeps a copy of its model
    /// without renaming identifiers.
    ///
    /// - Parameter newModel: The model that the store shall have.
    /// - Throws: `NSMigrationMissingSourceModelError` with the store's URL and metadata.
    static func find(
        forStoreAt url: URL, type: String, metadata: [String: Any], newModel: NSManagedObjectModel
    ) throws -> NSManagedObjectModel {
        if let model = NSManagedObjectModel.version(inModelsAt: newModel.fileURLs, forStoreMetadata: metadata) {
            return model
        }
        // A model may be merged of those of several bundles.
        let bundles = ModelFinder.bundles()
        for group in bundles.map({ [$0] }) + [bundles] {
            if let model = NSManagedObjectModel.mergedModel(from: group, forStoreMetadata: metadata) { return model }
        }
        var cause: (any Error)?
        if let remote = try NSPersistentStoreCoordinator.storeClass(ofType: type, at: url) as? any RemoteStore.Type {
            do {
                return try remote.model(ofStoreAt: url, options: nil)
            } catch {
                cause = error
            }
        } else if type == NSSQLiteStoreType {
            do {
                let model = try StoreFile.model(inStoreAt: url)
                if keepsEntities(of: metadata, model) { return model }
            } catch let error as CocoaError where error.userInfo[NSUnderlyingErrorKey] is SQLiteError {
                // Whatever is in the file, it could not be read.
                throw error
            } catch {
                cause = error
            }
        }
        throw CoreDataError.make(
            NSMigrationMissingSourceModelError,
            "The store \(url.storeName) can't be migrated: the model that it was made with is neither in the "
                + "program's bundles nor in the store.", path: url.path, underlying: cause,
            userInfo: ["URL": url.withoutSecrets, "metadata": metadata, "reason": "Can't find model for source store"])
    }

    /// The entities of a model that a store has.
    static func entities(of model: NSManagedObjectModel, metadata: [String: Any]) -> [NSEntityDescription] {
        guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return model.entities }
        return model.entities.filter { hashes[$0.name ?? ""] != nil }
    }

    private static func keepsEntities(of metadata: [String: Any], _ model: NSManagedObjectModel) -> Bool {
        guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return true }
        return hashes.keys.allSatisfy { model.entitiesByName[$0] != nil }
    }
}
