package import Foundation

extension NSManagedObjectModel {
    /// What `entityVersionHashesByName` says.
    final var hashesByName: [String: Data] {
        entitiesByName.mapValues(\.versionHash)
    }

    /// What `versionChecksum` says.
    final var checksum: String { VersionHash.checksum(of: entityVersionHashesByName) }

    /// The digest over names and version hashes of all entities, in base64, that stores keep in their metadata.
    package var versionHashesDigest: String { VersionHash.digest(of: entityVersionHashesByName) }

    /// The digest of some hashes, such as those of the entities of one configuration.
    package static func versionHashesDigest(of hashes: [String: Data]) -> String { VersionHash.digest(of: hashes) }

    /// The checksum of some hashes, such as those of the entities of one configuration.
    package static func versionChecksum(of hashes: [String: Data]) -> String { VersionHash.checksum(of: hashes) }

    /// Keeps the hashes that a file or store gives for entities, in place of computed ones.
    ///
    /// The hash of an entity is forgotten when the entity changes. Hashes that earlier versions of this library computed
    /// in another way are not kept: the model would differ from itself.
    package func setKnownVersionHashes(_ hashes: [String: Data]) {
        let known = entities.compactMap { entity -> (NSEntityDescription, Data)? in
            guard let hash = hashes[entity.name ?? ""], hash.count == 32, hash != entity.formerVersionHash else {
                return nil
            }
            return (entity, hash)
        }
        for (entity, hash) in known { entity.setKnownVersionHash(hash) }
    }

    /// What `isConfiguration(withName:compatibleWithStoreMetadata:)` does.
    final func hasConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        guard let members = entities(forConfigurationName: configuration),
            metadata[NSStoreModelVersionHashesKey] as? [String: Data] != nil
        else { return false }
        return StoreCompatibility(metadata: metadata, entities: members, model: self).isCompatible
    }
}
