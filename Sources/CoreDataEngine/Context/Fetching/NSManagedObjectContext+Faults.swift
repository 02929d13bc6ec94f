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

    /// Whether values that are in memory may not be used any longer.
    final func isTooOld(_ slab: RowSlab) -> Bool {
        stalenessInterval >= 0 && Date.timeIntervalSinceReferenceDate - slab.timestamp >= stalenessInterval
    }

    /// Gets the row of a fault, and those of its siblings that have none.
    ///
    /// - Returns: Whether the object has its row, or is known to have none.
    final func loadRow(of object: NSManagedObject) -> Bool {
        checkQueue(object.description)
        // The methods that are called below may use the object again.
        guard !object.state.contains(.firing) else { return false }
        object.state.insert(.firing)
        defer { object.state.remove(.firing) }
        if object.slab == nil, loadDestinations(with: object) { return true }
        if let slab = object.slab, let batches = slab.batches { return loadBatch(batches, slab, with: object) }
        var siblings = siblings(of: object)
        guard load(object, with: &siblings) else { return false }
        if object.slab?.hasValues != true { handleMissingRow(of: object) }
        return true
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
            guard let object = table.object(for: slab.reference(row)), object.state.isFault, object.slab === slab else {
                return nil
            }
            return object
        }
    }

    /// Gets the row of a fault that fired, and those of other faults along with it.
    ///
    /// - Parameter others: Emptied when the rows can't be read together.
    /// - Returns: Whether the store could be asked for the row.
    final func load(_ object: NSManagedObject, with others: inout [NSManagedObject]) -> Bool {
        do {
            let count = try others.isEmpty ? fillOne(object) : fillCounting([object] + others)
            if Self.reportsFaults, count > 0 { reportRows(of: object, count: count) }
            return true
        } catch {
            if !others.isEmpty {
                // It may be another's row that can't be read.
                others = []
                return load(object, with: &others)
            }
            failures.reads.record(error, .row, of: object)
            return false
        }
    }

    /// Asks what is to become of a fault whose row is gone.
    final func handleMissingRow(of object: NSManagedObject) {
        // What was never saved has no row yet. A parent may have given up what a child knows by a temporary identity.
        guard object.table != nil, !object.state.contains(.inserted) else { return }
        let wasFiring = object.state.contains(.firing)
        object.state.insert(.firing)
        defer { if !wasFiring { object.state.remove(.firing) } }
        let isHandled = shouldHandleInaccessibleFault(object, for: object.objectID, triggeredByProperty: nil)
        // The method may have read the row, which is back by now.
        guard object.slab?.hasValues != true else { return }
        object.state.insert(.inaccessible)
        if isHandled {
            if !object.state.isDeleted { recordDeletedElsewhere(object) }
        } else {
            failures.reads.record(missingObject(object.objectID), .row, of: object)
        }
    }

    /// Gives faults the rows that the row cache, the store or the parent context has. Those without a row stay as they
    /// are.
    final func fill(_ faults: [NSManagedObject]) throws { _ = try fillCounting(faults) }

    /// As `fillCounting` for a single fault, without the lists that sort many by store and reference.
    private func fillOne(_ fault: NSManagedObject) throws -> Int {
        guard parent == nil, let store = fault.table?.rowStore else { return try fillCounting([fault]) }
        if adoptCachedRow(fault) { return 0 }
        let reference = fault.reference
        let slab = try readingRows(store) {
            try store.fetchRows(
                references: [reference], entity: fault.layout.root, includesValues: true, for: self)
        }
        for row in 0..<slab.count where slab.reference(row) == reference { fault.adopt(slab, row: row) }
        return 1
    }

    /// As `fill`; returns for how many the store was asked.
    private func fillCounting(_ faults: [NSManagedObject]) throws -> Int {
        let waiting = faults.filter { !adoptCachedRow($0) }
        if let parent {
            try fill(waiting, from: parent)
            return 0
        }
        var count = 0
        for portion in portions(of: waiting) {
            count += portion.objects.count
            let slab = try readingRows(portion.store) {
                try portion.store.fetchRows(
                    references: portion.objects.map(\.reference), entity: portion.root, includesValues: true, for: self)
            }
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
            let (slab, row) = rowCache(of: store).row(
                reference: object.reference, root: object.layout.root, isForFault: true)
        else { return false }
        if isTooOld(slab) { return false }
        object.adopt(slab, row: row)
        return true
    }

    // MARK: To-many

    /// Loads a to-many of an object, and of its siblings unless that is switched off.
    final func loadToMany(_ relationship: RelationshipLayout, of object: NSManagedObject) throws {
        checkQueue(object.description)
        if let parent { return try loadToMany(relationship, of: object, from: parent) }
        if let slab = object.slab,
            let (rows, range) = source.cohorts.take(relationship, slab: slab, row: Int(object.row))
        {
            object.toManyState(relationship).fillOnce(with: members(rows, range, of: object))
            return
        }
        guard let store = object.table?.store as? any RowStore, object.reference >= 0 else {
            object.toManyState(relationship).fillOnce(with: [])
            return
        }
        let readsAhead = faultsFireForCohort && store.readsAhead
        do {
            try loadCohort(relationship, of: object, from: store, readsAhead: readsAhead)
        } catch {
            guard readsAhead else { throw error }
            // It may be another's members that can't be read.
            try loadCohort(relationship, of: object, from: store, readsAhead: false)
        }
    }

    private func loadCohort(
        _ relationship: RelationshipLayout, of object: NSManagedObject, from store: any RowStore, readsAhead: Bool
    ) throws {
        var owners = [object.reference]
        var rows: [Int] = []
        if readsAhead, let slab = object.slab {
            let start = Int(object.row)
            for row in start + 1..<max(start + 1, min(slab.count, start + Self.cohortSize)) {
                owners.append(slab.reference(row))
                rows.append(row)
            }
        }
        let result = try members(relationship, of: owners, from: store)
        if Self.reportsFaults { reportMembers(of: object, relationship, owners: owners.count) }
        let found = result.ranges.first.map { members(result.rows, $0, of: object) } ?? []
        object.toManyState(relationship).fillOnce(with: found)
        if let slab = object.slab, !rows.isEmpty {
            source.cohorts.put(
                relationship, owners: slab, rows: rows,
                ToManyRows(rows: result.rows, ranges: Array(result.ranges.dropFirst())))
        }
    }

    /// Loads a to-many of many objects.
    final func loadToMany(
        _ relationship: RelationshipLayout, ofAll objects: some Sequence<NSManagedObject>, includesValues: Bool = false
    ) throws {
        let waiting = objects.filter { $0.reference >= 0 && $0.toManyState(relationship).members == nil }
        guard parent == nil, waiting.count > 1 else { return }
        for portion in portions(of: waiting, size: Self.prefetchSize) {
            let owners = portion.objects.map(\.reference)
            let found = try members(relationship, of: owners, from: portion.store, includesValues: includesValues)
            for (object, range) in zip(portion.objects, found.ranges) {
                object.toManyState(relationship).fillOnce(with: members(found.rows, range, of: object))
            }
        }
    }

    /// Asks a store for the members of a to-many of several owners.
    private func members(
        _ relationship: RelationshipLayout, of owners: [Int64], from store: any RowStore, includesValues: Bool = true
    ) throws -> ToManyRows {
        let rowCache = rowCache(of: store)
        let moment = rowCache.moment
        let found = try reading(store) {
            try store.fetchToMany(relationship, owners: owners, includesValues: includesValues, for: self)
        }
        rowCache.register(found.rows, since: moment)
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
                if object.state.isFault, object.slab?.hasValues != true { object.adopt(slab, row: row) }
            }
        }
        return result
    }

    /// The object for a row; a registered fault without values takes them.
    final func object(_ slab: RowSlab, row: Int, table: RegistryTable, layout: EntityLayout) -> NSManagedObject {
        let reference = slab.reference(row)
        if let known = knownObject(reference, table) {
            if known.state.isFault, known.slab?.hasValues != true { known.adopt(slab, row: row) }
            return known
        }
        return make(reference, layout, table, slab: slab, row: row)
    }
}

