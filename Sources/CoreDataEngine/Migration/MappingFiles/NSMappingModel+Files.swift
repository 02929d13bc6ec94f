public import Foundation

extension NSMappingModel {
    /// Reads a mapping model: a compiled one (`.cdm`), or the source that Xcode writes (`.xcmappingmodel`).
    ///
    /// The source says which models it is for; they are read from the files it names when these are near it, and
    /// otherwise from the copies that it holds.
    ///
    /// - Parameter url: The file or folder.
    /// - Returns: nil when there is no mapping model, or it is damaged.
    public convenience init?(contentsOf url: URL?) {
        guard let url else { return nil }
        try? self.init(contentsOfMappingFile: url)
    }

    /// Reads a mapping model like ``init(contentsOf:)``, and says what is wrong when it cannot.
    ///
    /// - Throws: A `CocoaError` with the path of the file and a sentence that names what is damaged.
    package convenience init(contentsOfMappingFile url: URL) throws {
        let mappings = try MappingFile.entityMappings(at: url, between: nil)
        self.init()
        entityMappings = mappings
    }

    /// Finds the mapping model between two models: the first in the bundles whose entity mappings have the version hashes
    /// of both models.
    ///
    /// Compiled mapping models (`.cdm`) are looked at before sources (`.xcmappingmodel`).
    ///
    /// - Parameters:
    ///   - bundles: Where to look; nil for the main bundle.
    ///   - sourceModel: The model of the stores as they are.
    ///   - destinationModel: The model that they shall have.
    /// - Returns: nil when there is none.
    public convenience init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        guard let sourceModel, let destinationModel else { return nil }
        let models = MappingModels(source: sourceModel, destination: destinationModel)
        for url in MappingFile.urls(in: bundles ?? [.main]) {
            guard let mappings = try? MappingFile.entityMappings(at: url, between: models), models.fit(mappings) else {
                continue
            }
            self.init()
            entityMappings = mappings
            return
        }
        return nil
    }
}
