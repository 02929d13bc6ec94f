import Foundation

/// Copies the objects of a store into one that an application wrote, which takes managed objects and no rows.
///
/// They are inserted and saved together in a context of their own.
struct ObjectCopy {
    let source: any RowStore
    let destination: NSPersistentStore
    let coordinator: NSPersistentStoreCoordinator
    let entities: [EntityLayout]

    /// Copies everything.
    ///
    /// - Returns: Old and new identifiers, one pair after the other.
    func run() throws -> [NSManagedObjectID] {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try copy(in: context) }
    }

    private struct Copied {
        let slab: RowSlab
        let objects: [NSManagedObject]
    }

    private func copy(in context: NSManagedObjectContext) throws -> [NSManagedObjectID] {
        var copies: [Copied] = []
        var byReference: [Int: [Int64: NSManagedObject]] = [:]
        for root in entities where root.isRoot {
            let slab = try rows(of: root, in: context)
            let objects = try (0..<slab.count).map { try insert(row: $0, of: slab, into: context) }
            copies.append(Copied(slab: slab, objects: objects))
            byReference[root.index] = Dictionary(
                zip((0..<slab.count).map { slab.reference($0) }, objects), uniquingKeysWith: { first, _ in first })
        }
        for copy in copies {
            for (row, object) in copy.objects.enumerated() {
                try relate(object, row: row, of: copy.slab, byReference)
            }
        }
        try context.save()
        return copies.flatMap { copy in
            copy.objects.enumerated().flatMap { row, object in
                [
                    NSManagedObjectID(layout: object.layout, reference: copy.slab.reference(row), store: source),
                    object.objectID,
                ]
            }
        }
    }

    /// All rows of a root entity's tree with their values; a store may find identities only.
    private func rows(of root: EntityLayout, in context: NSManagedObjectContext) throws -> RowSlab {
        let found = try source.fetchRows(StoreQuery(entity: root))
        if found.hasValues { return found }
        return try source.fetchRows(
            references: (0..<found.count).map { found.reference($0) }, entity: root, includesValues: true, for: context)
    }

    private func insert(row: Int, of slab: RowSlab, into context: NSManagedObjectContext) throws -> NSManagedObject {
        let layout = slab.entity.model.entities[slab.entityIndex(row)]
        let object = context.objectClass(of: layout).init(entity: layout.entity, insertInto: context)
        context.assign(object, to: destination)
        for case let slot? in layout.slots where !slot.isTransient && slot.kind != .toOne {
            // A value in a file of its own that can't be read is an error here, and not a value less.
            object.setValue(slot.any(from: try slab.value(row, slot)), forKey: slot.name)
        }
        return object
    }

    private func relate(
        _ object: NSManagedObject, row: Int, of slab: RowSlab, _ byReference: [Int: [Int64: NSManagedObject]]
    ) throws {
        for relationship in object.layout.relationships where !relationship.isTransient {
            let known = byReference[relationship.destination.root.index] ?? [:]
            if let index = relationship.slot, let slot = object.layout.slots[index] {
                guard case .reference(let target) = try slab.value(row, slot) else { continue }
                object.setValue(known[target.reference], forKey: relationship.name)
                continue
            }
            guard relationship.isOrdered || relationship.inverse?.isToMany ?? true else { continue }
            let members = try source.fetchToMany(
                relationship, owners: [slab.reference(row)], includesValues: false
            ).rows
            let objects = (0..<members.count).compactMap { known[members.reference($0)] }
            let value: Any = relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
            object.setValue(value, forKey: relationship.name)
        }
    }
}
