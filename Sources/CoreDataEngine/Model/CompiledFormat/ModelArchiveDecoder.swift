import Foundation

/// Makes a model of a keyed archive: the content of a `.mom` file or of the model cache of a store.
///
/// Objects are recognized by the names of their classes in the archive, and made by this code; no class is looked up.
struct ModelArchiveDecoder {
    let root: ArchivedObject
    var values: ArchivedValueDecoder
    var predicates: PredicateArchiveDecoder
    private var entities: [(object: ArchivedObject, entity: NSEntityDescription)] = []
    private var byReference: [Int: Int] = [:]
    /// How many properties may still be made: an archive can refer to one property many times.
    var propertyBudget: Int

    /// Reads an archive.
    ///
    /// - Parameter isPart: whether it holds a part of a model, whose relationships may lead out of it.
    /// - Throws: a `CocoaError` that names what is damaged or inconsistent.
    static func decode(_ data: Data, isPart: Bool = false) throws -> NSManagedObjectModel {
        let archive = try KeyedArchive(data)
        let root = try archive.root()
        guard root.className == "NSManagedObjectModel" else {
            throw ModelError.corrupt("The archive holds a \(root.className), not a model.")
        }
        var decoder = ModelArchiveDecoder(root: root)
        let model = try decoder.model()
        if !isPart { try model.requireLinks() }
        return model
    }

    private init(root: ArchivedObject) {
        self.root = root
        values = ArchivedValueDecoder(archive: root.archive)
        predicates = PredicateArchiveDecoder(archive: root.archive)
        propertyBudget = root.archive.count * 4 + 10_000
    }

    private mutating func model() throws -> NSManagedObjectModel {
        try collectEntities()
        try linkHierarchy()
        try decodeProperties()
        let model = NSManagedObjectModel()
        model.entities = entities.map(\.entity)
        try decodeConfigurations(of: model)
        model.versionIdentifiers = try versionIdentifiers()
        for (name, value) in try root.dictionary("NSFetchRequestTemplates") ?? [] {
            guard case .object(let object) = value else { throw root.wrongKind("NSFetchRequestTemplates", "requests") }
            model.fetchRequestTemplates[name] = try fetchRequest(object, name: name)
        }
        return model
    }

    // MARK: Entities

    private mutating func collectEntities() throws {
        guard let entries = try root.dictionary("NSEntities") else {
            throw ModelError.corrupt("The archived model has no list of entities.")
        }
        var names = Set<String>()
        for entry in entries {
            guard case .object(let object) = entry.value, object.className == "NSEntityDescription",
                let name = try object.string("NSEntityName"), !name.isEmpty
            else {
                throw ModelError.corrupt("The entry '\(entry.key)' of the archived model is not an entity with a name.")
            }
            guard names.insert(name).inserted else {
                throw ModelError.invalid("The model has two entities named '\(name)'.")
            }
            let entity = NSEntityDescription()
            entity.name = name
            byReference[object.reference] = entities.count
            entities.append((object, entity))
        }
    }

    private func linkHierarchy() throws {
        var parents: [Int: Int] = [:]
        for (index, item) in entities.enumerated() {
            guard let parent = try item.object.object("NSSuperentity", "NSEntityDescription") else { continue }
            guard let parentIndex = byReference[parent.reference] else {
                throw ModelError.invalid("The superentity of entity '\(item.entity.name ?? "")' is not in the model.")
            }
            parents[index] = parentIndex
        }
        try InheritanceCheck.run(parents: parents) { entities[$0].entity.name ?? "" }
        let children = Dictionary(grouping: parents.keys.sorted(), by: { parents[$0] ?? 0 })
        for (parent, members) in children {
            let order = try order(ofSubentitiesOf: entities[parent].object)
            let sorted = members.sorted { (order[$0] ?? .max, $0) < (order[$1] ?? .max, $1) }
            entities[parent].entity.subentities = sorted.map { entities[$0].entity }
        }
    }

    private func order(ofSubentitiesOf object: ArchivedObject) throws -> [Int: Int] {
        var order: [Int: Int] = [:]
        for (position, entry) in (try object.dictionary("NSSubentities") ?? []).enumerated() {
            if case .object(let child) = entry.value, let index = byReference[child.reference] {
                order[index] = position
            }
        }
        return order
    }

    /// A cache repeats inherited properties in subentities, as copies or proxies; so parents come first.
    private mutating func decodeProperties() throws {
        let byDepth = entities.indices.sorted { (depth(of: $0), $0) < (depth(of: $1), $1) }
        for index in byDepth { try decode(entities[index].object, into: entities[index].entity) }
    }

    private func depth(of index: Int) -> Int {
        sequence(first: entities[index].entity, next: \.superentity).reduce(0) { count, _ in count + 1 }
    }

