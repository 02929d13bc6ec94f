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
    /// The relationships with an inverse.
    private(set) var linked: [ImportedRelationship] = []
    /// The relationships that the object at hand has brought.
    private var met: Set<String> = []

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

    /// Connects the relationships with what is known of them and their inverses.
    func link(_ sides: (NSRelationshipDescription) -> (sides: LinkedSides, side: Int)?) {
        for case .relationship(let relationship) in properties.values {
            guard let found = sides(relationship.description) else { continue }
            (relationship.sides, relationship.side) = (found.sides, found.side)
            linked.append(relationship)
        }
    }

    /// To be called when an object begins.
    func beginObject() {
        objects += 1
        met.removeAll(keepingCapacity: true)
    }

    /// Notes that the object has a relationship.
    func note(_ relationship: String) { met.insert(relationship) }

    /// To be called when an object ends: notes of which relationships it said something.
    func endObject() {
        for relationship in linked {
            relationship.sides?.count(relationship.side, says: met.contains(relationship.description.name))
        }
    }

    func relationship(_ name: String) -> ImportedRelationship? {
        if case .relationship(let relationship)? = properties[name] { relationship } else { nil }
    }
}

/// A relationship of the entity whose objects are imported.
final class ImportedRelationship {
    let description: NSRelationshipDescription
    /// What the input says about the relationship and its inverse; `nil` if the relationship has no inverse to compare.
    fileprivate(set) var sides: LinkedSides?
    /// Which of the two sides this is.
    fileprivate(set) var side = 0

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

    /// Notes a link that the input has.
    func add(_ source: Int64, _ destination: Int64) { sides?.add(side, source, destination) }
}
