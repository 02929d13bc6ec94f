package import Foundation
package import OpenCoreData

/// How many objects each entity of a store has, and how many objects each relationship leads to.
package struct StoreCensus {
    /// By entity; objects of subentities are counted there.
    private(set) var objects: [String: Int] = [:]
    /// By the entity that declares the relationship, and its name. To-manys whose inverse is a to-one are counted there.
    private(set) var links: [String: Int] = [:]

    /// Counts. Nothing is changed.
    package init(storeURL url: URL, source: ModelSource) throws {
        let session = try StoreSession(
            url: url, source: source, access: .reading)
        try session.perform { context in
            for entity in source.model.entities where !entity.isAbstract {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
                request.includesSubentities = false
                objects[entity.name ?? ""] = try context.count(for: request)
            }
            for entity in source.model.entities {
                for relationship in entity.relationshipsByName.values where Self.isCounted(relationship, entity) {
                    links[Self.key(entity, relationship)] = try Self.count(relationship, of: entity, in: context)
                }
            }
        }
        try session.coordinator.remove(session.store)
    }

    package static func key(_ entity: NSEntityDescription, _ relationship: NSRelationshipDescription) -> String {
        "\(entity.name ?? "").\(relationship.name)"
    }

    package static func isCounted(_ relationship: NSRelationshipDescription, _ entity: NSEntityDescription) -> Bool {
        guard !relationship.isTransient, entity.superentity?.relationshipsByName[relationship.name] == nil else {
            return false
        }
        return !relationship.isToMany || relationship.inverseRelationship?.isToMany != false
    }

    private static func count(
        _ relationship: NSRelationshipDescription, of entity: NSEntityDescription, in context: NSManagedObjectContext
    ) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        guard relationship.isToMany else {
            request.predicate = NSPredicate(format: "%K != nil", relationship.name)
            return try context.count(for: request)
        }
        var total = 0
        // A caller that reads in batches learns of unreadable objects, and of a signal, with the next batch.
        try ObjectStream(request, prefetching: [relationship.name]).forEach(in: context) { object in
            switch object.value(forKey: relationship.name) {
            case let set as Set<NSManagedObject>: total += set.count
            case let set as NSSet: total += set.count
            case let set as NSOrderedSet: total += set.count
            default: break
            }
        }
        return total
    }
}
