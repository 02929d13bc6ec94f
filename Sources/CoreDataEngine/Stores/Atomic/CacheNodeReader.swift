import Foundation

/// Makes rows of the nodes that an application's atomic store has read.
struct CacheNodeReader {
    let store: NSAtomicStore
    private(set) var contents: InMemoryContents

    init(store: NSAtomicStore, contents: InMemoryContents) {
        self.store = store
        self.contents = contents
    }

    /// Adds the rows of nodes, and what these say of relationships.
    ///
    /// - Throws: `NSPersistentStoreOperationError` that names a property whose value doesn't fit.
    mutating func add(_ nodes: [NSAtomicStoreCacheNode]) throws {
        for node in nodes { try addRow(of: node) }
        for node in nodes {
            let layout = node.objectID.layout
            for relationship in layout.relationships where !relationship.isTransient {
                guard let value = node.value(forKey: relationship.name), !(value is NSNull) else { continue }
                if relationship.isToMany {
                    try addMembers(value, of: relationship, owner: node)
                } else {
                    mirror(relationship, owner: node)
                }
            }
        }
    }

    private mutating func addRow(of node: NSAtomicStoreCacheNode) throws {
        let layout = node.objectID.layout
        var values = ContiguousArray<PropertyValue>(repeating: .null, count: layout.slotCount)
        for case let slot? in layout.slots where !slot.isTransient {
            let value = node.value(forKey: slot.name)
            if let relationship = slot.relationship {
                guard let value, !(value is NSNull) else { continue }
                let id = try identifier(value, relationship, node)
                values[slot.index] = .reference(
                    ObjectReference(reference: id.reference, entityIndex: Int32(truncatingIfNeeded: id.layout.index)))
            } else {
                values[slot.index] = try slot.storedValue(from: value, givenBy: store)
            }
        }
        contents.insert(
            InMemoryRecord(entity: layout, reference: node.objectID.reference, version: 1, values: values))
    }

    private mutating func addMembers(_ value: Any, of relationship: RelationshipLayout, owner: NSAtomicStoreCacheNode)
        throws
    {
        guard let elements = NSIncrementalStore.elements(of: value) ?? Self.nodes(in: value) else {
            throw unfit(value, relationship, owner)
        }
        let reference = owner.objectID.reference
        let members = try elements.map { try identifier($0, relationship, owner).reference }
        let side = relationship.linkSide
        for member in members {
            if relationship.inverse == nil {
                contents.hiddenOwners[RelationshipKey(relationship), default: [:]][member] = reference
            } else if relationship.inverse?.isToMany == true {
                let isSwapped = side.isReflexive ? reference > member : !side.isFirst
                contents.links[side.key, default: []].insert(
                    isSwapped
                        ? LinkPair(first: member, second: reference) : LinkPair(first: reference, second: member))
            } else {
                point(member, back: relationship, to: owner.objectID)
            }
        }
        if relationship.isOrdered {
            contents.orders[RelationshipKey(relationship), default: [:]][reference] = members
        }
    }

    /// The other side of a one-to-one that only one node tells of.
    private mutating func mirror(_ relationship: RelationshipLayout, owner: NSAtomicStoreCacheNode) {
        guard let inverse = relationship.inverse, !inverse.isToMany, let slot = relationship.slot,
            let record = contents.record(owner.objectID.reference, root: owner.objectID.layout.root),
            case .reference(let target) = record.values[slot]
        else { return }
        point(target.reference, back: relationship, to: owner.objectID)
    }

    /// Sets the to-one of a destination whose node doesn't tell it.
    private mutating func point(_ member: Int64, back relationship: RelationshipLayout, to owner: NSManagedObjectID) {
        guard let slot = relationship.inverse?.slot,
            var record = contents.record(member, root: relationship.destination.root),
            slot < record.values.count, record.values[slot].isNull
        else { return }
        record.values[slot] = .reference(
            ObjectReference(reference: owner.reference, entityIndex: Int32(truncatingIfNeeded: owner.layout.index)))
        contents.insert(record)
    }

    private static func nodes(in value: Any) -> [Any]? {
        (value as? Set<NSAtomicStoreCacheNode>).map { Array($0) }
    }

    private func identifier(
        _ value: Any, _ relationship: RelationshipLayout, _ owner: NSAtomicStoreCacheNode
    ) throws -> NSManagedObjectID {
        let id = (value as? NSAtomicStoreCacheNode)?.objectID ?? value as? NSManagedObjectID
        guard let id, id.layout.isKind(of: relationship.destination) else { throw unfit(value, relationship, owner) }
        return id
    }

    private func unfit(_ value: Any, _ relationship: RelationshipLayout, _ owner: NSAtomicStoreCacheNode) -> CocoaError
    {
        CoreDataError.make(
            NSPersistentStoreOperationError,
            "The store \(store.shortName) gave a value for the relationship "
                + "\(owner.objectID.layout.name).\(relationship.name) that is not made of nodes of "
                + "\(relationship.destination.name): \(value).",
            path: store.url?.path)
    }
}
