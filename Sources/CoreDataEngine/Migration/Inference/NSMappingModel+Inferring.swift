import Foundation

extension NSMappingModel {
    /// What `inferredMappingModel(forSourceModel:destinationModel:)` does.
    static func inferredModel(
        forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
    ) throws -> NSMappingModel {
        inferred(from: try ModelMatch(from: sourceModel.entities, to: destinationModel.entities))
    }

    static func inferred(from match: ModelMatch) -> NSMappingModel {
        let mapping = NSMappingModel()
        mapping.entityMappings = match.pairs.map { InferredEntityMapping(pair: $0, match: match).mapping }
        mapping.isInferred = true
        return mapping
    }

    /// Whether the mappings say what a comparison of the models would say, so that a store may be migrated by that.
    func isInferred(by match: ModelMatch) -> Bool {
        guard isInferred, let mappings = entityMappings else { return false }
        let fresh = Self.inferred(from: match).entityMappings ?? []
        return fresh.count == mappings.count && zip(fresh, mappings).allSatisfy { $0.isSame(as: $1) }
    }
}

extension NSEntityMapping {
    fileprivate func isSame(as other: NSEntityMapping) -> Bool {
        func same(_ a: [NSPropertyMapping]?, _ b: [NSPropertyMapping]?) -> Bool {
            let (a, b) = (a ?? [], b ?? [])
            return a.count == b.count
                && zip(a, b).allSatisfy {
                    $0.name == $1.name && $0.valueExpression == $1.valueExpression
                        && type(of: $1) == NSPropertyMapping.self
                }
        }
        return name == other.name && mappingType == other.mappingType && sourceEntityName == other.sourceEntityName
            && destinationEntityName == other.destinationEntityName && other.sourceExpression == nil
            && other.entityMigrationPolicyClassName == nil && same(attributeMappings, other.attributeMappings)
            && same(relationshipMappings, other.relationshipMappings)
    }
}
