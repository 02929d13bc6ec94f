public import Foundation

extension NSMappingModel {
    /// Reads a mapping model: a compiled one (`.cdm`), or the source that Xcode writes (`.xcmappingmodel`).
    ///
    /// The source says which models it is for. They are read from the files that it names if these are near it, and
    /// otherwise from the copies that it contains.
    ///
    /// - Parameter url: The file or folder.
    /// - Returns: `nil` if the mapping model doesn't exist or is damaged.
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

    /// Finds the mapping model between two models: the first in the bundles whose entity mappings have the version
    /// hashes of both models.
    ///
    /// Compiled mapping models (`.cdm`) are searched before sources (`.xcmappingmodel`).
    ///
    /// - Parameters:
    ///   - bundles: The bundles to search; `nil` for the main bundle.
    ///   - sourceModel: The present model of the stores.
    ///   - destinationModel: The model to migrate to.
    /// - Returns: `nil` if no mapping model is found.
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
