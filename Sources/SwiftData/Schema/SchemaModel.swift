import CoreDataEngine

/// Makes the engine's model of a schema.
struct SchemaModel {
    let schema: Schema
    /// Whether values are written whose form in Apple's files is not known.
    let allowsUnverifiedEncodings: Bool
    /// What can't be written, with the reason.
    private(set) var unverified: [String] = []

    /// What a new store in a file or in memory can't have, with the reason.
    private(set) var impossible: [String] = []

    init(_ schema: Schema, allowsUnverifiedEncodings: Bool = true) {
        self.schema = schema
        self.allowsUnverifiedEncodings = allowsUnverifiedEncodings
    }

    /// The model, with the entities of each configuration; all are in `default` where there is no other.
    mutating func make(configurations: [(name: String, entities: Set<String>)] = []) -> NSManagedObjectModel {
        ManagedObjectClass.noticed(BackedObject.self)
        var descriptions: [String: ModelEntity] = [:]
        for entity in schema.entities { descriptions[entity.name] = description(of: entity) }
        for entity in schema.entities {
            guard let parent = entity.superentityName.flatMap({ descriptions[$0] }),
                let child = descriptions[entity.name]
            else { continue }
            parent.subentities.append(child)
        }
        for entity in schema.entities {
            if let description = descriptions[entity.name] { addLists(of: entity, to: description) }
        }
        let model = NSManagedObjectModel()
        model.entities = schema.entities.compactMap { descriptions[$0.name] }
        model.versionIdentifiers = [schema.version.description]
        let named = configurations.isEmpty ? [("default", Set(descriptions.keys))] : configurations
        for (name, members) in named {
            model.setEntities(
                model.entities.filter { members.contains($0.name ?? "") }, forConfigurationName: name)
        }
        return model
    }

    private mutating func description(of entity: Schema.Entity) -> ModelEntity {
        let description = ModelEntity()
        description.name = entity.name
        description.properties = entity.storedProperties.compactMap { property in
            switch property {
            case let attribute as Schema.Attribute: self.attribute(attribute, entity.name)
            case let relationship as Schema.Relationship: self.relationship(relationship)
            default: nil
            }
        }
        return description
    }

    private func addLists(of entity: Schema.Entity, to description: ModelEntity) {
        description.uniquenessConstraints = entity.uniquenessConstraints
        for names in entity.indices {
            let properties = names.compactMap { description.propertiesByName[$0] }
            guard properties.count == names.count else { continue }
            let index = NSFetchIndexDescription(
                name: "SwiftDataIndexOnBinary" + names.joined(),
                elements: properties.map { NSFetchIndexElementDescription(property: $0, collationType: .binary) })
            description.indexes.append(index)
            if names.count == 1 {
                properties[0].isIndexedFlag = true
            } else {
                description.compoundIndexNames.append(names)
            }
        }
    }

    // MARK: Attributes

    private mutating func attribute(_ attribute: Schema.Attribute, _ path: String) -> NSAttributeDescription {
        let isComposite = attribute is Schema.CompositeAttribute
        let description = isComposite ? NSCompositeAttributeDescription() : NSAttributeDescription()
        description.name = attribute.name
        description.isOptional = attribute.isOptional
        if attribute.originalName != attribute.name { description.renamingIdentifier = attribute.originalName }
        description.versionHashModifier = attribute.hashModifier
        description.allowsExternalBinaryDataStorage = attribute.options.contains(.externalStorage)
        description.preservesValueInHistoryOnDeletion = attribute.options.contains(.preserveValueOnDeletion)
        description.allowsCloudEncryption = attribute.options.contains(.allowsCloudEncryption)
        let type = (attribute.valueType as? any OptionalType.Type)?.wrapped ?? attribute.valueType
        description.isTransient = attribute.isTransient
        if let composite = attribute as? Schema.CompositeAttribute {
            complete(description, composite, type, path)
        } else if attribute.isCodable {
            description.type = .binaryData
            refuse(path, attribute, "a value with the option codable")
        } else if attribute.isTransient, ScalarTypes.type(of: type) == nil {
            description.type = .transformable
        } else if let transformer = attribute.transformerName {
            description.type = .transformable
            description.valueTransformerName = transformer
        } else {
            setType(of: description, attribute, type, path)
        }
        setFreshDefault(of: description, attribute)
        return description
    }

    /// Has migrated rows get the initial value where the description, as Apple's, has no default value.
    private func setFreshDefault(of description: NSAttributeDescription, _ attribute: Schema.Attribute) {
        guard description.defaultValue == nil || description is NSCompositeAttributeDescription,
            let value = unwrapped(attribute.defaultValue), !attribute.isTransient
        else { return }
        if let composite = description as? NSCompositeAttributeDescription {
            let elements = elements(of: value, named: attribute.name)
            for element in composite.elements {
                guard let value = elements[element.name] else { continue }
                element.freshDefault = { value }
            }
        } else if description.type == .binaryData {
            let data = (value as? any Encodable).flatMap { try? JSONEncoder().encode($0) }
            description.freshDefault = { data }
        } else {
            // A transformer of the program gets what the property has.
            let list = attribute.isTransformable ? nil : value as? [Any]
            let kept = list.map { NSArray(array: $0.map(ScalarTypes.archived)) } ?? value
            description.freshDefault = { kept }
        }
    }

