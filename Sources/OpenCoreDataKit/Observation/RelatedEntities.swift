import CoreDataPlatform
import Foundation

/// Which entities' objects a condition or an order looks at besides those that it is about.
///
/// Found by the names of relationships, wherever in the model they are: an entity too many costs a look, one too few would be a
/// change that is missed.
struct RelatedEntities: Sendable, Hashable {
    /// The names of root entities.
    private(set) var names: Set<String> = []
    /// Whether the objects of any entity may count.
    private(set) var areAll = false

    init() {}

    var isEmpty: Bool { names.isEmpty && !areAll }

    /// Adds all entities.
    mutating func addAll() { areAll = true }

    /// Adds an entity.
    mutating func add(_ entity: NSEntityDescription) { names.insert(entity.rootName) }

    /// Adds the entities that the relationships of one lead to.
    mutating func add(relatedTo entity: NSEntityDescription) {
        for case let destination? in entity.relationshipsByName.values.map(\.destinationEntity) { add(destination) }
    }

    /// Adds what a request looks at besides the objects of its entity.
    mutating func add(_ request: NSFetchRequestBase, of model: NSManagedObjectModel) {
        var texts = (request.sortDescriptors ?? []).compactMap(\.key)
        if let predicate = request.predicate { texts.append(predicate.predicateFormat) }
        for element in request.propertiesToFetch ?? [] {
            switch element {
            case let path as String: texts.append(path)
            case let column as NSExpressionDescription: texts.append(column.expression?.description ?? "")
            default: break
            }
        }
        texts += (request.propertiesToGroupBy ?? []).compactMap { $0 as? String }
        add(texts, of: model)
    }

    /// Adds what a path or the text of a condition names.
    mutating func add(_ text: String, of model: NSManagedObjectModel) { add([text], of: model) }

    private mutating func add(_ texts: [String], of model: NSManagedObjectModel) {
        // A condition in code may look at anything.
        if texts.contains(where: { $0.contains("BLOCKPREDICATE") || $0.contains("Block") }) { areAll = true }
        var words: Set<String> = []
        var texts = texts
        // One walk over the entities for all texts, and another only for the expressions of derived values.
        while !texts.isEmpty {
            let new = Set(texts.flatMap(Self.words(of:))).subtracting(words)
            words.formUnion(new)
            texts = []
            if new.isEmpty { break }
            for entity in model.entities {
                for (name, relationship) in entity.relationshipsByName where new.contains(name) {
                    if let destination = relationship.destinationEntity { add(destination) }
                }
                // What others save changes a derived value, whose object isn't among what they saved.
                for case (let name, let derived as NSDerivedAttributeDescription) in entity.attributesByName
                where new.contains(name) { texts += derived.derivationExpression.map { [$0.description] } ?? [] }
            }
        }
    }

    private static func words(of text: String) -> Set<String> {
        Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    }

    /// Whether one of some objects is of these entities.
    func contain(anyOf ids: Set<NSManagedObjectID>) -> Bool {
        if areAll { return !ids.isEmpty }
        var known: [String: Bool] = [:]
        for id in ids {
            let name = id.entity.name ?? ""
            let isOne = known[name] ?? names.contains(id.entity.rootName)
            if isOne { return true }
            known[name] = false
        }
        return false
    }

    /// Whether one of some objects is of these entities.
    func contain(anyOf objects: Set<NSManagedObject>) -> Bool {
        objects.contains { areAll || names.contains($0.entity.rootName) }
    }

    /// Whether a commit may have changed what objects of these entities show.
    func areConcerned(by commit: Commit) -> Bool {
        if commit.kind == .erased { return true }
        if commit.inserted.isEmpty, commit.updated.isEmpty, commit.deleted.isEmpty { return true }
        return contain(anyOf: commit.inserted) || contain(anyOf: commit.updated) || contain(anyOf: commit.deleted)
    }
}

extension NSEntityDescription {
    /// The name of the entity at the top of the tree.
    var rootName: String {
        var entity = self
        while let parent = entity.superentity { entity = parent }
        return entity.name ?? ""
    }
}