    private mutating func decode(_ object: ArchivedObject, into entity: NSEntityDescription) throws {
        entity.managedObjectClassName = try object.string("NSClassNameForEntity")
        entity.isAbstract = try object.bool("NSIsAbstract")
        entity.versionHashModifier = try object.string("NSVersionHashModifier")
        entity.explicitRenamingIdentifier = try object.string("NSRenamingIdentifier").flatMap {
            $0 == entity.name ? nil : $0
        }
        entity.userInfo = try userInfo(of: object)
        let inherited = Set(entity.superentity?.properties.map(\.name) ?? [])
        var properties: [NSPropertyDescription] = []
        for entry in try object.dictionary("NSProperties") ?? [] where !inherited.contains(entry.key) {
            guard case .object(let propertyObject) = entry.value else {
                throw object.wrongKind("NSProperties", "properties")
            }
            if propertyObject.className == "_NSPropertyDescriptionProxy" { continue }
            properties.append(try property(propertyObject, of: entity.name ?? ""))
        }
        var names = Set<String>()
        for property in properties where !names.insert(property.name).inserted {
            throw ModelError.invalid("The entity '\(entity.name ?? "")' has two properties named '\(property.name)'.")
        }
        entity.declaredProperties = properties
        entity.uniquenessConstraints = try nameLists(object, "NSUniqueTuples")
        entity.compoundIndexNames = try nameLists(object, "NSCompoundIndexes")
        entity.indexes = try object.objects("NSFetchIndexDescriptions", "NSFetchIndexDescription")
            .map { try fetchIndex($0, of: entity) }
    }

    /// Lists of names; a name can stand as a string or as the property itself.
    private func nameLists(_ object: ArchivedObject, _ key: String) throws -> [[String]] {
        try (try object.array(key) ?? []).map { element in
            guard case .object(let list) = element else { throw object.wrongKind(key, "lists of names") }
            return try list.elements().map { name in
                switch name {
                case .string(let string): return string
                case .object(let property):
                    guard let string = try property.string("NSPropertyName") ?? property.string("NS.string") else {
                        throw object.wrongKind(key, "lists of names")
                    }
                    return string
                default: throw object.wrongKind(key, "lists of names")
                }
            }
        }
    }

    mutating func userInfo(of object: ArchivedObject) throws -> [AnyHashable: Any] {
        guard let archived = try object.object("NSUserInfo", "NSDictionary", "NSMutableDictionary") else { return [:] }
        return try values.decode(.object(archived)) as? [AnyHashable: Any] ?? [:]
    }

    private mutating func fetchIndex(_ object: ArchivedObject, of entity: NSEntityDescription) throws
        -> NSFetchIndexDescription
    {
        guard let name = try object.string("NSIndexName") else {
            throw ModelError.corrupt("An index of entity '\(entity.name ?? "")' has no name.")
        }
        let elements = try object.objects("NSIndexElements", "NSFetchIndexElementDescription").map { element in
            try fetchIndexElement(element, index: name, entity: entity)
        }
        let index = NSFetchIndexDescription(name: name, elements: elements)
        index.partialIndexPredicate = try object.object("NSPartialIndexPredicate").map { try predicates.predicate($0) }
        return index
    }

    private mutating func fetchIndexElement(_ object: ArchivedObject, index: String, entity: NSEntityDescription) throws
        -> NSFetchIndexElementDescription
    {
        let rawType = try object.int("NSFetchIndexElementType")
        guard let type = UInt(exactly: rawType).flatMap(NSFetchIndexElementType.init(rawValue:)) else {
            throw ModelError.corrupt(
                "An element of the index '\(index)' of entity '\(entity.name ?? "")' has the unknown type \(rawType).")
        }
        let element: NSFetchIndexElementDescription
        if let expression = try object.object("NSIndexedProperty", "NSExpressionDescription") {
            let property = try property(expression, of: entity.name ?? "")
            element = NSFetchIndexElementDescription(property: property, collationType: type)
        } else {
            let name = try object.string("NSPropertyName") ?? ""
            element = NSFetchIndexElementDescription(propertyName: name, collationType: type)
        }
        element.isAscending = try object.bool("NSAscending")
        return element
    }

    // MARK: Model

    private func decodeConfigurations(of model: NSManagedObjectModel) throws {
        for entry in try root.dictionary("NSConfigurations") ?? [] {
            guard case .object(let list) = entry.value else {
                throw root.wrongKind("NSConfigurations", "lists of entities")
            }
            let members = try list.elements().map { member in
                guard case .object(let object) = member, let index = byReference[object.reference] else {
                    throw ModelError.invalid("The configuration '\(entry.key)' has a member that is not in the model.")
                }
                return entities[index].entity
            }
            model.setEntities(members, forConfigurationName: entry.key)
        }
    }

    private mutating func versionIdentifiers() throws -> Set<AnyHashable> {
        var identifiers = Set<AnyHashable>()
        for element in try root.array("NSVersionIdentifiers") ?? [] {
            if let identifier = try values.decode(element) as? AnyHashable { identifiers.insert(identifier) }
        }
        return identifiers
    }
}
