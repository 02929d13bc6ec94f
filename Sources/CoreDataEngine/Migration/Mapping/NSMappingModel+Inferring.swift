import Foundation

extension NSMappingModel {
    /// Compares two models and makes the mapping model that leads from one to the other.
    ///
    /// Entities and properties are recognised by their renaming identifiers.
    ///
    /// - Parameters:
    ///   - sourceModel: The model of the stores as they are.
    ///   - destinationModel: The model that they shall have.
    /// - Returns: A mapping model with one mapping for each entity of both models.
    /// - Throws: `NSInferredMappingModelError` that names entity, property and reason.
    public class func inferredMappingModel(
        forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
    ) throws -> NSMappingModel {
        throw CoreDataError.make(NSInferredMappingModelError, "Mapping models can't be inferred yet.")
    }
}
