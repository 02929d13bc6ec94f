import Foundation

/// Writes the values of managed objects into the nodes of an atomic store.
struct CacheNodeWriter {
    let store: NSAtomicStore

    /// Writes all values. Related objects that have no node yet are left out; the save adds them.
    func write(_ object: NSManagedObject, into node: NSAtomicStoreCacheNode) {
        for case let slot? in object.layout.slots where !slot.isTransient && slot.kind != .toOne {
            node.setValue(slot.any(from: object.currentValue(slot.index)), forKey: slot.name)
        }
        for relationship in object.layout.relationships where !relationship.isTransient {
            write(relationship, of: object, into: node)
        }
    }

    private func write(
        _ relationship: RelationshipLayout, of object: NSManagedObject, into node: NSAtomicStoreCacheNode
    ) {
        let nodes = object.objectIDs(forRelationshipNamed: relationship.name).compactMap { store.cacheNode(for: $0) }
        let value: Any? =
            !relationship.isToMany
            ? nodes.first : relationship.isOrdered ? NSOrderedSet(array: nodes) : NSSet(array: nodes)
        node.setValue(value, forKey: relationship.name)
    }
}
