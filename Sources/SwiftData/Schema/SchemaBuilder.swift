/// Makes entities of model classes.
struct SchemaBuilder {
    private(set) var types: [String: any PersistentModel.Type] = [:]
    private(set) var problem: (any Error)?
    private var order: [String] = []
    private var entities: [String: Schema.Entity] = [:]

    /// Adds classes, their superclasses and those that they have relationships with.
    mutating func add(_ list: [any PersistentModel.Type]) {
        for type in list { add(type) }
    }

    private mutating func add(_ type: any PersistentModel.Type) {
        let name = Schema.entityName(ofType: type)
        if let known = types[name] {
            if known != type {
                fail(
                    "Two classes have the entity \(name): \(String(reflecting: known)) and \(String(reflecting: type))."
                )
            }
            return
        }
        types[name] = type
        order.append(name)
        let entity = Schema.Entity(name)
        entities[name] = entity
        let parent = (_getSuperclass(type as AnyClass) as? any PersistentModel.Type)
        if let parent {
            add(parent)
            entity.superentityName = Schema.entityName(ofType: parent)
            entity.superentity = entities[Schema.entityName(ofType: parent)]
            entity.superentity?.subentities.insert(entity)
        }
        // The superentity may not be complete yet: the class may have been met through one of its relationships.
        let inherited = Set(parent?.schemaMetadata.filter { $0.keypath != nil }.map(\.name) ?? [])
        for metadata in type.schemaMetadata { read(metadata, of: entity, type, inherited) }
    }

    private mutating func read(
        _ metadata: Schema.PropertyMetadata, of entity: Schema.Entity, _ type: any PersistentModel.Type,
        _ inherited: Set<String>
    ) {
        guard let keyPath = metadata.keypath else {
            return readLists(metadata.metadata, of: entity, type)
        }
        if inherited.contains(metadata.name) { return }
        let valueType = Swift.type(of: keyPath).valueType
        let wrapped = (valueType as? any OptionalType.Type)?.wrapped ?? valueType
        let isByOption = (metadata.metadata as? Schema.Attribute)?.hasOwnForm == true
        switch isByOption ? .json : ValueShape.of(wrapped) {
        case .model(let destination):
            addRelationship(metadata, keyPath, valueType, to: destination, isToMany: false, of: entity)
        case .models(let destination):
            addRelationship(metadata, keyPath, valueType, to: destination, isToMany: true, of: entity)
        case .unsupported:
            fail("\(entity.name).\(metadata.name) has the type \(valueType), which is not Codable.")
        case .structure, .enumeration:
            addComposite(metadata, valueType, wrapped, of: entity)
        default:
            let given = metadata.metadata as? Schema.Attribute
            let attribute = given ?? Schema.Attribute(name: metadata.name, valueType: valueType)
            complete(attribute, metadata, valueType)
            entity.storedProperties.append(attribute)
        }
        if metadata.metadata?.isUnique == true {
            checkColumn(of: metadata.name, "can't be unique", of: type)
            entity.uniquenessConstraints.append([metadata.name])
        }
    }

    private func complete(_ attribute: Schema.Attribute, _ metadata: Schema.PropertyMetadata, _ type: Any.Type) {
        attribute.name = metadata.name
        if attribute.originalName.isEmpty { attribute.originalName = metadata.name }
        attribute.valueType = type
        attribute.defaultValue = metadata.defaultValue
    }

    private mutating func addComposite(
        _ metadata: Schema.PropertyMetadata, _ type: Any.Type, _ wrapped: Any.Type, of entity: Schema.Entity
    ) {
        let given = metadata.metadata as? Schema.Attribute
        let attribute = Schema.CompositeAttribute(
            name: metadata.name, originalName: given.flatMap { $0.originalName.isEmpty ? nil : $0.originalName },
            options: given?.options ?? [], valueType: type, hashModifier: given?.hashModifier)
        complete(attribute, metadata, type)
        attribute.properties = Self.elements(of: wrapped, named: metadata.name)
        entity.storedProperties.append(attribute)
    }

    /// The elements of a structure or an enumeration.
    static func elements(of type: Any.Type, named name: String) -> [Schema.Attribute] {
        switch EnumSlots.layout(of: type) {
        case .raw(let raw): return [Schema.Attribute(name: name, valueType: raw)]
        case .cases(let names): return names.map { Schema.Attribute(name: $0, valueType: String.self) }
        case nil: break
        }
        return ((try? StructElements.of(type)) ?? []).map { element in
            guard StructElements.leafType(element.type) == nil, TypeKind.of(element.type) != .other else {
                return Schema.Attribute(name: element.name, valueType: element.type)
            }
            let inner = Schema.CompositeAttribute(name: element.name, valueType: element.type)
            inner.properties = elements(of: element.type, named: element.name)
            return inner
        }
    }

    private mutating func addRelationship(
        _ metadata: Schema.PropertyMetadata, _ keyPath: AnyKeyPath, _ type: Any.Type,
        to destination: any PersistentModel.Type, isToMany: Bool, of entity: Schema.Entity
    ) {
        let given = metadata.metadata as? Schema.Relationship
        let relationship = given ?? Schema.Relationship()
        relationship.isAnnotated = given != nil
        relationship.name = metadata.name
        if relationship.originalName.isEmpty { relationship.originalName = metadata.name }
        relationship.valueType = type
        relationship.keypath = keyPath
        relationship.destination = Schema.entityName(ofType: destination)
        relationship.isToMany = isToMany
        entity.storedProperties.append(relationship)
        add(destination)
    }

