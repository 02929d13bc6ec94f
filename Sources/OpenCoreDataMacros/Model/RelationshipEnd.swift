import CoreDataPlatform

/// A relationship that a class declares, as one end of a pair.
struct RelationshipEnd {
    let name: String
    let inverse: InverseName
    let entity: NSEntityDescription
    let destination: NSEntityDescription

    var path: String { "\(entity.name ?? "").\(name)" }
    var description: NSRelationshipDescription? { entity.relationshipsByName[name] }

    /// Whether the other end may be this one's inverse: each is declared where the other leads to, or above.
    func fits(_ other: RelationshipEnd) -> Bool {
        destination.isKindOf(entity: other.entity) && other.destination.isKindOf(entity: entity)
    }

    /// Whether each end leads to just the entity that declares the other.
    func isBetweenSameEntities(as other: RelationshipEnd) -> Bool {
        destination === other.entity && other.destination === entity
    }
}