    private func elements(of value: Any, named name: String) -> [String: Any] {
        if let name = EnumSlots.caseName(of: value) { return [name: name] }
        if case .raw = EnumSlots.layout(of: type(of: value)), let raw = value as? any RawRepresentable {
            return [name: ScalarTypes.stored(raw.rawValue)]
        }
        return (value as? any Encodable).flatMap { try? ElementEncoder.encode($0) } ?? [:]
    }

    private mutating func complete(
        _ description: NSAttributeDescription, _ composite: Schema.CompositeAttribute, _ type: Any.Type, _ path: String
    ) {
        description.explicitValueClassName = "NSDictionary"
        if let description = description as? NSCompositeAttributeDescription {
            description.elements = composite.properties.map { element in
                let made = self.attribute(element, "\(path).\(composite.name)")
                made.isOptional = true
                return made
            }
            if description.nestedElement != nil {
                impossible.append(
                    "\(path).\(composite.name) has the type \(composite.valueType): a new store can't have a structure "
                        + "within a structure. With the option codable, the property is stored as a whole.")
            }
        }
        switch EnumSlots.layout(of: type) {
        case .raw: description.userInfo = ["EnumType": true]
        case .cases(let names): description.userInfo = ["EnumType": true, "enum": names]
        case nil:
            if composite.defaultValue != nil, !isNil(composite.defaultValue) {
                description.defaultValue = [String: Any]()
            }
        }
    }

    private mutating func setType(
        of description: NSAttributeDescription, _ attribute: Schema.Attribute, _ type: Any.Type, _ path: String
    ) {
        if let scalar = ScalarTypes.type(of: type) {
            description.type = scalar
            if let value = attribute.defaultValue, !isNil(value) {
                description.defaultValue = ScalarTypes.archived(ScalarTypes.stored(value))
            }
            return
        }
        // Within a structure a list is the JSON of its values.
        let isElement = path.contains(".")
        switch ValueShape.of(type) {
        case .list where isElement: description.type = .binaryData
        case .list(let element):
            description.type = .transformable
            description.valueTransformerName = "NSSecureUnarchiveFromData"
            description.explicitValueClassName = "Array<\(element)>"
        case .json:
            description.type = .binaryData
            if !isElement { refuse(path, attribute, "a value of this type") }
        default:
            if EnumSlots.layout(of: type) != nil || type is any EmptyMaking.Type {
                description.type = StructElements.leafType(type) ?? .binaryData
                if case .cases = EnumSlots.layout(of: type) {
                    refuse(path, attribute, "an enumeration without raw value within a structure")
                }
            } else {
                description.type = .binaryData
                refuse(path, attribute, "a value of this type")
            }
        }
    }

    private func isNil(_ value: Any?) -> Bool { unwrapped(value) == nil }

    private func unwrapped(_ value: Any?) -> Any? {
        guard let value else { return nil }
        guard let optional = value as? any OptionalType else { return value }
        return unwrapped(optional.content)
    }

    private mutating func refuse(_ path: String, _ attribute: Schema.Attribute, _ what: String) {
        unverified.append(
            "\(path).\(attribute.name) has the type \(attribute.valueType): how Apple's framework writes \(what) is not "
                + "known.")
    }

    // MARK: Relationships

    private func relationship(_ relationship: Schema.Relationship) -> NSRelationshipDescription {
        let description = NSRelationshipDescription()
        description.name = relationship.name
        description.isOptional = relationship.isOptional
        if relationship.originalName != relationship.name { description.renamingIdentifier = relationship.originalName }
        description.versionHashModifier = relationship.hashModifier
        description.setEnds(destinationName: relationship.destination, inverseName: relationship.inverseName)
        description.minCount = relationship.isToMany ? relationship.minimumModelCount ?? 0 : 0
        description.maxCount = relationship.isToMany ? relationship.maximumModelCount ?? 0 : 1
        description.deleteRule =
            switch relationship.deleteRule {
            case .noAction: .noActionDeleteRule
            case .nullify: .nullifyDeleteRule
            case .cascade: .cascadeDeleteRule
            case .deny: .denyDeleteRule
            }
        return description
    }
}

/// An entity whose objects have the class that models stand on, which no file names.
// Descriptions are immutable once their model is in use, and confined to the code that builds them before that.
final class ModelEntity: NSEntityDescription, @unchecked Sendable {
    override var managedObjectClassName: String! {
        get { "SwiftData.BackedObject" }
        set {}
    }
}
