import Foundation

/// The identities that a batched fetch found, and the objects of the batches that were read last.
final class FetchedBatches {
    let batchSize: Int
    private let context: NSManagedObjectContext
    private let layout: EntityLayout
    private let segments: [Segment]
    private let request: NSFetchRequestBase?
    /// All objects, where they had to be made for the fetch.
    private let held: [NSManagedObject]?
    /// Objects that were never saved, by their temporary reference.
    private var unsaved: [Int64: NSManagedObject]
    private var recent: [Batch] = []

    /// What one store has of the result.
    struct Segment {
        var store: (any RowStore)?
        var list: ReferenceList
        /// Where the segment begins among all.
        var start = 0
    }

    private struct Batch {
        let segment: Int
        let number: Int
        let objects: ContiguousArray<NSManagedObject>
        /// The rows that the objects were made for.
        let slab: RowSlab?
    }

    /// The batches that stay in memory: reads may alternate between two.
    private static let kept = 2

    init(
        _ segments: [Segment], unsaved: [NSManagedObject], request: NSFetchRequestBase, layout: EntityLayout,
        context: NSManagedObjectContext
    ) {
        var start = 0
        self.segments = segments.map { segment in
            defer { start += segment.list.count }
            return Segment(store: segment.store, list: segment.list, start: start)
        }
        self.unsaved = Dictionary(unsaved.map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
        self.request = request
        self.layout = layout
        self.context = context
        held = nil
        batchSize = request.fetchBatchSize > 0 ? request.fetchBatchSize : Self.usualSize
    }

    init(holding objects: [NSManagedObject], batchSize: Int, layout: EntityLayout, context: NSManagedObjectContext) {
        held = objects
        self.batchSize = batchSize > 0 ? batchSize : Self.usualSize
        self.layout = layout
        self.context = context
        segments = []
        request = nil
        unsaved = [:]
    }

    private static let usualSize = 512

    var count: Int { held?.count ?? segments.last.map { $0.start + $0.list.count } ?? 0 }

    private func locate(_ position: Int) -> (segment: Int, position: Int) {
        let index = segments.lastIndex { $0.start <= position && $0.list.count > 0 } ?? 0
        return (index, position - segments[index].start)
    }

    func objectID(at position: Int) -> NSManagedObjectID {
        if let held { return held[position].objectID }
        let (index, position) = locate(position)
        let target = segments[index].list[position]
        if let object = unsaved[target.reference] { return object.objectID }
        return NSManagedObjectID(
            layout: layout.model.entities[Int(target.entityIndex)], reference: target.reference,
            store: segments[index].store)
    }

    func object(at position: Int) -> NSManagedObject {
        context.checkQueue()
        if let held { return held[position] }
        let (index, position) = locate(position)
        let number = position / batchSize
        if let last = recent.last, last.segment == index, last.number == number {
            return last.objects[position - number * batchSize]
        }
        if let known = recent.firstIndex(where: { $0.segment == index && $0.number == number }) {
            recent.append(recent.remove(at: known))
        } else {
            if recent.count == Self.kept, let slab = recent.removeFirst().slab { context.source.cohorts.forget(slab) }
            recent.append(read(index, number))
        }
        return recent[recent.count - 1].objects[position - number * batchSize]
    }

    private func read(_ index: Int, _ number: Int) -> Batch {
        let segment = segments[index]
        let start = number * batchSize
        let targets = (start..<min(start + batchSize, segment.list.count)).map { segment.list[$0] }
        var slab: RowSlab?
        var found: [NSManagedObject] = []
        do {
            (slab, found) = try rows(targets, segment)
        } catch {
            context.failures.reads.record(error)
        }
        var byReference: [Int64: NSManagedObject] = [:]
        byReference.reserveCapacity(found.count)
        for object in found { byReference[object.reference] = object }
        let objects = ContiguousArray(
            targets.map { target in byReference[target.reference] ?? fault(target, segment.store) })
        finish(objects)
        return Batch(segment: index, number: number, objects: objects, slab: slab)
    }

    private func rows(_ targets: [ObjectReference], _ segment: Segment) throws -> (RowSlab?, [NSManagedObject]) {
        guard let store = segment.store else { return (nil, []) }
        let references = targets.map(\.reference).filter { $0 >= 0 }
        guard !references.isEmpty else { return (nil, []) }
        let rowCache = context.rowCache(of: store)
        let moment = rowCache.moment
        let slab = try context.reading(store) {
            try store.fetchRows(
                references: references, entity: layout, includesValues: request?.includesPropertyValues ?? true)
        }
        Self.order(slab, by: references)
        if slab.hasValues {
            rowCache.register(slab, since: moment)
        } else {
            slab.batches = RowBatches(size: batchSize)
        }
        let (found, hasKnown) = context.found(for: [slab], store: store)
        if hasKnown { context.refreshFaults(found, [slab], request?.shouldRefreshRefetchedObjects ?? false) }
        return (slab, found)
    }

    /// Puts rows in the order of the result: what is read along with one row is that of the rows after it.
    private static func order(_ slab: RowSlab, by references: [Int64]) {
        var rows: [Int64: Int] = [:]
        rows.reserveCapacity(slab.count)
        for row in 0..<slab.count { rows[slab.reference(row)] = row }
        slab.reorder(references.compactMap { rows[$0] })
    }

    /// The object of an identity without a row: not saved yet, or deleted since.
    private func fault(_ target: ObjectReference, _ store: (any RowStore)?) -> NSManagedObject {
        if let object = unsaved[target.reference] { return object }
        let entity = layout.model.entities[Int(target.entityIndex)]
        let table = store.map { context.registry.table(store: $0, root: entity.root) } ?? context.registry.temporary
        return context.object(reference: target.reference, layout: entity, table: table)
    }

    private func finish(_ objects: ContiguousArray<NSManagedObject>) {
        guard let request else { return }
        if !request.returnsObjectsAsFaults { for object in objects { object.fireFault() } }
        guard let keyPaths = request.relationshipKeyPathsForPrefetching, !keyPaths.isEmpty else { return }
        do {
            try context.prefetch(keyPaths, Array(objects), layout)
        } catch {
            context.failures.reads.record(error)
        }
    }
}
