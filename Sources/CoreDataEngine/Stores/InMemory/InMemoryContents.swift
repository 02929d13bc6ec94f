/// A row as the in-memory store keeps it.
struct InMemoryRecord {
    let entity: EntityLayout
    let reference: Int64
    var version: Int64
    var values: ContiguousArray<PropertyValue>
}

/// A relationship, the same for the entity that declares it and those that inherit it.
struct RelationshipKey: Hashable, Comparable {
    let entity: String
    let name: String

    init(_ relationship: RelationshipLayout) {
        entity = relationship.description.declaringEntity?.name ?? relationship.owner.name
        name = relationship.name
    }

    static func < (left: RelationshipKey, right: RelationshipKey) -> Bool {
        (left.entity, left.name) < (right.entity, right.name)
    }
}

/// A pair of a many-to-many relationship, written from the side that sorts first.
struct LinkPair: Hashable {
    let first: Int64
    let second: Int64
}

/// A uniqueness constraint and who declares it.
struct UniquenessConstraint {
    let entity: EntityLayout
    let attributes: [String]
}

/// Everything that an in-memory store knows, as a value.
struct InMemoryContents {
    /// By the root entity's index in the model.
    var tables: [[Int64: InMemoryRecord]]
    var lastReferences: [Int64]
    var links: [RelationshipKey: Set<LinkPair>] = [:]
    /// To-manys without an inverse: owner by destination.
    var hiddenOwners: [RelationshipKey: [Int64: Int64]] = [:]
    /// Ordered to-manys: destinations by owner.
    var orders: [RelationshipKey: [Int64: [Int64]]] = [:]
    let constraints: [UniquenessConstraint]
    /// For each constraint: which row has the values.
    var uniqueRows: [[String: Int64]]

    init(layout: ModelLayout?) {
        let entities = layout?.entities ?? []
        tables = Array(repeating: [:], count: entities.count)
        lastReferences = Array(repeating: 0, count: entities.count)
        constraints = entities.flatMap { entity in
            entity.entity.uniquenessConstraints.map { constraint in
                UniquenessConstraint(
                    entity: entity,
                    attributes: constraint.compactMap { ($0 as? NSPropertyDescription)?.name ?? $0 as? String })
            }
        }
        uniqueRows = Array(repeating: [:], count: constraints.count)
    }

    mutating func allocateReferences(count: Int, root: EntityLayout) -> Int64 {
        let first = lastReferences[root.root.index] + 1
        lastReferences[root.root.index] += Int64(count)
        return first
    }

    /// Takes over the references that were assigned in the meantime, so that none is used twice.
    mutating func keepReferences(of other: InMemoryContents) {
        for index in lastReferences.indices where index < other.lastReferences.count {
            lastReferences[index] = max(lastReferences[index], other.lastReferences[index])
        }
    }

    func record(_ reference: Int64, root: EntityLayout) -> InMemoryRecord? {
        tables[root.root.index][reference]
    }

    /// The values of a constraint's attributes as a string; `nil` when one has none, which never clashes.
    static func uniqueKey(_ constraint: UniquenessConstraint, _ record: InMemoryRecord) -> String? {
        guard record.entity.isKind(of: constraint.entity) else { return nil }
        var parts: [String] = []
        for name in constraint.attributes {
            guard let slot = constraint.entity.slot(named: name), !record.values[slot.index].isNull else { return nil }
            let identity = record.values[slot.index].identityKey
            parts.append("\(identity.utf8.count):\(identity)")
        }
        return parts.joined()
    }

    mutating func insert(_ record: InMemoryRecord) {
        tables[record.entity.root.index][record.reference] = record
        for (index, constraint) in constraints.enumerated() {
            if let identity = Self.uniqueKey(constraint, record) { uniqueRows[index][identity] = record.reference }
        }
    }

    mutating func remove(_ reference: Int64, root: EntityLayout) {
        guard let record = tables[root.root.index].removeValue(forKey: reference) else { return }
        for (index, constraint) in constraints.enumerated() {
            guard let identity = Self.uniqueKey(constraint, record), uniqueRows[index][identity] == reference else {
                continue
            }
            uniqueRows[index][identity] = nil
        }
    }
}

extension RelationshipLayout {
    /// Which of the two sides of a many-to-many its pairs are written from.
    var linkSide: (key: RelationshipKey, isFirst: Bool, isReflexive: Bool) {
        let own = RelationshipKey(self)
        guard let inverse else { return (own, true, false) }
        let other = RelationshipKey(inverse)
        return own <= other ? (own, true, own == other) : (other, false, false)
    }
}
