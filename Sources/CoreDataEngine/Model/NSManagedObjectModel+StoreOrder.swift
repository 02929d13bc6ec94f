import Foundation
import Synchronization

extension NSManagedObjectModel {
    /// The entities in the order in which a store numbers them, beginning with 1.
    ///
    /// Depth first: roots by name without regard to case, each followed by the entities that inherit from it.
    package final var entitiesInStoreOrder: [NSEntityDescription] {
        if let cached = cache.withLock({ $0.entitiesInStoreOrder }) { return cached }
        let fresh = Self.storeOrder(of: orderedEntities)
        cache.withLock { $0.entitiesInStoreOrder = fresh }
        return fresh
    }

    /// The store order of some entities of a model, such as those of a configuration.
    package static func storeOrder(of entities: [NSEntityDescription]) -> [NSEntityDescription] {
        let members = Set(entities.map(ObjectIdentifier.init))
        var result: [NSEntityDescription] = []
        result.reserveCapacity(entities.count)
        func visit(_ siblings: [NSEntityDescription]) {
            for entity in sortedByName(siblings) {
                result.append(entity)
                visit(entity.subentities.filter { members.contains(ObjectIdentifier($0)) })
            }
        }
        visit(
            entities.filter { entity in
                guard let parent = entity.superentity else { return true }
                return !members.contains(ObjectIdentifier(parent))
            })
        return result
    }

    /// Some entities, and those that inherit from them and are in a store as they are in the model: a configuration may leave
    /// these out, whose objects are among those of the others all the same.
    ///
    /// - Parameter metadata: Those of the store.
    package static func withStoredSubentities(
        _ entities: [NSEntityDescription], in metadata: [String: Any]
    ) -> [NSEntityDescription] {
        guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return entities }
        let members = Set(entities.map(ObjectIdentifier.init))
        var known = members
        let others = entities.flatMap(\.descendants).filter { entity in
            known.insert(ObjectIdentifier(entity)).inserted && hashes[entity.name ?? ""] == entity.versionHash
        }
        return others.isEmpty ? entities : storeOrder(of: entities + others)
    }

    /// Names that differ in case only keep a fixed order.
    private static func sortedByName(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
        entities.map { (key: ($0.name ?? "").lowercased(), name: $0.name ?? "", entity: $0) }
            .sorted { ($0.key, $0.name) < ($1.key, $1.name) }
            .map(\.entity)
    }
}
