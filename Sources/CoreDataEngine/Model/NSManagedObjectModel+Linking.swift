import Foundation

extension NSManagedObjectModel {
    final func setEntities(_ newEntities: [NSEntityDescription]) {
        var seen = Set<ObjectIdentifier>()
        let all = newEntities.flatMap { [$0] + $0.descendants }.filter { seen.insert(ObjectIdentifier($0)).inserted }
        for entity in all {
            programmerError(
                unless:
                    entity.owner == nil || entity.owner === self,
                "The entity '\(entity.name ?? "")' cannot be added to the model: it belongs to another one. Add a copy."
            )
        }
        for entity in orderedEntities { entity.owner = nil }
        orderedEntities = all
        for entity in all { entity.owner = self }
        contentsChanged()
        linkEntities()
    }

    /// Finds by name what is not linked yet. Everything that is linked already stays.
    final func linkEntities() {
        let byName = entitiesByName
        for entity in orderedEntities where entity.superentity?.owner !== self {
            guard let parentName = entity.superentity?.name ?? entity.detachedSuperentityName,
                let parent = byName[parentName], !parent.isKindOf(entity: entity)
            else { continue }
            parent.addSubentity(entity)
            entity.detachedSuperentityName = nil
        }
        for entity in orderedEntities {
            entity.subentityHold = []
            for case let relationship as NSRelationshipDescription in entity.declaredProperties {
                relationship.link(in: self)
            }
        }
        for entity in orderedEntities {
            for element in entity.indexes.flatMap(\.elements) { element.link(in: entity) }
            entity.invalidateLookup()
        }
    }

    /// The hashes that files gave for entities.
    private final var knownVersionHashes: [String: Data] {
        var hashes: [String: Data] = [:]
        for entity in orderedEntities { hashes[entity.name ?? ""] = entity.knownVersionHash }
        return hashes
    }

    final func deepCopy() -> NSManagedObjectModel {
        let copy = NSManagedObjectModel()
        copy.entities = orderedEntities.map { $0.detachedCopy() }
        copy.versionIdentifiers = versionIdentifiers
        copy.localizationDictionary = localizationDictionary
        copy.fetchRequestTemplates = fetchRequestTemplates
        copy.sourceDocument = sourceDocument
        copy.fileURLs = fileURLs
        copy.setKnownVersionHashes(knownVersionHashes)
        copy.configurationNames = configurationNames
        let byName = copy.entitiesByName
        copy.configurationMembers = configurationMembers.mapValues { $0.compactMap { byName[$0.name ?? ""] } }
        return copy
    }
}
