public import Foundation

/// How a store of one model becomes a store of another: one entity mapping after the other.
///
/// Not safe to use from several threads at once.
open class NSMappingModel: NSObject {
    /// Creates a mapping model without mappings.
    ///
    /// Set ``entityMappings``, or use ``inferredMappingModel(forSourceModel:destinationModel:)`` for changes that need
    /// no code.
    public override init() {}

    /// The mappings, in the order in which they are executed.
    open var entityMappings: [NSEntityMapping]! = []

    /// The mappings by name; of several with one name the first.
    open var entityMappingsByName: [String: NSEntityMapping] {
        Dictionary(
            (entityMappings ?? []).compactMap { mapping in mapping.name.map { ($0, mapping) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Whether the mapping model came from comparing two models.
    package final var isInferred = false

    /// Whether another object is a mapping model with the same mappings in the same order.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSMappingModel else { return false }
        return self === other || (entityMappings ?? []) == (other.entityMappings ?? [])
    }

    open override var hash: Int { entityMappings?.count ?? 0 }

    open override var description: String {
        "<NSMappingModel: \((entityMappings ?? []).map(\.description).joined(separator: ", "))>"
    }
    /// Compares two models and makes the mapping model that leads from one to the other.
    ///
    /// Entities and properties are recognized by their renaming identifiers. There is one mapping for each entity of both
    /// models, `IEM_Copy_X` for an entity that is the same in both, `IEM_Transform_X` for one that changed, `IEM_Add_X`
    /// for a new one and `IEM_Remove_X` for one that is gone. The user info of a mapping has sets `mappedProperties`,
    /// `addedProperties` and `removedProperties`.
    ///
    /// - Parameters:
    ///   - sourceModel: The model of the stores as they are.
    ///   - destinationModel: The model that they shall have.
    /// - Returns: A mapping model with one mapping for each entity of both models.
    /// - Throws: `NSInferredMappingModelError` that names entity, property and reason.
    open class func inferredMappingModel(
        forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
    ) throws -> NSMappingModel {
        try inferredModel(forSourceModel: sourceModel, destinationModel: destinationModel)
    }
}
