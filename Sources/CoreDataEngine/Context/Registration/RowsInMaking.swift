/// Some rows whose objects are being made, and the places in memory that these go to.
///
/// Used on the context's queue while the memory is being filled.
struct RowsInMaking {
    let table: RegistryTable
    let slab: RowSlab
    /// The first row.
    let first: Int
    /// The place of the first row's object.
    let places: UnsafeMutablePointer<NSManagedObject>
    /// The rows for which no object was registered, a bit for each.
    var missing: UInt64 = 0

    /// How many rows there are at most.
    static let limit = UInt64.bitWidth

    init(table: RegistryTable, slab: RowSlab, first: Int, places: UnsafeMutablePointer<NSManagedObject>) {
        self.table = table
        self.slab = slab
        self.first = first
        self.places = places
    }

    /// Calls `body` with the row and object of each row that was missing, once all are there.
    @inline(__always)
    func forEachMissing(_ body: (Int, NSManagedObject) -> Void) {
        var rest = missing
        while rest != 0 {
            let offset = rest.trailingZeroBitCount
            rest &= rest &- 1
            body(first &+ offset, places[offset])
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
            if places[offset].table === table { table.put(places[offset]) }
        }
    }
}
