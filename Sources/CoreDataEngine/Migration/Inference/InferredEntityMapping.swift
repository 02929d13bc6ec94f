import Foundation

/// Writes a comparison of two entities as an entity mapping.
struct InferredEntityMapping {
    let pair: EntityMatch
    let match: ModelMatch

    var mapping: NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.name = "IEM_\(kind.word)_\(pair.destination?.name ?? pair.source?.name ?? "")"
        mapping.mappingType = kind.type
        mapping.sourceEntityName = pair.source?.name
        mapping.sourceEntityVersionHash = pair.source?.versionHash
        mapping.destinationEntityName = pair.destination?.name
        mapping.destinationEntityVersionHash = pair.destination?.versionHash
        let properties = pair.destination?.properties.filter(\.isPersistent).sorted { $0.name < $1.name } ?? []
        mapping.attributeMappings = properties.compactMap { $0 as? NSAttributeDescription }
            .filter { !($0 is NSDerivedAttributeDescription) }
            .map(attributeMapping)
        mapping.relationshipMappings = properties.compactMap { $0 as? NSRelationshipDescription }
            .map(relationshipMapping)
        mapping.userInfo = [
            "mappedProperties": Set(properties.map(\.name).filter { pair.sources[$0] != nil }),
            "addedProperties": Set(properties.map(\.name).filter { pair.sources[$0] == nil }),
            "removedProperties": Set(pair.removed),
        ]
        return mapping
    }

    private var kind: (word: String, type: NSEntityMappingType) {
        switch (pair.source, pair.destination) {
        case (nil, _): ("Add", .addEntityMappingType)
        case (_, nil): ("Remove", .removeEntityMappingType)
        case (let source?, let destination?):
            source.versionHash == destination.versionHash && source.name == destination.name
                ? ("Copy", .copyEntityMappingType) : ("Transform", .transformEntityMappingType)
        }
    }

    private func attributeMapping(_ attribute: NSAttributeDescription) -> NSPropertyMapping {
        let mapping = NSPropertyMapping()
        mapping.name = attribute.name
        if let source = pair.source(of: attribute) {
            mapping.valueExpression = Self.value(of: source)
        }
        return mapping
    }

    /// The expression for the value of an attribute of the source.
    static func value(of source: NSAttributeDescription) -> NSExpression {
        NSExpression(
            forFunction: NSExpression(forVariable: "source"), selectorName: "valueForKey:",
            arguments: [NSExpression(forConstantValue: source.name)])
    }

    private func relationshipMapping(_ relationship: NSRelationshipDescription) -> NSPropertyMapping {
        let mapping = NSPropertyMapping()
        mapping.name = relationship.name
        if let source = pair.source(of: relationship) {
            mapping.valueExpression = NSExpression(
                forFunction: NSExpression(forVariable: "manager"),
                selectorName: "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
                arguments: [
                    NSExpression(forConstantValue: source.name),
                    NSExpression(
                        forFunction: NSExpression(forVariable: "source"), selectorName: "valueForKey:",
                        arguments: [NSExpression(forConstantValue: source.name)]),
                ])
        }
        return mapping
    }
}
