import Foundation

/// Finding the identities of a batched fetch.
extension NSManagedObjectContext {
    final func batches(_ request: NSFetchRequestBase, _ layout: EntityLayout) throws -> FetchedBatches {
        try throwReadError()
        let stores = try self.stores(for: request, layout)
        let isSorted = request.sortDescriptors?.isEmpty == false
        let isWindowed = request.fetchLimit > 0 || request.fetchOffset > 0
        guard parent == nil, stores.count <= 1 || !isSorted && !isWindowed else {
            return made(of: try fetchObjects(request, layout), request, layout)
        }
        let query = request.storeQuery(for: layout)
        let overlay = request.includesPendingChanges ? try pendingOverlay(for: request, layout) : nil
        var segments = try stores.map { store in
            FetchedBatches.Segment(store: store, list: try reading(store) { try store.fetchReferences(query) })
        }
        guard let overlay else { return lazily(segments, [], request, layout) }
        if stores.count > 1 { return made(of: try fetchObjects(request, layout), request, layout) }
        if segments.isEmpty { segments = [FetchedBatches.Segment(store: nil, list: ReferenceList(entity: layout))] }
        segments[0].list = folded(overlay, into: segments[0], request, layout)
        return lazily(segments, overlay.matching.filter { $0.reference < 0 }, request, layout)
    }

    private func lazily(
        _ segments: [FetchedBatches.Segment], _ unsaved: [NSManagedObject], _ request: NSFetchRequestBase,
        _ layout: EntityLayout
    ) -> FetchedBatches {
        // A copy: the application may change the request for its next fetch.
        let settings = request.makeEmptyCopy()
        request.copySettings(to: settings)
        return FetchedBatches(segments, unsaved: unsaved, request: settings, layout: layout, context: self)
    }

    /// Batches over objects that had to be made for the fetch: all of them are held, in one batch.
    private func made(of objects: [NSManagedObject], _ request: NSFetchRequestBase, _ layout: EntityLayout)
        -> FetchedBatches
    {
        FetchedBatches(holding: objects, batchSize: request.fetchBatchSize, layout: layout, context: self)
    }

    /// The store's answer with unsaved changes: what changed leaves its position, and what matches now comes to the one that
    /// the order gives it.
    private func folded(
        _ overlay: PendingOverlay, into segment: FetchedBatches.Segment, _ request: NSFetchRequestBase,
        _ layout: EntityLayout
    ) -> ReferenceList {
        let descriptors = request.sortDescriptors ?? []
        let matching = Dictionary(overlay.matching.map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
        var kept = ReferenceList(entity: layout)
        var present: Set<Int64> = []
        for index in 0..<segment.list.count {
            let target = segment.list[index]
            if overlay.touches(target.reference, of: segment.store) {
                // Without an order what still matches keeps its position.
                guard descriptors.isEmpty, matching[target.reference] != nil else { continue }
                present.insert(target.reference)
            }
            kept.append(target.reference, entityIndex: Int(target.entityIndex))
        }
        var joining = overlay.matching.filter { !present.contains($0.reference) }
        guard !joining.isEmpty else { return kept }
        if !descriptors.isEmpty { joining = sorted(joining, by: descriptors) }
        let rest = lazily([FetchedBatches.Segment(store: segment.store, list: kept)], [], request, layout)
        return merged(kept, with: joining, limit: request.fetchLimit, entity: layout) { object, lowest in
            descriptors.isEmpty ? kept.count : rest.upperBound(of: object, by: descriptors, from: lowest)
        }
    }

    private func merged(
        _ list: ReferenceList, with objects: [NSManagedObject], limit: Int, entity: EntityLayout,
        position: (NSManagedObject, Int) -> Int
    ) -> ReferenceList {
        var result = ReferenceList(entity: entity)
        var next = 0
        func append(until end: Int) {
            while next < end {
                let target = list[next]
                result.append(target.reference, entityIndex: Int(target.entityIndex))
                next += 1
            }
        }
        for object in objects {
            append(until: position(object, next))
            result.append(object.reference, entityIndex: object.layout.index)
        }
        append(until: list.count)
        guard limit > 0, result.count > limit else { return result }
        var cut = ReferenceList(entity: entity)
        for index in 0..<limit { cut.append(result[index].reference, entityIndex: Int(result[index].entityIndex)) }
        return cut
    }
}

extension FetchedBatches {
    /// The index after the last object that an object doesn't precede, in a sorted result.
    func upperBound(of object: NSManagedObject, by descriptors: [NSSortDescriptor], from lowest: Int) -> Int {
        var (low, high) = (lowest, count)
        while low < high {
            let middle = low + (high - low) / 2
            if Self.precedes(object, self.object(at: middle), descriptors) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }

    private static func precedes(
        _ left: NSManagedObject, _ right: NSManagedObject, _ descriptors: [NSSortDescriptor]
    ) -> Bool {
        for descriptor in descriptors {
            switch descriptor.compare(left, to: right) {
            case .orderedAscending: return true
            case .orderedDescending: return false
            case .orderedSame: continue
            }
        }
        return false
    }
}
