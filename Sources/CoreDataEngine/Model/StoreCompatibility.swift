import Foundation

/// Compares the version hashes in a store's metadata with those of a model.
struct StoreCompatibility {
    /// Entities that both have, with different hashes.
    private(set) var changed: [String] = []
    /// Entities that the model alone has.
    private(set) var added: [String] = []
    /// Entities that the store alone has.
    private(set) var removed: [String] = []

    var isCompatible: Bool { changed.isEmpty && added.isEmpty && removed.isEmpty }

    /// Compares. Metadata without hashes are those of a store that was never used, which fits any model.
    ///
    /// - Parameters:
    ///   - metadata: The metadata of the store.
    ///   - entities: The entities of the model that belong to the store's configuration.
    ///   - model: The model, whose other entities the store may have as they are there: the configuration only leaves them out.
    init(metadata: [String: Any], entities: [NSEntityDescription], model: NSManagedObjectModel? = nil) {
        guard let hashes = Self.hashes(in: metadata) else { return }
        let names = Set(entities.compactMap(\.name))
        for entity in entities {
            guard let name = entity.name else { continue }
            if let hash = hashes[name] {
                if !entity.accepts(versionHash: hash) { changed.append(name) }
            } else {
                added.append(name)
            }
        }
        removed = hashes.keys.filter { name in
            !names.contains(name) && model?.entitiesByName[name]?.accepts(versionHash: hashes[name]) != true
        }
        changed.sort()
        added.sort()
        removed.sort()
    }

    private static func hashes(in metadata: [String: Any]) -> [String: Data]? {
        guard let value = metadata[NSStoreModelVersionHashesKey] else { return nil }
        if let hashes = value as? [String: Data] { return hashes }
        return (value as? NSDictionary)?.reduce(into: [:]) { result, entry in
            if let name = entry.key as? String, let hash = entry.value as? Data { result[name] = hash }
        }
    }

    /// The error of a store that doesn't fit.
    func error(metadata: [String: Any], url: URL?, reason: String) -> CocoaError {
        let parts = [("changed", changed), ("not in the store", added), ("not in the model", removed)]
            .filter { !$0.1.isEmpty }
            .map { "\($0.0): \($0.1.joined(separator: ", "))" }
        return CoreDataError.make(
            NSPersistentStoreIncompatibleVersionHashError,
            "The store \(url?.lastPathComponent ?? "") was made with another version of the model; entities "
                + "\(parts.joined(separator: "; ")). \(reason)",
            path: url?.path,
            userInfo: [
                "metadata": metadata,
                "reason": "The model used to open the store is incompatible with the one used to create the store",
            ])
    }
}
