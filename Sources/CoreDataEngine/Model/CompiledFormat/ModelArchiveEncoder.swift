import Foundation

/// Writes a model as a keyed archive: the content of a `.mom` file or of the model cache of a store.
struct ModelArchiveEncoder {
    enum Form {
        /// Properties stand in the entity that declares them only.
        case compiledModel
        /// Entities are sorted by name, and inherited properties are repeated in subentities.
        case modelCache
    }

    typealias Field = (key: String, value: KeyedArchiveWriter.Field)

    let model: NSManagedObjectModel
    let form: Form
    var writer = KeyedArchiveWriter()
    private var modelReference = 0
    private var entityReferences: [ObjectIdentifier: Int] = [:]
    private var propertyReferences: [ObjectIdentifier: Int] = [:]

    /// Returns the archive.
    ///
    /// - Throws: a `CocoaError` when a default value, predicate or other part cannot be archived.
    static func encode(_ model: NSManagedObjectModel, form: Form) throws -> Data {
        var encoder = ModelArchiveEncoder(model: model, form: form)
        return try encoder.encode()
    }

    private init(model: NSManagedObjectModel, form: Form) {
        self.model = model
        self.form = form
    }

    private mutating func encode() throws -> Data {
        modelReference = writer.reserve()
        let entities = model.entities.sorted { VersionHash.precedes($0.name ?? "", $1.name ?? "") }
        for entity in entities {
            entityReferences[ObjectIdentifier(entity)] = writer.reserve()
            for property in entity.declaredProperties {
                propertyReferences[ObjectIdentifier(property)] = writer.reserve()
            }
        }
        let entityTable = addEntityTable(entities)
        for entity in entities { try add(entity) }
        var fields: [Field] = [
            ("NSEntities", .reference(entityTable)),
            ("NSFetchRequestTemplates", .reference(try addFetchRequestTemplates())),
            ("NSVersionIdentifiers", .reference(try addVersionIdentifiers())),
        ]
        if !model.configurationNames.isEmpty { fields.append(("NSConfigurations", .reference(addConfigurations()))) }
        writer.fill(modelReference, "NSManagedObjectModel", fields)
        return writer.data(root: modelReference)
    }

    // MARK: Model

    private mutating func addEntityTable(_ entities: [NSEntityDescription]) -> Int {
        let names = entities.map { writer.string($0.name ?? "") }
        let references = entities.map { reference(of: $0) }
        guard form == .modelCache else {
            return writer.dictionary(zip(names, references).map { ($0, $1) }, className: "NSMutableDictionary")
        }
        let keys = writer.array(names)
        let mapping = writer.add(
            "NSKnownKeysMappingStrategy1",
            [("length", .integer(names.count)), ("keys", .reference(keys)), ("version", .integer(1))])
        return writer.add(
            "NSKnownKeysDictionary1",
            [
                ("searchMapping", .reference(mapping)),
                ("emptyToken", .reference(writer.string("__empty_slot_token_4c24_98dc_ac1e_b773__"))),
                ("values", .reference(writer.array(references))), ("version", .integer(1)),
            ])
    }

    private mutating func addFetchRequestTemplates() throws -> Int {
        guard !model.fetchRequestTemplates.isEmpty else { return KeyedArchiveWriter.null }
        var entries: [(key: Int, value: Int)] = []
        for (name, template) in model.fetchRequestTemplates.sorted(by: { $0.key < $1.key }) {
            entries.append((writer.string(name), try add(template)))
        }
        return writer.dictionary(entries, className: "NSMutableDictionary")
    }

    private mutating func addVersionIdentifiers() throws -> Int {
        let sorted = model.versionIdentifiers.map(\.base).sorted { String(describing: $0) < String(describing: $1) }
        let identifiers = try sorted.map { identifier in
            try part { try ArchivedValueEncoder.add(identifier, to: &$0) }
        }
        return writer.array(identifiers, className: "NSSet")
    }

    private mutating func addConfigurations() -> Int {
        let entries = model.configurationNames.map { name in
            let members = (model.configurationMembers[name] ?? []).map { reference(of: $0) }
            return (key: writer.string(name), value: writer.array(members, className: "NSMutableArray"))
        }
        return writer.dictionary(entries, className: "NSMutableDictionary")
    }

    // MARK: Entities

