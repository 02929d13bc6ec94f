import Foundation
import OpenCoreData

/// Makes objects with relationships for a model, as one save plan.
struct RandomGraph {
    private(set) var plan = SavePlan()
    /// The objects by entity, `EntityLayout.index`.
    private(set) var references: [Int: [Int64]] = [:]
    private var random: RandomSource
    private let layout: ModelLayout
    private var positions: [Int: [Int64: Int]] = [:]

    init(layout: ModelLayout, random: inout RandomSource, allocate: (Int, EntityLayout) throws -> Int64) throws {
        self.layout = layout
        self.random = RandomSource(seed: random.next())
        try makeObjects(allocate)
        for entity in layout.entities {
            for relationship in entity.relationships where Self.isDeclared(relationship, by: entity) {
                connect(relationship)
            }
        }
    }

    private static func isDeclared(_ relationship: RelationshipLayout, by entity: EntityLayout) -> Bool {
        entity.parent?.relationship(named: relationship.name) == nil
    }

    private mutating func makeObjects(_ allocate: (Int, EntityLayout) throws -> Int64) throws {
        for entity in layout.entities {
            let count = random.below(7)
            guard count > 0 else { continue }
            let first = try allocate(count, entity.root)
            for reference in first..<first + Int64(count) {
                var values = ContiguousArray<PropertyValue>(repeating: .null, count: entity.slotCount)
                for case let slot? in entity.slots where slot.kind != .toOne {
                    values[slot.index] = SampleValues.stored(slot.kind, &random)
                }
                positions[entity.root.index, default: [:]][reference] = plan.inserts.count
                references[entity.index, default: []].append(reference)
                plan.inserts.append(RowChange(entity: entity, reference: reference, version: 0, values: values))
            }
        }
    }

    /// The objects that a relationship of an entity may have at one end.
    private func members(of entity: EntityLayout) -> [ObjectReference] {
        entity.subtree.flatMap { layout in
            (references[layout.index] ?? []).map {
                ObjectReference(reference: $0, entityIndex: Int32(layout.index))
            }
        }
    }

    private mutating func set(_ relationship: RelationshipLayout, of owner: ObjectReference, to target: ObjectReference)
    {
        let entity = layout.entities[Int(owner.entityIndex)]
        guard let position = positions[entity.root.index]?[owner.reference], let slot = relationship.slot else {
            return
        }
        plan.inserts[position].values[slot] = .reference(target)
    }

    private mutating func connect(_ relationship: RelationshipLayout) {
        let owners = members(of: relationship.owner)
        let targets = members(of: relationship.destination)
        guard !owners.isEmpty, !targets.isEmpty else { return }
        let inverse = relationship.inverse
        switch (relationship.isToMany, inverse?.isToMany) {
        case (false, nil), (false, true):
            var members: [Int64: [Int64]] = [:]
            for owner in owners where random.chance(75) {
                let target = random.pick(targets)
                set(relationship, of: owner, to: target)
                members[target.reference, default: []].append(owner.reference)
            }
            if let inverse, inverse.isOrdered { order(inverse, members) }
        case (false, false):
            guard let inverse, isFirst(relationship, inverse) else { return }
            connectOneToOne(relationship, inverse, owners, targets)
        case (true, nil): connectHidden(relationship, owners, targets)
        case (true, true):
            guard let inverse, isFirst(relationship, inverse) else { return }
            connectManyToMany(relationship, inverse, owners, targets)
        case (true, false): break
        }
    }

    private func isFirst(_ relationship: RelationshipLayout, _ inverse: RelationshipLayout) -> Bool {
        (relationship.owner.index, relationship.name) <= (inverse.owner.index, inverse.name)
    }

    private mutating func connectOneToOne(
        _ relationship: RelationshipLayout, _ inverse: RelationshipLayout, _ owners: [ObjectReference],
        _ targets: [ObjectReference]
    ) {
        for (owner, target) in zip(owners.shuffled(using: &random), targets.shuffled(using: &random))
        where random.chance(75) {
            set(relationship, of: owner, to: target)
            set(inverse, of: target, to: owner)
        }
    }

    private mutating func connectHidden(
        _ relationship: RelationshipLayout, _ owners: [ObjectReference], _ targets: [ObjectReference]
    ) {
        var members: [Int64: [Int64]] = [:]
        for target in targets where random.chance(75) {
            let owner = random.pick(owners)
            plan.hiddenOwners.append(
                HiddenOwnerChange(
                    relationship: relationship, owner: owner.reference, formerOwner: nil,
                    destination: target.reference, destinationEntity: layout.entities[Int(target.entityIndex)]))
            members[owner.reference, default: []].append(target.reference)
        }
        if relationship.isOrdered { order(relationship, members) }
    }

    private mutating func connectManyToMany(
        _ relationship: RelationshipLayout, _ inverse: RelationshipLayout, _ owners: [ObjectReference],
        _ targets: [ObjectReference]
    ) {
        let isReflexive = relationship === inverse || relationship.description === inverse.description
        var forward: [Int64: [Int64]] = [:]
        var backward: [Int64: [Int64]] = [:]
        for owner in owners {
            for target in targets where random.chance(30) {
                if isReflexive, target.reference < owner.reference { continue }
                plan.linkInserts.append(
                    LinkChange(relationship: relationship, owner: owner.reference, destination: target.reference))
                forward[owner.reference, default: []].append(target.reference)
                backward[target.reference, default: []].append(owner.reference)
            }
        }
        if relationship.isOrdered { order(relationship, forward) }
        if inverse.isOrdered { order(inverse, backward) }
    }

    private mutating func order(_ relationship: RelationshipLayout, _ members: [Int64: [Int64]]) {
        for (owner, list) in members.sorted(by: { $0.key < $1.key }) {
            plan.orders.append(
                OrderChange(relationship: relationship, owner: owner, destinations: list.shuffled(using: &random)))
        }
    }
}
