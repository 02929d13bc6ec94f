/// Some rows whose objects are being made, and the memory that these go to.
///
/// Used on the context's queue while the memory is being filled.
struct RowsInMaking {
    let table: RegistryTable
    let slab: RowSlab
    /// The first row.
    let first: Int
    /// Where the first row's object goes; the others follow.
    let destination: UnsafeMutablePointer<NSManagedObject>
    /// The rows for which no object was registered, a bit for each.
    var missing: UInt64 = 0

    /// How many rows there are at most.
    static let limit = UInt64.bitWidth

    init(table: RegistryTable, slab: RowSlab, first: Int, destination: UnsafeMutablePointer<NSManagedObject>) {
        self.table = table
        self.slab = slab
        self.first = first
        self.destination = destination
    }

    /// Calls `body` with the row and object of each row that was missing, once all are there.
    @inline(__always)
    func forEachMissing(_ body: (Int, NSManagedObject) -> Void) {
        var rest = missing
        while rest != 0 {
            let offset = rest.trailingZeroBitCount
            rest &= rest &- 1
            body(first &+ offset, destination[offset])
        }
    }

    /// Registers the objects that were made for rows before one.
    ///
    /// - Parameter unmade: Rows whose objects were not made yet.
    func register(before row: Int, except unmade: UInt64 = 0) {
        var rest = missing & ~unmade
        while rest != 0 {
            let offset = rest.trailingZeroBitCount
            rest &= rest &- 1
            if first + offset >= row { return }
            if destination[offset].table === table { table.put(destination[offset]) }
        }
    }
}
