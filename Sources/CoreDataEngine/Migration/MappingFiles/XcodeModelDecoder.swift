import Foundation

/// Makes a model of the archive that Xcode's mapping editor keeps of it: entities, attributes and relationships with what
/// their version hashes need.
///
/// Every value is a "property" with a default value in a "stereotype" of what it describes. Objects are recognized by the
/// names of their classes in the archive; no class is looked up.
struct XcodeModelDecoder {
    private let root: ArchivedObject
    private var entities: [String: NSEntityDescription] = [:]
    private var budget: Int

    /// Reads an archive.
    ///
    /// - Throws: A `CocoaError` that names what is damaged.
    static func decode(_ data: Data) throws -> NSManagedObjectModel {
        let archive = try KeyedArchive(data)
        let root = try archive.root()
        guard root.className == "XDPMModel" else {
            throw ModelError.corrupt("The archive holds a \(root.className), not a model of Xcode's.")
        }
        var decoder = XcodeModelDecoder(root: root, budget: archive.count * 4 + 10_000)
        return try decoder.model()
    }

    private init(root: ArchivedObject, budget: Int) {
        self.root = root
        self.budget = budget
    }

    private mutating func model() throws -> NSManagedObjectModel {
        guard let package = try root.object("_xd_rootPackage") else {
            throw root.wrongKind("_xd_rootPackage", "a list of entities")
        }
        let objects = try Self.bucket("Classes", of: package).filter { $0.className == "XDPMEntity" }
        for object in objects {
            let name = try Self.name(of: object)
            let entity = NSEntityDescription()
            entity.name = name
            guard entities.updateValue(entity, forKey: name) == nil else {
                throw ModelError.invalid("The archived model has two entities named '\(name)'.")
            }
        }
        try linkHierarchy(objects)
        for object in objects { try decode(object) }
        for object in objects { try linkInverses(object) }
        let model = NSManagedObjectModel()
        model.entities = try objects.compactMap { entities[try Self.name(of: $0)] }
        if let identifier = try root.string("_modelVersionIdentifier") { model.versionIdentifiers = [identifier] }
        return model
    }

    private func linkHierarchy(_ objects: [ArchivedObject]) throws {
        let names = try objects.map { try Self.name(of: $0) }
        let positions = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        var parents: [Int: Int] = [:]
        for (index, object) in objects.enumerated() {
            for generalization in try object.objects("XDBucketForGeneralizationsstorage") {
                guard let parent = try generalization.object("_general", "XDPMEntity"),
                    let position = positions[try Self.name(of: parent)]
                else { throw ModelError.invalid("The superentity of entity '\(names[index])' is not in the model.") }
                parents[index] = position
            }
        }
        try InheritanceCheck.run(parents: parents) { names[$0] }
        for (parent, children) in Dictionary(grouping: parents.keys.sorted(), by: { parents[$0] ?? 0 }) {
            entities[names[parent]]?.subentities = children.compactMap { entities[names[$0]] }
        }
    }

    private mutating func decode(_ object: ArchivedObject) throws {
        let name = try Self.name(of: object)
        guard let entity = entities[name] else { return }
        let values = try stereotype("XD_PStereotype", of: object)
        entity.isAbstract = try values.bool("XD_PSK_isAbstract")
        entity.managedObjectClassName = try values.string("XD_PSK_entityClassName") ?? name
        entity.versionHashModifier = try values.string("XD_PSK_versionHashModifier")
        entity.renamingIdentifier = try values.string("XD_PSK_elementID") ?? name
        let properties = try Self.bucket("OwnedAttributes", of: object)
            .sorted { try Self.name(of: $0) < Self.name(of: $1) }
            .compactMap { try property($0, of: name) }
        var names = Set<String>()
        for property in properties where !names.insert(property.name).inserted {
            throw ModelError.invalid("The entity '\(name)' has two properties named '\(property.name)'.")
        }
        entity.properties = properties
        entity.uniquenessConstraints = try values.nameLists("XDPMUniquenessConstraints")
    }

