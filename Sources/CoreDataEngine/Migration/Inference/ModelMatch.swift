import Foundation

/// What became of each entity and property of an old model in a new one.
package struct ModelMatch {
    package let sourceEntities: [NSEntityDescription]
    package let destinationEntities: [NSEntityDescription]
    /// Entities that both models have, in the order of the destination, then new ones, then those that are gone.
    package let pairs: [EntityMatch]
    private let byDestination: [String: EntityMatch]
    private let bySource: [String: EntityMatch]

    /// Compares two models.
    ///
    /// - Throws: `NSInferredMappingModelError` that names what can't be carried over without being instructed how.
    package init(from source: [NSEntityDescription], to destination: [NSEntityDescription]) throws {
        self.init(comparing: source, with: destination)
        try ModelMatchRules(match: self).check()
    }

    /// Compares two models, also those that can't be carried over.
    init(comparing source: [NSEntityDescription], with destination: [NSEntityDescription]) {
        let old = NSManagedObjectModel.storeOrder(of: source)
        let new = NSManagedObjectModel.storeOrder(of: destination)
        let match = RenamingMatch(from: old, to: new) {
            RenamingMatch.Names(name: $0.name ?? "", identifier: $0.renamingIdentifier)
        }
        var pairs: [EntityMatch] = []
        var kept: Set<ObjectIdentifier> = []
        for entity in new {
            guard let former = match.source(of: entity) else { continue }
            kept.insert(ObjectIdentifier(former))
            pairs.append(EntityMatch(source: former, destination: entity))
        }
        pairs += new.filter { match.source(of: $0) == nil }.map { EntityMatch(added: $0) }
        pairs += old.filter { !kept.contains(ObjectIdentifier($0)) }.map { EntityMatch(removed: $0) }
        self.pairs = pairs
        sourceEntities = old
        destinationEntities = new
        byDestination = Dictionary(
            pairs.compactMap { pair in pair.destination?.name.map { ($0, pair) } },
            uniquingKeysWith: { first, _ in first })
        bySource = Dictionary(
            pairs.compactMap { pair in pair.source?.name.map { ($0, pair) } }, uniquingKeysWith: { first, _ in first })
    }

    /// What an entity of the destination was.
    package func match(destination entity: NSEntityDescription?) -> EntityMatch? {
        entity?.name.flatMap { byDestination[$0] }
    }

    /// What an entity of the source became.
    package func match(source entity: NSEntityDescription?) -> EntityMatch? { entity?.name.flatMap { bySource[$0] } }

    /// The entity and those of the same list that inherit from it.
    package func subtree(of entity: NSEntityDescription, in entities: [NSEntityDescription]) -> [NSEntityDescription] {
        entities.filter { $0.isKindOf(entity: entity) }
    }

    /// The source entities that objects of a relationship's end may have, and can keep in the destination.
    package func survivors(
        of source: NSEntityDescription, in destination: NSEntityDescription
    ) -> [NSEntityDescription] {
        subtree(of: source, in: sourceEntities).filter {
            match(source: $0)?.destination?.isKindOf(entity: destination) ?? false
        }
    }
}
