import Foundation

/// An entity of the old model and what became of it.
package struct EntityMatch {
    /// Nil for a new entity.
    package let source: NSEntityDescription?
    /// Nil for an entity that is gone.
    package let destination: NSEntityDescription?
    /// The former selves of the destination's properties, inherited ones included, by the new name.
    package let sources: [String: NSPropertyDescription]
    /// The old names of properties that are gone.
    let removed: [String]

    /// Compares the properties of two entities.
    init(source: NSEntityDescription, destination: NSEntityDescription) {
        self.source = source
        self.destination = destination
        let old = source.properties.filter { !($0 is NSFetchedPropertyDescription) }
        let new = destination.properties.filter { !($0 is NSFetchedPropertyDescription) }
        let match = RenamingMatch(from: old, to: new) {
            RenamingMatch.Names(name: $0.name, identifier: $0.renamingIdentifier)
        }
        sources = Dictionary(
            new.compactMap { property in match.source(of: property).map { (property.name, $0) } },
            uniquingKeysWith: { first, _ in first })
        let kept = Set(sources.values.map(\.name))
        removed = old.map(\.name).filter { !kept.contains($0) }.sorted()
    }

    init(added destination: NSEntityDescription) {
        source = nil
        self.destination = destination
        sources = [:]
        removed = []
    }

    init(removed source: NSEntityDescription) {
        self.source = source
        destination = nil
        sources = [:]
        removed = source.properties.map(\.name).sorted()
    }

    /// The stored attribute that an attribute of the destination was.
    package func source(of attribute: NSAttributeDescription) -> NSAttributeDescription? {
        guard let old = sources[attribute.name] as? NSAttributeDescription, !old.isTransient else { return nil }
        return old
    }

    /// The stored relationship that a relationship of the destination was.
    package func source(of relationship: NSRelationshipDescription) -> NSRelationshipDescription? {
        guard let old = sources[relationship.name] as? NSRelationshipDescription, !old.isTransient else { return nil }
        return old
    }
}
