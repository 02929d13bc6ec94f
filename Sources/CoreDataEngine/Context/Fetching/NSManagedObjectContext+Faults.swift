import Foundation

/// Getting rows for faults, one statement for many.
extension NSManagedObjectContext {
    /// How many siblings' rows one fault brings at most.
    static var cohortSize: Int { 512 }
    /// Of how many objects a to-many is read together when it is asked for in advance. More than of a cohort: where the
    /// objects are most of their table, the destinations' table is read as a whole for each group of them.
    static var prefetchSize: Int { 16_384 }

    /// Whether a fault's row is missing or too old to be used.
    @inline(__always)
    final func needsRow(_ object: NSManagedObject) -> Bool {
        guard object.rowValues != nil, let slab = object.slab else { return true }
        return isTooOld(slab)
    }

    /// Whether values that are in memory may not be used any more.
    final func isTooOld(_ slab: RowSlab) -> Bool {
        stalenessInterval >= 0 && Date.timeIntervalSinceReferenceDate - slab.timestamp >= stalenessInterval
    }

    /// Gets the row of a fault, and those of its siblings that have none.
    final func loadRow(of object: NSManagedObject) {
        checkQueue(object.description)
        if object.slab == nil, loadDestinations(with: object) { return }
        if let slab = object.slab, let batches = slab.batches {
            loadBatch(batches, slab, with: object)
        } else {
            load([object] + siblings(of: object))
        }
        if object.slab?.hasValues != true { handleMissingRow(of: object) }
    }

    /// The faults that get their rows with one: those that follow it.
    private func siblings(of object: NSManagedObject) -> [NSManagedObject] {
        guard faultsFireForCohort, let slab = object.slab, let table = object.table, table.readsAhead else { return [] }
        let first = Int(object.row) + 1
        return faults(first..<max(first, min(slab.count, first + Self.cohortSize - 1)), of: slab, in: table)
    }

    /// The objects of some rows that still wait for their values.
    final func faults(_ rows: Range<Int>, of slab: RowSlab, in table: RegistryTable) -> [NSManagedObject] {
        rows.compactMap { row in
            guard let object = table.object(for: slab.reference(row)), object.isFault, object.slab === slab else {
                return nil
            }
            return object
        }
    }

    /// Gets the rows of faults, the first of which is the one that fired.
    final func load(_ wanted: [NSManagedObject]) {
        do {
            let count = try fillCounting(wanted)
            if Self.reportsFaults, count > 0 { reportRows(of: wanted[0], count: count) }
        } catch {
            lastFaultError = error
        }
    }

    private func handleMissingRow(of object: NSManagedObject) {
        guard object.table?.store != nil else { return }
        if shouldHandleInaccessibleFault(object, for: object.objectID, triggeredByProperty: nil) {
            object.state.insert(.inaccessible)
        }
    }

    /// Called when the row of a fault is gone. By default says what `shouldDeleteInaccessibleFaults` says.
    public func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool { shouldDeleteInaccessibleFaults }

    /// Gives faults the rows that the row cache, the store or the parent context has. Those without a row stay as they are.
    final func fill(_ faults: [NSManagedObject]) throws { _ = try fillCounting(faults) }

    /// As `fill`; returns for how many the store was asked.
    private func fillCounting(_ faults: [NSManagedObject]) throws -> Int {
        let waiting = faults.filter { !adoptCachedRow($0) }
        if let parent {
            fill(waiting, from: parent)
            return 0
        }
        var count = 0
        for portion in portions(of: waiting) {
            count += portion.objects.count
            let slab = try reading(portion.store) {
                try portion.store.fetchRows(
                    references: portion.objects.map(\.reference), entity: portion.root, includesValues: true, for: self)
            }
            rowCache(of: portion.store).register(slab)
            var byReference: [Int64: NSManagedObject] = [:]
            for object in portion.objects { byReference[object.reference] = object }
            for row in 0..<slab.count { byReference[slab.reference(row)]?.adopt(slab, row: row) }
        }
        return count
    }

    /// Saved objects of one store and tree, as many as a store is asked for at once.
    struct Portion {
        let store: any RowStore
        let root: EntityLayout
        let objects: ArraySlice<NSManagedObject>
    }

    /// Sorts objects by what they can be asked for with.
    final func portions(of objects: [NSManagedObject], size: Int = cohortSize) -> [Portion] {
        struct Key: Hashable {
            let table: ObjectIdentifier?
            let root: Int
        }
        let groups = Dictionary(grouping: objects) { object in
            Key(table: object.table.map { ObjectIdentifier($0) }, root: object.layout.root.index)
        }
        return groups.values.flatMap { group -> [Portion] in
            guard let first = group.first, let store = first.table?.store as? any RowStore else { return [] }
            return stride(from: 0, to: group.count, by: size).map { start in
                let end = min(start + size, group.count)
                return Portion(store: store, root: first.layout.root, objects: group[start..<end])
            }
        }
    }

