import Foundation
import OpenCoreData
import TestSupport
import Testing

/// The model that Apple's framework keeps in each store, and the hashes it computed.
@Suite(.enabled(if: Fixtures.available)) struct ModelCacheTests {
    @Test(arguments: Fixtures.stores) func hashesDigestAndChecksumAreApples(path: String) throws {
        let content = try StoreContent(fixture: path)
        if let digest = content.metadata["NSStoreModelVersionHashesDigest"] as? String {
            #expect(NSManagedObjectModel.versionHashesDigest(of: content.versionHashes) == digest)
        }
        if let checksum = content.metadata["NSStoreModelVersionChecksumKey"] as? String {
            #expect(NSManagedObjectModel.versionChecksum(of: content.versionHashes) == checksum)
        }
        guard let cache = content.modelCache else { return }
        let model = try NSManagedObjectModel.decode(modelCache: cache)
        #expect(Set(model.entitiesByName.keys) == Set(content.versionHashes.keys))
        for entity in model.entities {
            #expect(entity.versionHash == content.versionHashes[entity.name ?? ""], "\(path): \(entity.name ?? "")")
        }
        model.setKnownVersionHashes(content.versionHashes)
        #expect(model.entityVersionHashesByName == content.versionHashes)
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: content.metadata))
    }

    @Test(arguments: Fixtures.stores) func aCachedModelIsConsistent(path: String) throws {
        guard let cache = try StoreContent(fixture: path).modelCache else { return }
        let model = try NSManagedObjectModel.decode(modelCache: cache)
        #expect(model.problems() == [])
    }
}
