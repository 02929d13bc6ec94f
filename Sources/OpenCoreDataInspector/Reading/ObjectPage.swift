#if Inspector
import Foundation
import OpenCoreData
import StoreTools

/// The objects of one page of a list.
struct ObjectPage {
    var objects: [NSManagedObject]
    /// How many objects have the first one's value of the first sort key, from it on; nil where that is not known.
    var tiesAtStart: Int?
    /// The same up to the last object.
    var tiesAtEnd: Int?
}

extension ObjectList {
    /// A page of the list.
    ///
    /// A store that is asked for rows from an offset on passes over all rows before. So a page is found by the value of
    /// the object beside it where that is known, and otherwise counted from the nearer end; or it is taken from the order
    /// of the whole list, or found by a sample of its values.
    func page(
        _ wanted: PageRequest, from order: SortedOrder?, prefetching paths: [String], in reader: StoreReader
    ) throws -> ObjectPage {
        if let ids = try idsInOrder(in: reader) {
            return ObjectPage(
                objects: try objects(ids.dropFirst(wanted.offset).prefix(wanted.limit), paths, in: reader))
        }
        if let ids = order?.ids(wanted) {
            return ObjectPage(objects: try objects(ids[...], paths, in: reader))
        }
        if let page = try pageBeside(wanted, paths, in: reader) { return page }
        if let page = try pageBySample(wanted, paths, in: reader) { return page }
        let isFromEnd = !sortDescriptors.isEmpty && ordersIdentifiers && wanted.offset > (wanted.total ?? .max) / 2
        var objects: [NSManagedObject]
        if isFromEnd, let total = wanted.total, wanted.offset < total {
            let end = min(total, wanted.offset + wanted.limit)
            let request = request(offset: total - end, limit: end - wanted.offset)
            request.sortDescriptors = request.sortDescriptors?.reversedOrder
            objects = try fetch(request, paths, in: reader).reversed()
        } else {
            objects = try fetch(request(offset: wanted.offset, limit: wanted.limit), paths, in: reader)
        }
        return page(objects, wanted, known: nil)
    }

    // MARK: Pages beside a known object

    /// The attribute that the list is sorted by first.
    private var firstKey: (key: String, ascending: Bool)? {
        guard ordersIdentifiers, let descriptor = sortDescriptors.first, let key = descriptor.key,
            let attribute = entity.attributesByName[key], !attribute.isTransient
        else { return nil }
        return (key, descriptor.ascending)
    }