    /// Takes the newest row that the coordinator has in memory, if it is young enough.
    private func adoptCachedRow(_ object: NSManagedObject) -> Bool {
        guard let store = object.table?.store, parent == nil,
            let (slab, row) = rowCache(of: store).row(reference: object.reference, root: object.layout.root)
        else { return false }
        if isTooOld(slab) { return false }
        object.adopt(slab, row: row)
        return true
    }

    // MARK: To-many

    /// Loads a to-many of an object, and of its siblings unless that is switched off.
    final func loadToMany(_ relationship: RelationshipLayout, of object: NSManagedObject) {
        checkQueue(object.description)
        let state = object.toManyState(relationship)
        if let parent {
            loadToMany(relationship, of: object, from: parent)
            return
        }
        if let slab = object.slab,
            let (rows, range) = cohorts.take(relationship, slab: slab, row: Int(object.row))
        {
            state.fill(with: members(rows, range, of: object))
            return
        }
        loadCohort(relationship, of: object)
        if state.members == nil { state.fill(with: []) }
    }

    private func loadCohort(_ relationship: RelationshipLayout, of object: NSManagedObject) {
        guard let store = object.table?.store as? any RowStore, object.reference >= 0 else { return }
        var owners = [object.reference]
        var rows: [Int] = []
        if faultsFireForCohort, store.readsAhead, let slab = object.slab {
            let start = Int(object.row)
            for row in start + 1..<max(start + 1, min(slab.count, start + Self.cohortSize)) {
                owners.append(slab.reference(row))
                rows.append(row)
            }
        }
        do {
            let result = try members(relationship, of: owners, from: store)
            if Self.reportsFaults { reportMembers(of: object, relationship, owners: owners.count) }
            if let range = result.ranges.first {
                object.toManyState(relationship).fill(with: members(result.rows, range, of: object))
            }
            if let slab = object.slab, !rows.isEmpty {
                cohorts.put(
                    relationship, owners: slab, rows: rows,
                    ToManyRows(rows: result.rows, ranges: Array(result.ranges.dropFirst())))
            }
        } catch {
            lastFaultError = error
        }
    }

    /// Loads a to-many of many objects.
    final func loadToMany(
        _ relationship: RelationshipLayout, ofAll objects: some Sequence<NSManagedObject>, includesValues: Bool = false
    ) {
        let waiting = objects.filter { $0.reference >= 0 && $0.toManyState(relationship).members == nil }
        guard parent == nil, waiting.count > 1 else { return }
        for portion in portions(of: waiting, size: Self.prefetchSize) {
            let owners = portion.objects.map(\.reference)
            let found = try? members(relationship, of: owners, from: portion.store, includesValues: includesValues)
            guard let found else { continue }
            for (object, range) in zip(portion.objects, found.ranges) {
                object.toManyState(relationship).fill(with: members(found.rows, range, of: object))
            }
        }
    }

    /// Asks a store for the members of a to-many of several owners.
    private func members(
        _ relationship: RelationshipLayout, of owners: [Int64], from store: any RowStore, includesValues: Bool = true
    ) throws -> ToManyRows {
        let found = try reading(store) {
            try store.fetchToMany(relationship, owners: owners, includesValues: includesValues, for: self)
        }
        rowCache(of: store).register(found.rows)
        return found
    }

    /// The objects for some rows of a slab.
    private func members(_ slab: RowSlab, _ range: Range<Int>, of owner: NSManagedObject)
        -> ContiguousArray<NSManagedObject>
    {
        guard let store = owner.table?.store else { return [] }
        let result = objects(for: slab, rows: range, store: store)
        if slab.hasValues {
            for (row, object) in zip(range, result) where object.slab !== slab {
                if object.isFault, object.slab?.hasValues != true { object.adopt(slab, row: row) }
            }
        }
        return result
    }

    /// The object for a row; a registered fault without values takes them.
    final func object(_ slab: RowSlab, row: Int, table: RegistryTable, layout: EntityLayout) -> NSManagedObject {
        let reference = slab.reference(row)
        if let known = table.object(for: reference) {
            if known.isFault, known.slab?.hasValues != true { known.adopt(slab, row: row) }
            return known
        }
        let made = materializer.object(
            type: objectClass(of: layout), layout: layout, table: table, reference: reference, slab: slab, row: row)
        table.register(made)
        if keepsObjects { retained.append(made) }
        return made
    }
}