    /// The reference of an entity of the model; null for one that is not in it.
    func reference(of entity: NSEntityDescription?) -> Int {
        entity.flatMap { entityReferences[ObjectIdentifier($0)] } ?? KeyedArchiveWriter.null
    }

    func reference(of property: NSPropertyDescription?) -> Int {
        property.flatMap { propertyReferences[ObjectIdentifier($0)] } ?? KeyedArchiveWriter.null
    }

    private mutating func add(_ entity: NSEntityDescription) throws {
        let name = entity.name ?? ""
        var fields: [Field] = [
            ("NSEntityName", .reference(writer.string(name))),
            ("NSClassNameForEntity", .reference(writer.string(entity.explicitClassName))),
            ("NSManagedObjectModel", .reference(modelReference)),
            ("NSSuperentity", .reference(reference(of: entity.superentity))),
            ("NSSubentities", .reference(addSubentities(of: entity))),
            ("NSProperties", .reference(try addProperties(of: entity))),
            ("NSRenamingIdentifier", .reference(writer.string(entity.explicitRenamingIdentifier ?? name))),
            ("NSVersionHashModifier", .reference(writer.string(entity.versionHashModifier))),
            ("NSUserInfo", .reference(try userInfo(entity.userInfo ?? [:]))),
        ]
        if entity.isAbstract { fields.append(("NSIsAbstract", .bool(true))) }
        if !entity.uniquenessConstraintNames.isEmpty {
            fields.append(("NSUniqueTuples", .reference(addNameLists(entity.uniquenessConstraintNames))))
        }
        if !entity.compoundIndexNames.isEmpty {
            fields.append(("NSCompoundIndexes", .reference(addNameLists(entity.compoundIndexNames))))
        }
        if !entity.indexes.isEmpty {
            let indexes = try entity.indexes.map { try add($0, of: entity) }
            fields.append(("NSFetchIndexDescriptions", .reference(writer.array(indexes, className: "NSMutableArray"))))
        }
        writer.fill(reference(of: entity), "NSEntityDescription", fields)
    }

    private mutating func addSubentities(of entity: NSEntityDescription) -> Int {
        let entries = entity.subentities.map { (key: writer.string($0.name ?? ""), value: reference(of: $0)) }
        return writer.dictionary(entries, className: "NSMutableDictionary")
    }

    private mutating func addProperties(of entity: NSEntityDescription) throws -> Int {
        var entries: [(key: Int, value: Int)] = []
        let properties = form == .modelCache ? entity.properties : entity.declaredProperties
        for property in properties {
            let isOwn = property.declaringEntity === entity
            let target = isOwn ? reference(of: property) : writer.reserve()
            try add(property, as: target, in: entity)
            entries.append((writer.string(property.name), target))
        }
        return writer.dictionary(entries, className: "NSMutableDictionary")
    }

    private mutating func addNameLists(_ lists: [[String]]) -> Int {
        let references = lists.map { names in
            writer.array(names.map { writer.string($0) }, className: "NSMutableArray")
        }
        return writer.array(references, className: "NSMutableArray")
    }

    private mutating func add(_ index: NSFetchIndexDescription, of entity: NSEntityDescription) throws -> Int {
        let target = writer.reserve()
        let elements = try index.elements.map { element in
            var fields: [Field] = [
                ("NSPropertyName", .reference(writer.string(element.propertyName))),
                ("NSFetchIndexElementType", .integer(Int(element.collationType.rawValue))),
                ("NSAscending", .bool(element.isAscending)), ("NSFetchIndexDescription", .reference(target)),
            ]
            if let expression = element.property as? NSExpressionDescription {
                let property = writer.reserve()
                try add(expression, as: property, in: nil)
                fields.append(("NSIndexedProperty", .reference(property)))
            }
            return writer.add("NSFetchIndexElementDescription", fields)
        }
        let predicate = try part(index.partialIndexPredicate)
        writer.fill(
            target, "NSFetchIndexDescription",
            [
                ("NSIndexName", .reference(writer.string(index.name))), ("NSEntity", .reference(reference(of: entity))),
                ("NSIndexElements", .reference(writer.array(elements, className: "NSMutableArray"))),
                ("NSPartialIndexPredicate", .reference(predicate)),
            ])
        return target
    }
}