    /// The page next to an object that the page has; nil where it can't be found so, as when the object has changed.
    private func pageBeside(
        _ wanted: PageRequest, _ paths: [String], in reader: StoreReader
    ) throws -> ObjectPage? {
        guard let neighbor = wanted.neighbor, let (key, ascending) = firstKey,
            let value = (try? reader.object(neighbor.name))?.value(forKey: key)
        else { return nil }
        // The neighbor is read too: when it isn't the first row, it has moved.
        let request = request(offset: neighbor.ties - 1, limit: wanted.limit + 1)
        if !neighbor.isBefore { request.sortDescriptors = request.sortDescriptors?.reversedOrder }
        let bound = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: key), rightExpression: NSExpression(forConstantValue: value),
            modifier: .direct,
            type: ascending == neighbor.isBefore ? .greaterThanOrEqualTo : .lessThanOrEqualTo)
        request.predicate = NSCompoundPredicate(
            andPredicateWithSubpredicates: [predicate, bound].compactMap { $0 })
        var objects = try fetch(request, paths, in: reader)
        // Objects without a value are beyond the bound at one end of the list.
        guard objects.count == wanted.limit + 1, objects.removeFirst().inspectorName == neighbor.name else {
            return nil
        }
        if !neighbor.isBefore { objects.reverse() }
        return page(objects, wanted, known: value)
    }

    /// Whether the list is sorted by an attribute that no index has first, and its table has more rows than a number.
    func isSorted(withoutIndexOver number: Int64, in reader: StoreReader) throws -> Bool {
        guard let key = firstKey?.key else { return false }
        let entities = sequence(first: entity, next: \.superentity)
        let isIndexed = entities.contains { entity in
            entity.indexes.contains { $0.elements.first?.propertyName == key }
                || entity.uniquenessConstraints.contains { $0.first as? String == key }
        }
        return try !isIndexed && reader.highestNumber(of: entity) > number
    }

    // MARK: Pages far down

    /// The page by a sample of the list's values; nil where it isn't found so.
    private func pageBySample(
        _ wanted: PageRequest, _ paths: [String], in reader: StoreReader
    ) throws -> ObjectPage? {
        guard let total = wanted.total, let (key, ascending) = firstKey,
            min(wanted.offset, total - wanted.offset) > SampledPage.fewestPassed,
            Self.comparedKinds.contains(entity.attributesByName[key].map(ModelDocument.kind) ?? "")
        else { return nil }
        let sample = SampledPage(list: self, key: key, ascending: ascending, reader: reader)
        guard let request = try sample.request(wanted, total: total) else { return nil }
        let objects = try fetch(request, paths, in: reader)
        guard objects.count == min(wanted.limit, total - wanted.offset) else { return nil }
        return page(objects, wanted, known: nil)
    }

    /// Kinds of values whose order and comparison agree in a database.
    private static let comparedKinds: Set = ["integer", "number", "decimal", "date", "text", "boolean"]

    /// A page with its ties counted.
    ///
    /// - Parameter known: The value of the neighbor that the page was found by.
    private func page(_ objects: [NSManagedObject], _ wanted: PageRequest, known: Any?) -> ObjectPage {
        guard let (key, _) = firstKey, !objects.isEmpty else { return ObjectPage(objects: objects) }
        let values = objects.map { $0.value(forKey: key) as? AnyHashable }
        let start = values.prefix { $0 == values.first }.count
        let end = values.reversed().prefix { $0 == values.last }.count
        guard start == objects.count else {
            return ObjectPage(objects: objects, tiesAtStart: start, tiesAtEnd: end)
        }
        // One value from end to end, so that what lies beside the page counts too.
        var page = ObjectPage(objects: objects)
        if let neighbor = wanted.neighbor, let known = known as? AnyHashable {
            let ties = known == values[0] ? neighbor.ties + start : start
            if neighbor.isBefore { page.tiesAtEnd = ties } else { page.tiesAtStart = ties }
        } else if wanted.offset == 0 {
            page.tiesAtEnd = end
        }
        return page
    }

    private func fetch(
        _ request: NSFetchRequest<NSManagedObject>, _ paths: [String], in reader: StoreReader
    ) throws -> [NSManagedObject] {
        guard request.fetchOffset < Self.longSkip else {
            return try objects(try ids(request, in: reader)[...], paths, in: reader)
        }
        request.relationshipKeyPathsForPrefetching = paths
        return try reader.context.fetch(request)
    }

    /// Passed over rows from which on their identifiers are asked for first: a sort without an index carries all
    /// columns of each row along, and of a million rows takes four times as long.
    static let longSkip = 1_000

    private func ids(
        _ request: NSFetchRequest<NSManagedObject>, in reader: StoreReader
    ) throws -> [NSManagedObjectID] {
        let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: entity.displayName)
        identifiers.resultType = .managedObjectIDResultType
        identifiers.predicate = request.predicate
        identifiers.sortDescriptors = request.sortDescriptors
        identifiers.fetchOffset = request.fetchOffset
        identifiers.fetchLimit = request.fetchLimit
        return try reader.context.fetch(identifiers)
    }

    // MARK: Ordered relationships

    /// The objects of an ordered relationship in its own order; nil for any other list, or one that is sorted.
    private func idsInOrder(in reader: StoreReader) throws -> [NSManagedObjectID]? {
        guard let related, related.relationship.isOrdered, sortDescriptors.isEmpty else { return nil }
        let ids = related.object.objectIDs(forRelationshipNamed: related.relationship.name)
        guard hasFilter else { return ids }
        let request = NSFetchRequest<NSManagedObjectID>(entityName: entity.displayName)
        request.resultType = .managedObjectIDResultType
        request.predicate = predicate
        let matching = Set(try reader.context.fetch(request))
        return ids.filter(matching.contains)
    }

    private func objects(
        _ ids: ArraySlice<NSManagedObjectID>, _ paths: [String], in reader: StoreReader
    ) throws -> [NSManagedObject] {
        guard !ids.isEmpty else { return [] }
        let request = request(offset: 0, limit: 0)
        request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [Array(ids)])
        let objects = Dictionary(
            try fetch(request, paths, in: reader).map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first }
        )
        return ids.compactMap { objects[$0] }
    }
}

extension [NSSortDescriptor] {
    fileprivate var reversedOrder: [NSSortDescriptor] {
        compactMap { $0.reversedSortDescriptor as? NSSortDescriptor }
    }
}
#endif
