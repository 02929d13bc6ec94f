package import Foundation
package import OpenCoreData

/// What is different between two models, and what a migration makes of it.
package struct ModelDifference {
    package enum Word: String {
        case added
        case removed
        case renamed
        case changed
    }

    package struct Change {
        /// The entity or property by its new name, or its old one when it is gone.
        package let name: String
        package let oldName: String?
        package let word: Word
        package let facets: [(name: String, old: String?, new: String?)]
        /// For an added or removed property: what it is.
        package let summary: String
        package let oldHash: Data?
        package let newHash: Data?
        package let properties: [Change]
        /// Whether old objects have nothing for a property that now must have a value.
        package let needsValue: Bool
    }

    package let model: [(name: String, old: String?, new: String?)]
    package let entities: [Change]
    package let obstacles: [String]
    package let oldChecksum: String
    package let newChecksum: String
    package let hashesAreEqual: Bool

    package var isEmpty: Bool { model.isEmpty && entities.isEmpty && hashesAreEqual }

    package init(_ old: NSManagedObjectModel, _ new: NSManagedObjectModel) {
        let comparison = ModelComparison(from: old, to: new)
        model = Facets.changes(Facets(of: old), Facets(of: new))
        entities = comparison.entities.compactMap(Self.change).sorted { $0.name < $1.name }
        obstacles = comparison.obstacles.map { Sentence.string(of: $0) }
        oldChecksum = old.versionChecksum
        newChecksum = new.versionChecksum
        hashesAreEqual = old.entityVersionHashesByName == new.entityVersionHashesByName
    }

    private static func change(_ pair: ModelComparison.Pair<NSEntityDescription>) -> Change? {
        let (old, new) = (pair.source, pair.destination)
        var properties: [Change] = []
        if let old, let new {
            properties = ModelComparison.properties(from: old, to: new).compactMap(change).sorted { $0.name < $1.name }
        } else {
            properties =
                (new ?? old)?.declaredProperties.sorted { $0.name < $1.name }.compactMap { property in
                    change(.init(source: new == nil ? property : nil, destination: new == nil ? nil : property))
                } ?? []
        }
        let facets: [(name: String, old: String?, new: String?)]
        switch (old, new) {
        case (let old?, let new?): facets = Facets.changes(Facets(of: old), Facets(of: new))
        case (let only?, nil), (nil, let only?):
            facets = Facets(of: only).list.filter { $0.name != "name" }.map { ($0.name, nil, $0.value) }
        case (nil, nil): return nil
        }
        return change(
            name: (old?.name, new?.name), facets: facets, hash: (old?.versionHash, new?.versionHash),
            properties: properties)
    }

    private static func change(_ pair: ModelComparison.Pair<NSPropertyDescription>) -> Change? {
        let (old, new) = (pair.source, pair.destination)
        switch (old, new) {
        case (let old?, let new?):
            return change(
                name: (old.name, new.name), facets: Facets.changes(Facets(of: old), Facets(of: new)),
                hash: (old.versionHash, new.versionHash), needsValue: old.isOptional && isRequired(new))
        case (let only?, nil), (nil, let only?):
            return change(
                name: (old?.name, new?.name),
                facets: Facets(of: only).list.filter { $0.name != "name" }.map { ($0.name, nil, $0.value) },
                hash: (old?.versionHash, new?.versionHash), needsValue: new.map(isRequired) ?? false)
        case (nil, nil): return nil
        }
    }

    private static func change(
        name: (old: String?, new: String?), facets: [(name: String, old: String?, new: String?)],
        hash: (old: Data?, new: Data?), properties: [Change] = [], needsValue: Bool = false
    ) -> Change? {
        let word: Word
        switch name {
        case (nil, _): word = .added
        case (_, nil): word = .removed
        case (let old?, let new?):
            guard old == new else {
                word = .renamed
                break
            }
            guard !facets.isEmpty || !properties.isEmpty || hash.old != hash.new else { return nil }
            word = .changed
        }
        let isWhole = word == .added || word == .removed
        return Change(
            name: name.new ?? name.old ?? "", oldName: word == .renamed ? name.old : nil, word: word,
            facets: isWhole ? [] : facets.filter { $0.name != "name" && !isRenaming($0, name) },
            summary: isWhole ? summary(facets) : "", oldHash: hash.old, newHash: hash.new, properties: properties,
            needsValue: needsValue)
    }

    /// Whether a renaming identifier says only what the change says already.
    private static func isRenaming(
        _ facet: (name: String, old: String?, new: String?), _ name: (old: String?, new: String?)
    ) -> Bool {
        facet.name == "renaming identifier" && facet.new == name.old && name.old != name.new
    }

    /// Whether an object cannot be saved that has no value of its own for the property.
    private static func isRequired(_ property: NSPropertyDescription) -> Bool {
        guard !property.isOptional, !property.isTransient, !(property is NSDerivedAttributeDescription) else {
            return false
        }
        switch property {
        case let attribute as NSAttributeDescription: return attribute.defaultValue == nil
        case let relationship as NSRelationshipDescription: return !relationship.isToMany
        default: return false
        }
    }

    /// What a new or removed property is, in a few words.
    private static func summary(_ facets: [(name: String, old: String?, new: String?)]) -> String {
        func new(_ name: String) -> String? { facets.first { $0.name == name }?.new }
        var words: [String] = []
        if let type = new("type") { words.append(type) }
        if let destination = new("destination") {
            words.append("\(new("count") ?? "to one") \(destination)")
        }
        for flag in ["optional", "transient", "abstract", "ordered"] where new(flag) != nil { words.append(flag) }
        if let parent = new("parent") { words.append("inherits from \(parent)") }
        if let value = new("default") { words.append("default \(value)") }
        if let derivation = new("derivation") { words.append("derived from \(derivation)") }
        return words.joined(separator: ", ")
    }
}
