public import Foundation

extension NSMappingModel {
    /// Reads a compiled mapping model (`.cdm`).
    ///
    /// - Parameter url: The file.
    /// - Returns: nil when the file can't be read.
    public convenience init?(contentsOf url: URL?) {
        self.init()
        return nil
    }

    /// Reads the mapping model between two models from the first bundle that has it.
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
        self.init()
        return nil
    }
}
