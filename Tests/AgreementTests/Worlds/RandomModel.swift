import Foundation
import OpenCoreData
import TestSupport

/// Makes models with every kind of attribute and relationship.
struct RandomModel {
    private var random: RandomSource
    private var entities: [NSEntityDescription] = []
    private var properties: [ObjectIdentifier: [NSPropertyDescription]] = [:]
    private var count = 0

    private static let types: [NSAttributeType] = [
        .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
        .floatAttributeType, .decimalAttributeType, .booleanAttributeType, .dateAttributeType, .stringAttributeType,
        .stringAttributeType, .UUIDAttributeType, .URIAttributeType, .binaryDataAttributeType,
    ]

    static func make(_ random: inout RandomSource) -> NSManagedObjectModel {
        var maker = RandomModel(random: RandomSource(seed: random.next()))
        return maker.model()
    }

    private init(random: RandomSource) { self.random = random }

    private mutating func model() -> NSManagedObjectModel {
        let roots = ["Alpha", "beta", "Gamma", "Delta"].prefix(2 + random.below(3)).map { addEntity($0) }
        for root in roots where random.chance(60) {
            let children = (0...random.below(2)).map { addEntity("\(root.name ?? "")Child\($0)") }
            if random.chance(30), let child = children.first {
                child.subentities = [addEntity("\(root.name ?? "")Grandchild")]
            }
            root.subentities = children
        }
        for entity in entities { addAttributes(to: entity) }
        for _ in 0..<3 + random.below(5) { addRelationship() }
        for entity in entities { entity.properties = properties[ObjectIdentifier(entity)] ?? [] }
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private mutating func addEntity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entities.append(entity)
        return entity
    }

    private mutating func add(_ property: NSPropertyDescription, to entity: NSEntityDescription) {
        properties[ObjectIdentifier(entity), default: []].append(property)
    }

    private mutating func name(_ prefix: String) -> String {
        count += 1
        return "\(prefix)\(count)"
    }

    private mutating func addAttributes(to entity: NSEntityDescription) {
        for _ in 0..<2 + random.below(4) {
            add(LibraryModel.attribute(name("value"), random.pick(Self.types)), to: entity)
        }
        add(LibraryModel.attribute(name("text"), .stringAttributeType), to: entity)
    }

    private mutating func addRelationship() {
        let source = random.pick(entities)
        let destination = random.chance(25) ? source : random.pick(entities)
        let first = LibraryModel.relationship(
            name("link"), to: destination, toMany: random.chance(60), ordered: random.chance(25),
            rule: .nullifyDeleteRule)
        if !first.isToMany { first.isOrdered = false }
        add(first, to: source)
        if random.chance(15) { return }
        if source === destination, first.isToMany, random.chance(30) {
            first.isOrdered = false
            first.inverseRelationship = first
            return
        }
        let second = LibraryModel.relationship(
            name("back"), to: source, toMany: random.chance(60), ordered: random.chance(25), rule: .nullifyDeleteRule)
        if !second.isToMany { second.isOrdered = false }
        add(second, to: destination)
        first.inverseRelationship = second
        second.inverseRelationship = first
    }
}
