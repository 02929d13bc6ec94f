import Foundation

/// Makes rows of the nodes that an application's atomic store has read.
struct CacheNodeReader {
    let store: NSAtomicStore
    private(set) var contents: InMemoryContents

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
                    contents.mirror(relationship, owner: Self.reference(node))
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
        let members = try elements.map { try identifier($0, relationship, owner).reference }
        contents.setMembers(members, of: relationship, owner: Self.reference(owner))
    }

    private static func reference(_ node: NSAtomicStoreCacheNode) -> ObjectReference {
        ObjectReference(
            reference: node.objectID.reference, entityIndex: Int32(truncatingIfNeeded: node.objectID.layout.index))
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
                + "\(relationship.destination.name): \(ValueDescription.string(of: value)).",
            path: store.url?.path)
    }
}
