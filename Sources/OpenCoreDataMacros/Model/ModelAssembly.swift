import CoreDataPlatform

/// Makes entities of what classes say, and links them.
struct ModelAssembly {
    private let blueprints: [EntityBlueprint]
    private let byType: [ObjectIdentifier: EntityBlueprint]

    /// - Throws: An error that names the classes that are missing.
    init(_ classes: [(type: NSManagedObject.Type, blueprint: EntityBlueprint)]) throws {
        var blueprints: [EntityBlueprint] = []
        var byType: [ObjectIdentifier: EntityBlueprint] = [:]
        for (type, blueprint) in classes {
            guard blueprint.type == type else {
                throw BlueprintError.make(
                    "The class \(type) has no @ManagedObject of its own, only its superclass \(blueprint.type) has.")
            }
            if byType.updateValue(blueprint, forKey: ObjectIdentifier(type)) == nil { blueprints.append(blueprint) }
        }
        self.blueprints = blueprints
        self.byType = byType
        try requireClasses()
    }

    private func requireClasses() throws {
        var missing: [String] = []
        for blueprint in blueprints {
            if let parent = blueprint.parent, byType[ObjectIdentifier(parent.type)] == nil {
                missing.append("\(parent.type), which \(blueprint.type) inherits from")
            }
            for property in blueprint.properties {
                guard let destination = property.relationship?.form.destination,
                    byType[ObjectIdentifier(destination)] == nil
                else { continue }
                missing.append("\(destination), which \(blueprint.type).\(property.name) leads to")
            }
        }
        guard missing.isEmpty else {
            throw BlueprintError.make("Classes are missing in the model: \(missing.joined(separator: "; ")).")
        }
    }

    func makeEntities() throws -> [NSEntityDescription] {
        let entities = try blueprints.map { try $0.makeDescription() }
        let pairs = zip(blueprints, entities).map { (ObjectIdentifier($0.type), $1) }
        let byType = Dictionary(uniqueKeysWithValues: pairs)
        for (blueprint, entity) in zip(blueprints, entities) {
            guard let parent = blueprint.parent.flatMap({ byType[ObjectIdentifier($0.type)] }) else { continue }
            parent.addSubentity(entity)
        }
        let ends = zip(blueprints, entities).flatMap { blueprint, entity in
            blueprint.properties.compactMap { property -> RelationshipEnd? in
                guard let relationship = property.relationship,
                    let destination = byType[ObjectIdentifier(relationship.form.destination)]
                else { return nil }
                return RelationshipEnd(
                    name: property.name, inverse: relationship.inverse, entity: entity, destination: destination)
            }
        }
        for end in ends { end.description?.destinationEntity = end.destination }
        for (end, inverse) in try InverseResolution(ends).pairs() {
            end.description?.inverseRelationship = inverse.description
        }
        return entities
    }
}
