public import Foundation

extension NSManagedObjectModel {
    /// Reads a model from a `.momd` or `.xcdatamodeld` folder (its current version), or from a `.mom` or `.xcdatamodel`
    /// file.
    ///
    /// The reason for a failure isn't reported. The model isn't in use, so it may be changed.
    ///
    /// ```swift
    /// let url = Bundle.main.url(forResource: "Library", withExtension: "momd")
    /// let model = url.flatMap { NSManagedObjectModel(contentsOf: $0) }
    /// ```
    ///
    /// - Parameter url: The file or folder.
    /// - Returns: `nil` if the model doesn't exist or is damaged.
    public convenience init?(contentsOf url: URL) {
        try? self.init(contentsOfModelFile: url)
    }

    /// Reads a model like ``init(contentsOf:)``, and says what is wrong when it cannot.
    ///
    /// - Throws: a `CocoaError` with the path of the file and a sentence that names what is damaged or inconsistent.
    package convenience init(contentsOfModelFile url: URL) throws {
        let model = try ModelFile.model(at: url)
        self.init()
        adopt(model)
        let folder = url.deletingLastPathComponent()
        fileURLs = [["momd", "xcdatamodeld"].contains(folder.pathExtension) ? folder : url]
    }

    /// Takes over everything of another model, which is empty afterwards.
    final func adopt(_ other: NSManagedObjectModel) {
        let entities = other.orderedEntities
        let configurations = other.configurationMembers
        other.orderedEntities = []
        other.configurationMembers = [:]
        for entity in entities { entity.owner = nil }
        setEntities(entities)
        configurationMembers = configurations
        configurationNames = other.configurationNames
        versionIdentifiers = other.versionIdentifiers
        localizationDictionary = other.localizationDictionary
        fetchRequestTemplates = other.fetchRequestTemplates
        sourceDocument = other.sourceDocument
        fileURLs = other.fileURLs
    }
}
