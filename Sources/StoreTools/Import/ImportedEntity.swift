import OpenCoreData

/// What an import knows of an entity: its properties by name, and which relationships the objects of the input bring.
final class ImportedEntity {
    enum Property {
        case attribute(NSAttributeDescription)
        /// A derived attribute, which the store computes itself.
        case derived
        case relationship(ImportedRelationship)
    }

    let entity: NSEntityDescription
    let name: String
    let properties: [String: Property]
    /// The number of objects in the input.
    var objects = 0
    /// Whether relationships have rules that the save of a new object can't check.
    let hasRules: Bool
    /// The number of to-ones that every object must have.
    let requiredToOnes: Int

    init(_ entity: NSEntityDescription) {
        self.entity = entity
        name = entity.displayName
        var properties: [String: Property] = [:]
        for property in entity.propertiesByName.values {
            switch property {
            case is NSDerivedAttributeDescription: properties[property.name] = .derived
            case let attribute as NSAttributeDescription: properties[property.name] = .attribute(attribute)
            case let relationship as NSRelationshipDescription:
                properties[property.name] = .relationship(ImportedRelationship(relationship))
            default: break
            }
        }
        self.properties = properties
        let relationships = entity.storedRelationships
        hasRules = relationships.contains { relationship in
            relationship.isToMany
                && (!relationship.isOptional || relationship.minCount > 0 || relationship.maxCount > 0)
                || !relationship.validationPredicates.isEmpty
        }
        requiredToOnes = relationships.filter { !$0.isToMany && !$0.isOptional }.count
    }

    func relationship(_ name: String) -> ImportedRelationship? {
        if case .relationship(let relationship)? = properties[name] { relationship } else { nil }
    }
}

/// A relationship of the entity whose objects are imported.
final class ImportedRelationship {
    let description: NSRelationshipDescription
    /// How many objects of the input bring it.
    var objects = 0

    /// Whether a destination that is there already may be set at once: the other side has no order that this could spoil,
    /// and is no object that a later one would be taken from.
    let isSetAtOnce: Bool

    init(_ description: NSRelationshipDescription) {
        self.description = description
        let inverse = description.inverseRelationship
        isSetAtOnce =
            !description.isToMany && !description.isTransient
            && (inverse == nil || inverse?.isToMany == true && inverse?.isOrdered == false)
    }
}