    private mutating func property(_ object: ArchivedObject, of entity: String) throws -> NSPropertyDescription? {
        budget -= 1
        guard budget > 0 else { throw ModelError.corrupt("The archive refers to a property too many times.") }
        let property: NSPropertyDescription
        switch object.className {
        case "XDPMAttribute": property = try attribute(object, of: entity)
        case "XDPMRelationship": property = try relationship(object, of: entity)
        default: return nil
        }
        property.name = try Self.name(of: object)
        let values = try stereotype("XD_PPropStereotype", of: object)
        property.isOptional = try values.bool("XD_PPSK_isOptional")
        property.isTransient = try values.bool("XD_PPSK_isTransient")
        property.versionHashModifier = try values.string("XD_PPSK_versionHashModifier")
        property.renamingIdentifier = try values.string("XD_PPSK_elementID") ?? property.name
        return property
    }

    private func attribute(_ object: ArchivedObject, of entity: String) throws -> NSPropertyDescription {
        let values = try stereotype("XD_PAtt_Stereotype", of: object)
        let raw = try values.int("XD_PAttK_attributeType")
        guard let type = UInt(exactly: raw).flatMap(NSAttributeType.init(rawValue:)) else {
            throw ModelError.corrupt(
                "The attribute '\(entity).\(try Self.name(of: object))' has the unknown type \(raw).")
        }
        let attribute = NSAttributeDescription()
        attribute.attributeType = type
        attribute.allowsExternalBinaryDataStorage = try values.bool("XD_PAttK_allowsExternalBinaryDataStorage")
        return attribute
    }

    private func relationship(_ object: ArchivedObject, of entity: String) throws -> NSPropertyDescription {
        let values = try stereotype("XD_PR_Stereotype", of: object)
        let path = "\(entity).\(try Self.name(of: object))"
        guard let target = try values.object("XD_PRK_destination"),
            let destination = entities[try Self.name(of: target)]
        else { throw ModelError.invalid("The destination of the relationship '\(path)' is not in the model.") }
        let relationship = NSRelationshipDescription()
        relationship.destinationEntity = destination
        relationship.minCount = try values.count("XD_PRK_minCount")
        relationship.maxCount = try values.bool("XD_PRK_isToMany") ? try values.count("XD_PRK_maxCount") : 1
        relationship.isOrdered = try values.bool("XD_PRK_ordered")
        let rule = try values.int("XD_PRK_deleteRule")
        relationship.deleteRule = UInt(exactly: rule).flatMap(NSDeleteRule.init(rawValue:)) ?? .nullifyDeleteRule
        return relationship
    }

    private func linkInverses(_ object: ArchivedObject) throws {
        guard let entity = entities[try Self.name(of: object)] else { return }
        for property in try Self.bucket("OwnedAttributes", of: object) where property.className == "XDPMRelationship" {
            guard let relationship = entity.relationshipsByName[try Self.name(of: property)],
                let inverse = try stereotype("XD_PR_Stereotype", of: property).object("XD_PRK_inverseRelationship")
            else { continue }
            relationship.inverseRelationship =
                relationship.destinationEntity?.relationshipsByName[try Self.name(of: inverse)]
        }
    }

    // MARK: The archive's form

    private static func name(of object: ArchivedObject) throws -> String {
        guard let name = try object.string("_name"), !name.isEmpty else { throw object.wrongKind("_name", "a name") }
        return name
    }

    private static func bucket(_ name: String, of object: ArchivedObject) throws -> [ArchivedObject] {
        try (try object.dictionary("XDBucketFor\(name)storage") ?? []).map { entry in
            guard case .object(let element) = entry.value else {
                throw object.wrongKind("XDBucketFor\(name)storage", "objects")
            }
            return element
        }
    }

    /// The values in a stereotype of an entity or property.
    private func stereotype(_ name: String, of object: ArchivedObject) throws -> XcodeStereotype {
        let found = try object.dictionary("XDBucketForStereotypesstorage")?.first { $0.key == name }
        guard case .object(let stereotype)? = found?.value else {
            throw ModelError.corrupt("'\(try Self.name(of: object))' of the archived model has no '\(name)'.")
        }
        return try XcodeStereotype(values: Self.bucket("OwnedAttributes", of: stereotype))
    }
}
