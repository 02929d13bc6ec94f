/// A step from an object of a slab over a to-one.
struct ToOneWalk {
    let slab: RowSlab
    let row: Int
    let slot: SlotLayout
}

/// The destinations of one to-one of many objects, in one statement.
extension NSManagedObjectContext {
    /// Gets the row of a to-one's destination together with those that its source's siblings lead to.
    ///
    /// - Returns: Whether the object has its row now.
    final func loadDestinations(with object: NSManagedObject) -> Bool {
        guard faultsFireForCohort, parent == nil, let walk = source.cohorts.lastWalk,
            walk.leads(to: object, from: walk.row),
            let store = object.table?.store as? any RowStore, store.readsAhead,
            rowCache(of: store).row(reference: object.reference, root: object.layout.root) == nil
        else { return false }
        var references: [Int64] = [object.reference]
        var known: Set<Int64> = [object.reference]
        for row in walk.row + 1..<max(walk.row + 1, min(walk.slab.count, walk.row + Self.cohortSize)) {
            guard !walk.slab.isNull(row, walk.slot.index) else { continue }
            let reference = walk.slab.destination(row, walk.slot).reference
            guard reference > 0, known.insert(reference).inserted,
                rowCache(of: store).row(reference: reference, root: object.layout.root) == nil
            else { continue }
            references.append(reference)
        }
        guard references.count > 1,
            let slab = try? readingRows(
                store,
                { try store.fetchRows(references: references, entity: object.layout.root, includesValues: true) })
        else { return false }
        if Self.reportsFaults { reportRows(of: object, count: slab.count) }
        source.cohorts.hold(slab)
        for row in 0..<slab.count where slab.reference(row) == object.reference { object.adopt(slab, row: row) }
        return object.slab != nil
    }
}

extension ToOneWalk {
    func leads(to object: NSManagedObject, from row: Int) -> Bool {
        guard slab.hasValues, !slab.isNull(row, slot.index), let destination = slot.relationship?.destination else {
            return false
        }
        return destination.root === object.layout.root && slab.destination(row, slot).reference == object.reference
    }
}
