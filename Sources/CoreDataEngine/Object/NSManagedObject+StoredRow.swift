/// The row that an object's values stand in, for what writes many objects out and needs no value of its own for each.
package struct StoredRow {
    /// The rows; keep it while the values are read.
    package let slab: RowSlab
    /// Which of them.
    package let row: Int
}

extension NSManagedObject {
    /// The row that the object was read from; `nil` for an object that has changes or was never saved, and for one whose
    /// row can't be read. Fires a fault.
    ///
    /// Called on the context's queue.
    package var storedRow: StoredRow? {
        if rowWord & 1 != 0 { willAccessValue(forKey: nil) }
        guard rowWord & 1 == 0, let slab, slab.hasValues else { return nil }
        return StoredRow(slab: slab, row: Int(row))
    }

    /// What the object's entity looks like in a row.
    package var rowLayout: EntityLayout { layout }
}
