package import Foundation

/// What became of the entities and properties of a model in another one, as migrations see it. For tools.
package struct ModelComparison {
    /// Something of the old model and what it is in the new one; one of both is nil when it was added or removed.
    package struct Pair<Item> {
        package let source: Item?
        package let destination: Item?

        package init(source: Item?, destination: Item?) {
            self.source = source
            self.destination = destination
        }
    }

    /// Entities that both models have, then new ones, then those that are gone.
    package let entities: [Pair<NSEntityDescription>]

    /// Why no mapping model can be inferred: `NSInferredMappingModelError`s; none when one can.
    package let obstacles: [CocoaError]

    /// Compares two models by names and renaming identifiers.
    package init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) {
        let match = ModelMatch(comparing: source.entities, with: destination.entities)
        entities = match.pairs.map { Pair(source: $0.source, destination: $0.destination) }
        let failures = ModelMatchRules(match: match).failures()
        let keys = Set(failures.compactMap { Self.key($0, entity: $0.userInfo["entity"] as? String) })
        obstacles = failures.filter { failure in
            // What a parent cannot do its children cannot do either; it is said once.
            let name = failure.userInfo["entity"] as? String
            let parent = name.flatMap { destination.entitiesByName[$0]?.superentity?.name }
            return Self.key(failure, entity: parent).map(keys.contains) != true
        }
    }

    private static func key(_ failure: CocoaError, entity: String?) -> [String]? {
        guard let entity, let property = failure.userInfo["property"] as? String else { return nil }
        return [entity, property]
    }

    /// The properties that two entities declare themselves: those that both have, then new ones, then those that are
    /// gone.
    package static func properties(
        from source: NSEntityDescription, to destination: NSEntityDescription
    ) -> [Pair<NSPropertyDescription>] {
        let (old, new) = (source.declaredProperties, destination.declaredProperties)
        let match = RenamingMatch(from: old, to: new) {
            RenamingMatch.Names(name: $0.name, identifier: $0.renamingIdentifier)
        }
        let pairs = new.map { Pair(source: match.source(of: $0), destination: $0) }
        let kept = Set(pairs.compactMap(\.source).map(ObjectIdentifier.init))
        return pairs.filter { $0.source != nil } + pairs.filter { $0.source == nil }
            + old.filter { !kept.contains(ObjectIdentifier($0)) }.map { Pair(source: $0, destination: nil) }
    }
}