    private mutating func readLists(
        _ lists: (any SchemaProperty)?, of entity: Schema.Entity, _ type: any PersistentModel.Type
    ) {
        guard let lists = lists as? any KeyPathLists else { return }
        let keyPathLists = lists.keyPathLists
        // The lists of a superclass are the superentity's.
        guard ObjectIdentifier(lists.valueType) == ObjectIdentifier(type) else { return }
        if lists.hasPlaces {
            fail("#Index of \(entity.name) has an index of the kind rtree, which a store can't have; use .binary.")
        }
        let names = Dictionary(
            type.schemaMetadata.compactMap { metadata in metadata.keypath.map { ($0, metadata.name) } }
        ) { first, _ in first }
        for list in keyPathLists {
            let found = list.compactMap { names[$0] }
            if found.count != list.count {
                fail("A list of #Unique or #Index of \(entity.name) has a key path of no persisted property.")
                continue
            }
            let what = lists.isUnique ? "can't be unique" : "can't have an index"
            for name in found { checkColumn(of: name, what, of: type) }
            if lists.isUnique { entity.uniquenessConstraints.append(found) } else { entity.indices.append(found) }
        }
        if lists.isUnique { entity.isUniqueListGiven = true }
    }

    /// Refuses what a property can't be whose values aren't in one column.
    private mutating func checkColumn(of name: String, _ what: String, of type: any PersistentModel.Type) {
        guard let metadata = type.schemaMetadata.first(where: { $0.name == name }),
            let valueType = metadata.keypath.map({ Swift.type(of: $0).valueType })
        else { return }
        let path = "\(Schema.entityName(ofType: type)).\(name)"
        let attribute = metadata.metadata as? Schema.Attribute
        if attribute?.isTransient == true { return fail("\(path) \(what): its values aren't stored.") }
        let wrapped = (valueType as? any OptionalType.Type)?.wrapped ?? valueType
        switch attribute?.hasOwnForm == true ? .json : ValueShape.of(wrapped) {
        case .models: fail("\(path) \(what): it is a to-many.")
        case .structure: fail("\(path) \(what): a structure is stored in several columns.")
        case .enumeration:
            if case .cases = EnumSlots.layout(of: wrapped) {
                fail("\(path) \(what): an enumeration without raw value is stored in several columns.")
            }
        default: break
        }
    }

    private mutating func fail(_ sentence: String) {
        problem = problem ?? SwiftDataError.unsupported(sentence)
    }

    // MARK: Inverses

    /// The entities in the order in which their classes were met.
    mutating func finish() -> [Schema.Entity] {
        let entities = order.compactMap { self.entities[$0] }
        linkGivenInverses(entities)
        linkOnlyPairs(entities)
        return entities
    }

    private mutating func linkGivenInverses(_ entities: [Schema.Entity]) {
        for entity in entities {
            for case let relationship as Schema.Relationship in entity.storedProperties {
                guard let keyPath = relationship.inverseKeyPath else { continue }
                let candidates = self.entities[relationship.destination]?.properties ?? []
                let other = candidates.lazy.compactMap { $0 as? Schema.Relationship }
                    .first { $0.keypath == keyPath }
                guard let other, self.isOf(other.destination, entity.name) else {
                    fail("The inverse of \(entity.name).\(relationship.name) isn't a relationship with \(entity.name).")
                    continue
                }
                if let known = other.inverseName, known != relationship.name {
                    fail(
                        "\(relationship.destination).\(other.name) is the inverse of both \(entity.name).\(known) and "
                            + "\(entity.name).\(relationship.name).")
                    continue
                }
                relationship.inverseName = other.name
                other.inverseName = relationship.name
            }
        }
    }

    private func isOf(_ name: String, _ other: String) -> Bool {
        var entity = entities[other]
        while let current = entity {
            if current.name == name { return true }
            entity = current.superentity
        }
        return false
    }

    /// Joins the two ends between entities that have no other ends which fit.
    private func linkOnlyPairs(_ entities: [Schema.Entity]) {
        func open(_ entity: Schema.Entity, to name: String) -> [Schema.Relationship] {
            entity.storedProperties.compactMap { $0 as? Schema.Relationship }
                .filter { $0.destination == name && $0.inverseName == nil }
        }
        for (index, entity) in entities.enumerated() {
            for other in entities[index...] {
                let there = open(entity, to: other.name)
                let back = open(other, to: entity.name)
                let pair: (Schema.Relationship, Schema.Relationship)
                if entity === other {
                    guard there.count == 2 else { continue }
                    pair = (there[0], there[1])
                } else {
                    guard there.count == 1, back.count == 1 else { continue }
                    pair = (there[0], back[0])
                }
                let isMandatory = { (end: Schema.Relationship) in !end.isToMany && !end.isOptional }
                guard !(pair.0.isAnnotated && pair.1.isAnnotated), !isMandatory(pair.0), !isMandatory(pair.1) else {
                    continue
                }
                pair.0.inverseName = pair.1.name
                pair.1.inverseName = pair.0.name
            }
        }
    }
}
