package import Foundation

extension NSManagedObjectModel {
    /// The largest size of a model cache or model file that is read, when it is not compressed.
    static let largestArchive = 1 << 26

    /// Reads the model that a store keeps in its model cache (`Z_MODELCACHE`): a compressed archive.
    ///
    /// - Throws: a `CocoaError` that says what is damaged or inconsistent.
    package static func decode(modelCache: Data) throws -> NSManagedObjectModel {
        try ModelArchiveDecoder.decode(try Inflate.decompress(modelCache, limit: largestArchive))
    }

    /// The model as a store keeps it in its model cache (`Z_MODELCACHE`).
    ///
    /// - Throws: a `CocoaError` that names what cannot be archived.
    package func encodedModelCache() throws -> Data {
        Deflate.compress(try ModelArchiveEncoder.encode(self, form: .modelCache))
    }

    /// Reads the content of a `.mom` file.
    ///
    /// - Throws: a `CocoaError` that says what is damaged or inconsistent.
    package static func decode(compiledModel: Data) throws -> NSManagedObjectModel {
        let model = try ModelArchiveDecoder.decode(compiledModel)
        for entity in model.entities { entity.addImpliedIndexes() }
        return model
    }

    /// The content of a `.mom` file.
    package func encodedCompiledModel() throws -> Data {
        try ModelArchiveEncoder.encode(self, form: .compiledModel)
    }
}