extension NSManagedObjectContext {
    /// Gets the rows of a batch, and lets those of an older one go.
    ///
    /// - Returns: Whether the object that fired has its row, or is known to have none.
    final func loadBatch(_ batches: RowBatches, _ slab: RowSlab, with object: NSManagedObject) -> Bool {
        guard let table = object.table else { return true }
        let row = Int(object.row)
        var others: [NSManagedObject] = []
        if faultsFireForCohort, table.readsAhead {
            others = faults(batches.rows(with: row, of: slab), of: slab, in: table).filter { $0 !== object }
        }
        guard load(object, with: &others) else { return false }
        // Noted now: what is called below may have rows go again.
        let isMissing = object.slab?.hasValues != true
        let missing = others.map { $0.slab?.hasValues != true }
        if let old = batches.record(row: row, of: slab) { letGo(old, of: slab, in: table) }
        if isMissing { handleMissingRow(of: object) }
        if batches.realizes { realize(others, missing: missing) }
        guard !batches.prefetched.isEmpty else { return true }
        do {
            try prefetch(batches.prefetched, [object] + others, object.layout)
        } catch {
            failures.reads.record(error)
        }
        return true
    }

    /// Realizes faults whose rows were read together. Rows that are missing aren't read again, so that they don't bring
    /// the others here a second time.
    private func realize(_ faults: [NSManagedObject], missing: [Bool]) {
        for (fault, isMissing) in zip(faults, missing) where fault.state.isFault && !fault.state.contains(.firing) {
            if isMissing {
                handleMissingRow(of: fault)
            } else if fault.rowValues == nil {
                continue
            }
            if fault.state.isFault { fault.realize() }
        }
    }

