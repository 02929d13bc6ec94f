import Foundation
package import OpenCoreData

extension NSEntityDescription {
    /// The attributes that a store keeps, by name.
    package var storedAttributes: [NSAttributeDescription] {
        attributesByName.values.filter { !$0.isTransient }.sorted { $0.name < $1.name }
    }

    /// The relationships that a store keeps, by name.
    package var storedRelationships: [NSRelationshipDescription] {
        relationshipsByName.values.filter { !$0.isTransient }.sorted { $0.name < $1.name }
    }

    /// The name, for messages.
    package var displayName: String { name ?? "?" }
}

extension NSManagedObjectModel {
    /// The entities by name.
    package var sortedEntities: [NSEntityDescription] {
        entities.sorted { $0.displayName < $1.displayName }
    }
}

extension NSManagedObjectID {
    /// By entity, then by number.
    package static func isInStoreOrder(_ left: NSManagedObjectID, _ right: NSManagedObjectID) -> Bool {
        if left.entity !== right.entity { return left.entity.displayName < right.entity.displayName }
        return left.reference < right.reference
    }
}
