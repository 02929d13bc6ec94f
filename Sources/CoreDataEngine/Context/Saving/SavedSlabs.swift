import Foundation

/// The rows that a save wrote, one slab for each tree of entities.
struct SavedSlabs {
    private struct Position {
        let object: NSManagedObject
        let slab: RowSlab
        let row: Int
    }

    /// By the index of the root entity.
    private var slabs: ContiguousArray<RowSlab?> = []
    /// The same for rows whose values in files of their own stay there.
    private var slabsWithFiles: [Int: RowSlab] = [:]
    private var latest: RowSlab?
    private var positions: ContiguousArray<Position> = []
    private var derived: [Key: [(slot: Int, value: PropertyValue)]] = [:]
    /// Of rows that don't just count their changes.
    private var versions: [Key: Int64] = [:]
    private(set) var written: Set<Key> = []

    struct Key: Hashable {
        let root: Int
        let reference: Int64
    }

    init(derived changes: [DerivedChange], expectedCount: Int) {
        positions.reserveCapacity(expectedCount)
        for change in changes {
            let key = Key(root: change.entity.root.index, reference: change.reference)
            switch change.content {
            case .version(let version): versions[key] = version
            case .value(let value, let slot): derived[key, default: []].append((slot, value))
            }
        }
    }

    mutating func append(
        _ object: NSManagedObject, reference: Int64, version: Int64, values: ContiguousArray<PropertyValue>
    ) {
        append(object, reference: reference, version: version, values: values, to: slab(for: object.layout.root))
    }

    private mutating func append(
        _ object: NSManagedObject, reference: Int64, version: Int64, values: ContiguousArray<PropertyValue>,
        to slab: RowSlab
    ) {
        var values = values
        override(&values, object, reference)
        let version = versions[Key(root: object.layout.root.index, reference: reference)] ?? version
        slab.append(reference: reference, entity: object.layout, version: version, values: values)
        slab.adoptDamage(of: object)
        positions.append(Position(object: object, slab: slab, row: slab.count - 1))
    }

    /// Appends the present values of an object.
    mutating func append(_ object: NSManagedObject, reference: Int64, version: Int64) {
        if let files = object.slab?.externalData, object.layout.hasExternalSlots {
            append(
                object, reference: reference, version: version, values: object.columnValues,
                to: slabWithFiles(for: object.layout.root, files))
            return
        }
        if derived.isEmpty, versions.isEmpty {
            let slab = slab(for: object.layout.root)
            slab.append(object, reference: reference, version: version)
            positions.append(Position(object: object, slab: slab, row: slab.count - 1))
            return
        }
        var values = ContiguousArray<PropertyValue>(repeating: .null, count: object.layout.slotCount)
        for case let slot? in object.layout.slots where !slot.isTransient {
            values[slot.index] = object.savedValue(slot)
        }
        append(object, reference: reference, version: version, values: values)
    }

    private mutating func override(
        _ values: inout ContiguousArray<PropertyValue>, _ object: NSManagedObject, _ reference: Int64
    ) {
        guard !derived.isEmpty else { return }
        let key = Key(root: object.layout.root.index, reference: reference)
        written.insert(key)
        for change in derived[key] ?? [] where change.slot < values.count { values[change.slot] = change.value }
    }

    private mutating func slab(for root: EntityLayout) -> RowSlab {
        if let latest, latest.entity === root { return latest }
        while slabs.count <= root.index { slabs.append(nil) }
        let slab = slabs[root.index] ?? RowSlab(entity: root)
        slabs[root.index] = slab
        latest = slab
        return slab
    }

    private mutating func slabWithFiles(for root: EntityLayout, _ files: ExternalData) -> RowSlab {
        if let slab = slabsWithFiles[root.index] { return slab }
        let slab = RowSlab(entity: root)
        slab.externalData = files
        slabsWithFiles[root.index] = slab
        return slab
    }

    /// Lets the objects read from the new rows, which become the newest, in place of their edits.
    ///
    /// - Parameter moment: From before they were saved.
    func adopt(in store: any RowStore, since moment: RowCache.Moment) {
        for slab in slabs.compactMap({ $0 }) + slabsWithFiles.values {
            store.rowCache.register(slab, since: moment)
            store.rowCache.recordSaved(slab)
        }
        for position in positions {
            position.object.adopt(position.slab, row: position.row)
            position.object.commitEdits()
        }
    }
}

extension NSManagedObject {
    /// The present value of a slot in the form that rows have, objects by the numbers that they have or will have.
    fileprivate final func savedValue(_ slot: SlotLayout) -> PropertyValue {
        // What is damaged stays as it is in the store.
        if !hasEdit(slot.index), let slab, slab.isDamaged(Int(row), slot.index) {
            return slab.soundPart(Int(row), slot)
        }
        return (try? SavePlanBuilder.stored(currentValue(slot.index), slot)) ?? .null
    }

    /// The present values in the form of the row, which has the names of files in place of the values in them: none is
    /// read.
    fileprivate final var columnValues: ContiguousArray<PropertyValue> {
        var values = ContiguousArray<PropertyValue>(repeating: .null, count: layout.slotCount)
        for case let slot? in layout.slots where !slot.isTransient {
            guard slot.isExternal else {
                values[slot.index] = savedValue(slot)
                continue
            }
            if let edit = edit(slot.index) {
                if case .data(let data) = edit { values[slot.index] = .data(ExternalData.column(for: data)) }
            } else if let slab, !slab.isNull(Int(row), slot.index) {
                values[slot.index] = .data(slab.data(Int(row), slot.index))
            }
        }
        return values
    }
}

extension RowSlab {
    /// Appends the present values of an object. What was not edited goes from row to row without becoming a value
    /// between.
    fileprivate func append(_ object: NSManagedObject, reference: Int64, version: Int64) {
        appendRow(reference: reference, entityIndex: object.layout.index, version: version)
        // Values that are kept in files stand in a fetched row as the names of these.
        let isPlain = object.slab?.externalData == nil
        for info in object.layout.slotInfos where !info.isTransient {
            if let row = object.rowValues, isPlain || info.kind != .data, !object.hasEdit(info.index) {
                copy(info, from: row)
            } else if let slot = object.layout.slots[info.index] {
                set(slot, object.savedValue(slot))
            }
        }
        adoptDamage(of: object)
    }

    /// Notes for the current row what is damaged in that of an object, and wasn't replaced.
    fileprivate func adoptDamage(of object: NSManagedObject) {
        guard let slab = object.slab, slab.damage != nil else { return }
        adoptDamage(of: Int(object.row), in: slab) { object.hasEdit($0) }
    }

    private func copy(_ info: SlotInfo, from row: RowPointer) {
        guard !row.isNull(info.index) else { return }
        switch info.kind {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .date:
            setInteger(info.index, row.integer(info.index))
        case .toOne:
            setInteger(info.index, row.integer(info.index))
            if info.entitySlot >= 0, !row.isNull(info.entitySlot) {
                setInteger(info.entitySlot, row.integer(info.entitySlot))
            }
        case .string, .data, .uuid, .uri, .decimal, .transformable, .objectID, .composite, .undefined:
            setBytes(info.index, UnsafeRawBufferPointer(row.bytes(info.index)))
        }
    }
}

extension RowCache {
    /// A row that a trigger changed and the save itself did not write is out of date.
    func forgetIfOlder(_ change: DerivedChange, than saved: SavedSlabs) {
        let key = SavedSlabs.Key(root: change.entity.root.index, reference: change.reference)
        if !saved.written.contains(key) { forget(reference: change.reference, root: change.entity.root) }
    }
}
