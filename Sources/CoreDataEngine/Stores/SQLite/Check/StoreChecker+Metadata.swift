import Foundation

/// The store's own description of itself.
extension StoreChecker {
    /// Checks the metadata.
    ///
    /// - Returns: The entities of the model that the store keeps: all, or those of the configuration it was made for.
    mutating func checkMetadata() throws -> [NSEntityDescription] {
        let rows = try connection.rows("SELECT Z_VERSION, Z_UUID, Z_PLIST FROM Z_METADATA")
        guard rows.count == 1 else {
            add(.metadata, table: "Z_METADATA", "There should be one row of metadata; there are \(rows.count).")
            return model.entities
        }
        if case .text(let string) = rows[0][1], UUID(uuidString: string) != nil {
        } else {
            add(.metadata, table: "Z_METADATA", row: 1, "Z_UUID is \(rows[0][1].described), which isn't a UUID.")
        }
        guard case .blob(let data) = rows[0][2],
            let metadata = try? PropertyListFile.readDictionary(data)
        else {
            add(.metadata, table: "Z_METADATA", row: 1, "Z_PLIST isn't a property list.")
            return model.entities
        }
        if let type = metadata[NSStoreTypeKey] as? String, type != NSSQLiteStoreType {
            add(.metadata, table: "Z_METADATA", row: 1, "The type of the store is \"\(type)\", not \"SQLite\".")
        }
        guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else {
            add(.metadata, table: "Z_METADATA", row: 1, "There are no version hashes.")
            return model.entities
        }
        checkSums(of: hashes, metadata)
        return checkHashes(hashes)
    }

    private mutating func checkSums(of hashes: [String: Data], _ metadata: [String: Any]) {
        if let digest = metadata["NSStoreModelVersionHashesDigest"] as? String, digest != VersionHash.digest(of: hashes)
        {
            add(.versionHash, table: "Z_METADATA", row: 1, "The digest is not that of the version hashes.")
        }
        if let sum = metadata[NSPersistentStoreModelVersionChecksumKey] as? String,
            sum != VersionHash.checksum(of: hashes)
        {
            add(.versionHash, table: "Z_METADATA", row: 1, "The checksum is not that of the version hashes.")
        }
    }

    private mutating func checkHashes(_ hashes: [String: Data]) -> [NSEntityDescription] {
        let members = model.entities.filter { hashes[$0.name ?? ""] != nil }
        for entity in members.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            guard let name = entity.name, !entity.accepts(versionHash: hashes[name]) else { continue }
            add(.versionHash, table: "Z_METADATA", row: 1, "The version hash of \(name) is not that of the model.")
        }
        let names = Set(model.entities.compactMap(\.name))
        for name in hashes.keys.sorted() where !names.contains(name) {
            add(
                .versionHash, table: "Z_METADATA", row: 1, "There is a version hash for \(name), which the model lacks."
            )
        }
        return members.isEmpty ? model.entities : members
    }
}
