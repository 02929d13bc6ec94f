/// Destinations of to-manys that were read for the siblings of the object whose fault fired, until these ask.
struct CohortCache {
    private struct Key: Hashable {
        let slab: ObjectIdentifier
        let relationship: ObjectIdentifier
    }

    private struct Entry {
        /// Kept so that the identifier stays this slab's.
        let owners: RowSlab
        var destinations: RowSlab
        var ranges: [Int: Range<Int>]
    }

    private var entries: [Key: Entry] = [:]
    /// The to-one that led to an object without a row last.
    private(set) var lastWalk: ToOneWalk?
    /// Rows of to-one destinations that haven't been read yet.
    private var held: [RowSlab] = []
    private static let heldCount = 8

    /// The destinations for the owner in a row of a slab, taken out: the owner keeps them from now on.
    mutating func take(_ relationship: RelationshipLayout, slab: RowSlab, row: Int) -> (RowSlab, Range<Int>)? {
        let key = Key(slab: ObjectIdentifier(slab), relationship: ObjectIdentifier(relationship))
        guard let range = entries[key]?.ranges.removeValue(forKey: row), let slab = entries[key]?.destinations else {
            return nil
        }
        if entries[key]?.ranges.isEmpty == true { entries[key] = nil }
        return (slab, range)
    }

    mutating func put(_ relationship: RelationshipLayout, owners: RowSlab, rows: [Int], _ result: ToManyRows) {
        let key = Key(slab: ObjectIdentifier(owners), relationship: ObjectIdentifier(relationship))
        entries[key] = Entry(
            owners: owners, destinations: result.rows,
            ranges: Dictionary(uniqueKeysWithValues: zip(rows, result.ranges)))
    }

    /// Records that a to-one led from an object of a slab to one without a row.
    mutating func recordWalk(from slab: RowSlab, row: Int, _ slot: SlotLayout) {
        lastWalk = ToOneWalk(slab: slab, row: row, slot: slot)
    }

    /// Forgets what was read for the owners in a slab.
    mutating func forget(_ slab: RowSlab) {
        let owners = ObjectIdentifier(slab)
        if !entries.isEmpty { entries = entries.filter { $0.key.slab != owners } }
        if lastWalk?.slab === slab { lastWalk = nil }
    }

    /// Keeps rows in memory that were read ahead, until others push them out.
    mutating func hold(_ slab: RowSlab) {
        if held.count == Self.heldCount { held.removeFirst() }
        held.append(slab)
    }

    /// Forgets everything: after a save, merge or reset the rows may be old.
    mutating func removeAll() {
        entries = [:]
        held = []
        lastWalk = nil
    }
}