    /// Makes objects faults without values again: those without unsaved changes that nothing but the array holds.
    private func letGo(_ rows: Range<Int>, of slab: RowSlab, in table: RegistryTable) {
        var last: RowSlab?
        for row in rows {
            guard let object = table.objectHeldOnce(for: slab.reference(row)), !object.state.hasChanges,
                !object.state.contains(.firing),
                let values = object.slab, values !== slab, values.hasValues
            else { continue }
            if values !== last {
                source.cohorts.forget(values)
                last = values
            }
            object.turnIntoFault()
            object.adopt(slab, row: row)
        }
    }
}

/// What is logged and watched when faults are filled from a store.
extension NSManagedObjectContext {
    /// Whether anybody wants to know.
    @inline(__always)
    static var reportsFaults: Bool { FaultMonitor.isOn || SQLLog.launched != nil }

    /// Notes that the store gave the row of a fault, with those of its siblings.
    @inline(never)
    final func reportRows(of object: NSManagedObject, count: Int) {
        if let log = SQLLog.launched, log.level >= .faults {
            log.write("fault: \(object.objectID.uriRepresentation()) filled from the store, with \(count - 1) others")
        }
        guard count == 1, FaultMonitor.isOn else { return }
        if let walk = source.cohorts.lastWalk, walk.leads(to: object, from: walk.row),
            let relationship = walk.slot.relationship
        {
            FaultMonitor.recordSingleFault(of: relationship.declaringEntityName, relationship: relationship.name)
        } else {
            FaultMonitor.recordSingleFault(of: object.layout.name, relationship: nil)
        }
    }

    /// Notes that the store gave the members of a to-many, with those of the object's siblings.
    @inline(never)
    final func reportMembers(of object: NSManagedObject, _ relationship: RelationshipLayout, owners: Int) {
        if let log = SQLLog.launched, log.level >= .faults {
            log.write(
                "fault: \(relationship.name) of \(object.objectID.uriRepresentation()) filled from the store, with "
                    + "\(owners - 1) others")
        }
        guard owners == 1, FaultMonitor.isOn else { return }
        FaultMonitor.recordSingleFault(of: relationship.declaringEntityName, relationship: relationship.name)
    }
}

extension RelationshipLayout {
    /// The name of the entity that declares the relationship.
    fileprivate var declaringEntityName: String { description.entity.name ?? owner.name }
}
