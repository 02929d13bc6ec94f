import Foundation

/// Nodes made of rows, for those who look at the engine's own atomic stores.
struct RowNodes {
    /// The nodes of all rows, with their values.
    let all: Set<NSAtomicStoreCacheNode>

    init(contents: InMemoryContents, store: NSPersistentStore, layout: ModelLayout) {
        let session = InMemorySession(contents: contents)
        var nodes: [Int64: NSAtomicStoreCacheNode] = [:]
        let records = contents.allRecords
        for record in records {
            nodes[record.reference] = NSAtomicStoreCacheNode(
                objectID: NSManagedObjectID(layout: record.entity, reference: record.reference, store: store))
        }
        for record in records {
            guard let node = nodes[record.reference] else { continue }
            for case let slot? in record.entity.slots where !slot.isTransient {
                if case .reference(let target) = record.values[slot.index] {
                    node.setValue(nodes[target.reference], forKey: slot.name)
                } else {
                    node.setValue(slot.any(from: record.values[slot.index]), forKey: slot.name)
                }
            }
            for relationship in record.entity.relationships where relationship.isToMany && !relationship.isTransient {
                let members = session.destinations(of: relationship, owner: record.reference)
                    .compactMap { nodes[$0.record.reference] }
                node.setValue(
                    relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members),
                    forKey: relationship.name)
            }
        }
        all = Set(nodes.values)
    }
}
