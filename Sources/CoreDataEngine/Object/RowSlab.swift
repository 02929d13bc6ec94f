package import Foundation

/// Many rows in a few blocks of memory: what a fetch returns and what clean objects read from.
///
/// A row is the null mask, the reference (`Z_PK`), the entity index and version (`Z_OPT`) together, and then one word
/// for each slot; see `RowPointer`. Rows are in blocks that never move after the slab is filled, and strings and data
/// in blocks of their own, so that an object can read its row without the slab.
///
/// One thread fills a slab. After that it is never written to, and any thread may read it.
// @unchecked Sendable because nothing writes after the thread that filled it handed it on.
package final class RowSlab: @unchecked Sendable {
    /// The entity that was requested; rows may be of its subentities.
    package let entity: EntityLayout
    package let slotCount: Int
    @exclusivity(unchecked) package private(set) var count = 0
    /// Whether rows carry values, or identity and version alone.
    package let hasValues: Bool
    /// When the rows were read, for `stalenessInterval`; seconds since the reference date.
    package var timestamp: Double = 0
    /// Where large binary values are kept, for a slab whose values of externally stored attributes are as the column has
    /// them. Such a value is read from its file when it is used.
    package var externalData: ExternalData?
    /// For the rows of a batched fetch, which have no values: how they get them. `nil`: by the context's own measure.
    var batches: RowBatches?
    /// For the rows of a child context: what they have of the parent's.
    var origin: ParentOrigin?
    /// The cache that knows the rows; they are taken out when the slab goes away.
    var cache: RowCache?
    /// The number under which the cache knows the slab.
    var cacheNumber: UInt32 = 0

    /// Values that can't be what their attributes' types say. `nil` for sound rows.
    @exclusivity(unchecked) package private(set) var damage: DamagedValues?

    private let maskWords: Int
    private let stride: Int
    /// Whether rows begin with the default values of transient attributes: no store has other values for them.
    private let fillsTransientSlots: Bool
    // Exclusivity is not checked at run time below: nothing that is called while a row is filled comes back to the slab.
    @exclusivity(unchecked) private var blocks: RowBlocks
    @exclusivity(unchecked) private var arena: ByteArena
    @exclusivity(unchecked) private var row: UnsafeMutablePointer<UInt64>

    package init(entity: EntityLayout, hasValues: Bool = true, expectedCount: Int = 16) {
        self.entity = entity
        self.hasValues = hasValues
        slotCount = hasValues ? entity.widestSlotCount : 0
        maskWords = (slotCount + 63) / 64
        stride = maskWords + RowPointer.headerWords + slotCount
        fillsTransientSlots = hasValues && entity.fillsTransientSlots
        blocks = RowBlocks(stride: stride, expectedCount: expectedCount)
        arena = ByteArena(expectedCount: hasValues ? expectedCount * 32 : 0)
        row = blocks.row(0) + maskWords
        TryRetain.watch(self)
    }

    deinit {
        TryRetain.forget(self)
        cache?.remove(self)
    }

    /// About how much memory the rows take, in bytes.
    var byteCount: Int { count * stride * MemoryLayout<UInt64>.stride + arena.allocatedBytes }

    // MARK: Filling

    /// No row can be saved after this version, and none has a higher one.
    package static var lastVersion: Int64 { Int64(Int32.max) }

    /// A version as it stands in a store: one that is damaged counts as the last.
    @inline(__always)
    package static func version(_ stored: Int64) -> Int64 {
        UInt64(bitPattern: stored) < UInt64(Int32.max) ? stored : lastVersion
    }

    /// Begins the next row, all its slots null but for defaults of transient attributes, and makes it the current one.
    @inline(__always)
    package func appendRow(reference: Int64, entityIndex: Int, version: Int64) {
        row = blocks.append(count) + maskWords
        for word in 1..<maskWords + 1 { row[-word] = 0 }
        row[0] = UInt64(bitPattern: reference)
        row[1] = UInt64(UInt32(truncatingIfNeeded: entityIndex)) << 32 | UInt64(UInt32(truncatingIfNeeded: version))
        count += 1
        if fillsTransientSlots { setTransientDefaults(entityIndex) }
    }

    @inline(never)
    private func setTransientDefaults(_ entityIndex: Int) {
        entity.model.entities[entityIndex].forEachTransientDefault { set($0, $1) }
    }

    @inline(__always)
    package func setInteger(_ slot: Int, _ value: Int64) {
        row[-1 - slot &>> 6] |= 1 &<< UInt64(slot & 63)
        row[RowPointer.headerWords + slot] = UInt64(bitPattern: value)
    }

    @inline(__always)
    package func setDouble(_ slot: Int, _ value: Double) {
        setInteger(slot, Int64(bitPattern: value.bitPattern))
    }

    /// Sets a string (UTF-8) or data.
    @inline(__always)
    package func setBytes(_ slot: Int, _ bytes: UnsafeRawBufferPointer) {
        setInteger(slot, Int64(Int(bitPattern: arena.append(bytes))))
    }

    /// Notes that the current row has no value in a slot because what the store has there is damaged.
    @inline(never)
    package func setDamage(_ slot: Int, _ value: DamagedValue) {
        if damage == nil { damage = DamagedValues() }
        damage?.append(value, row: count - 1, slot: slot)
    }

    /// Puts the rows in another order, before the slab is handed on.
    ///
    /// - Parameter order: For each row its present index.
    func reorder(_ order: [Int]) {
        var sorted = RowBlocks(stride: stride, expectedCount: order.count)
        for (index, source) in order.enumerated() {
            sorted.append(index).update(from: blocks.row(source), count: stride)
        }
        blocks = sorted
        damage = damage?.reordered(order)
        count = order.count
        row = blocks.row(0) + maskWords
    }

    // MARK: Reading

    /// A row; valid while the slab lives.
    @inline(__always)
    func pointer(_ row: Int) -> RowPointer { RowPointer(words: UnsafePointer(blocks.row(row) + maskWords)) }

    /// A row's values; `nil` for a slab without.
    @inline(__always)
    func values(_ row: Int) -> RowPointer? { hasValues ? pointer(row) : nil }

    @inline(__always)
    package func reference(_ row: Int) -> Int64 { pointer(row).reference }

    @inline(__always)
    package func entityIndex(_ row: Int) -> Int { pointer(row).entityIndex }

    /// The optimistic lock, `Z_OPT`.
    @inline(__always)
    package func version(_ row: Int) -> Int64 { pointer(row).version }

    @inline(__always)
    package func isNull(_ row: Int, _ slot: Int) -> Bool { !hasValues || pointer(row).isNull(slot) }

    @inline(__always)
    package func integer(_ row: Int, _ slot: Int) -> Int64 { pointer(row).integer(slot) }

    @inline(__always)
    package func double(_ row: Int, _ slot: Int) -> Double { pointer(row).double(slot) }

    /// The bytes of a string or data slot; valid while the slab lives.
    @inline(__always)
    package func bytes(_ row: Int, _ slot: Int) -> UnsafeBufferPointer<UInt8> { pointer(row).bytes(slot) }

    @inline(__always)
    package func string(_ row: Int, _ slot: Int) -> String { pointer(row).string(slot) }

    package func data(_ row: Int, _ slot: Int) -> Data { Data(bytes(row, slot)) }

    // MARK: Property values

    /// The value of a slot. A decimal is stored as a string in the arena, a UUID as 16 bytes, a URI as its string, a
    /// transformable as its archived bytes (`data`).
    ///
    /// - Throws: `CocoaError` that names the file, for a value in a file of its own that can't be read, or the object and
    ///   the property, for a damaged one.
    package func value(_ row: Int, _ slot: SlotLayout) throws -> PropertyValue {
        let index = slot.index
        if isNull(row, index) {
            try requireSound(row, index)
            return .null
        }
        switch slot.kind {
        case .integer16, .integer32, .integer64, .boolean: return .integer(integer(row, index))
        case .double, .float, .date: return .double(double(row, index))
        case .string: return .string(string(row, index))
        case .uri:
            if let url = URL(string: string(row, index)) { return .uri(url) }
        case .uuid:
            if let uuid = uuid(row, index) { return .uuid(uuid) }
        case .decimal:
            let digits = string(row, index)
            if let number = Decimal(shortestString: digits) { return .decimal(DecimalBox(number)) }
            if digits == Decimal.nan.description { return .null }
        case .data where externalData != nil && slot.isExternal:
            return .data(try externalValue(row, slot))
        case .composite:
            try requireSound(row, index)
            return .data(data(row, index))
        case .data, .transformable, .objectID, .undefined: return .data(data(row, index))
        case .toOne: return .reference(destination(row, slot))
        }
        throw DamagedValue(
            entity: entity.model.entities[entityIndex(row)].name, property: slot.name, reference: reference(row),
            found: slot.kind == .uuid ? "bytes" : "text", expected: DamagedValue.expected(slot.kind),
            path: externalData?.storePath
        ).error
    }

    private func requireSound(_ row: Int, _ slot: Int) throws {
        if let damaged = damage?[row, slot].first { throw damaged.error }
    }

    /// Whether what the store has for any slot of any row is damaged.
    @inline(__always)
    var hasDamage: Bool { damage != nil }

    /// Whether what the store has for a slot is damaged.
    @inline(__always)
    package func isDamaged(_ row: Int, _ slot: Int) -> Bool { damage?[row, slot].isEmpty == false }

    /// What can be read of a damaged slot: the sound elements of a composite attribute.
    func soundPart(_ row: Int, _ slot: SlotLayout) -> PropertyValue {
        slot.kind == .composite && !isNull(row, slot.index) ? .data(data(row, slot.index)) : .null
    }

    /// Notes for the current row the damage of a row of another slab, but for slots that have other values now.
    func adoptDamage(of row: Int, in other: RowSlab, besides isReplaced: (Int) -> Bool) {
        guard let damage = other.damage else { return }
        for (slot, value) in damage.of(row: row) where !isReplaced(slot) { setDamage(slot, value) }
    }

    /// The value of an externally stored attribute that is not null.
    ///
    /// - Throws: `CocoaError` that names the file when it cannot be read.
    private func externalValue(_ row: Int, _ slot: SlotLayout) throws -> Data {
        let column = data(row, slot.index)
        return try externalData?.decode(column) ?? column
    }

    /// The destination of a to-one slot that is not null.
    package func destination(_ row: Int, _ slot: SlotLayout) -> ObjectReference {
        let entity: Int
        if let entitySlot = slot.entitySlot, !isNull(row, entitySlot) {
            entity = Int(integer(row, entitySlot))
        } else {
            entity = slot.relationship?.destinationIndex ?? 0
        }
        return ObjectReference(reference: integer(row, slot.index), entityIndex: Int32(truncatingIfNeeded: entity))
    }

    private func uuid(_ row: Int, _ slot: Int) -> UUID? {
        let source = bytes(row, slot)
        guard source.count == 16 else { return nil }
        return UUID(uuid: UnsafeRawBufferPointer(source).loadUnaligned(as: uuid_t.self))
    }

    /// Appends a row with the given values by slot; slots beyond `values` stay null.
    package func append(
        reference: Int64, entity: EntityLayout, version: Int64, values: ContiguousArray<PropertyValue>
    ) {
        appendRow(reference: reference, entityIndex: entity.index, version: version)
        for slot in entity.slotInfos where slot.index < values.count {
            set(slot.index, entitySlot: slot.entitySlot, values[slot.index])
        }
    }

    /// Sets a slot of the current row.
    package func set(_ slot: SlotLayout, _ value: PropertyValue) {
        set(slot.index, entitySlot: slot.entitySlot ?? -1, value)
    }

    private func set(_ index: Int, entitySlot: Int, _ value: PropertyValue) {
        switch value {
        case .null, .object, .transformed: break
        case .integer(let value): setInteger(index, value)
        case .double(let value): setDouble(index, value)
        case .string(let value): setString(index, value)
        case .uri(let value): setString(index, value.absoluteString)
        case .decimal(let box): setString(index, box.value.description)
        case .data(let value): value.withUnsafeBytes { setBytes(index, $0) }
        case .uuid(let value): withUnsafeBytes(of: value.uuid) { setBytes(index, $0) }
        case .reference(let target):
            setInteger(index, target.reference)
            if entitySlot >= 0 { setInteger(entitySlot, Int64(target.entityIndex)) }
        }
    }

    private func setString(_ slot: Int, _ string: String) {
        var string = string
        string.withUTF8 { setBytes(slot, UnsafeRawBufferPointer($0)) }
    }
}
