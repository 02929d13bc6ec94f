/// Notes, while a whole table is read, which rows belong to which of the owners that were asked for.
final class OwnerCollector {
    /// The column of the owner among those that are read.
    let column: Int32
    // Exclusivity is not checked at run time below: every row passes here, and nothing comes back.
    /// By reference: the owner's place among those asked for, -1 for others.
    @exclusivity(unchecked) private var places: [Int32]
    private let owners: [Int64]
    /// For each row taken: its owner's place.
    @exclusivity(unchecked) private var ownerOfRow: [Int32] = []

    init(_ owners: [Int64], column: Int32) {
        self.owners = owners
        self.column = column
        places = Array(repeating: -1, count: Int(max(owners.max() ?? 0, 0)) + 1)
        for (place, owner) in owners.enumerated() where owner >= 0 { places[Int(owner)] = Int32(place) }
    }

    /// The place of an owner among those asked for; negative for others.
    @inline(__always)
    func place(of owner: Int64) -> Int32 { owner >= 0 && owner < places.count ? places[Int(owner)] : -1 }

    /// Counts the next row as one of an owner's.
    @inline(__always)
    func append(_ place: Int32) { ownerOfRow.append(place) }

    /// Puts the rows that were taken together by owner.
    func group(_ slab: RowSlab) -> ToManyRows {
        var ends = [Int](repeating: 0, count: owners.count)
        for place in ownerOfRow { ends[Int(place)] += 1 }
        var start = 0
        var ranges: [Range<Int>] = []
        for place in ends.indices {
            ranges.append(start..<start + ends[place])
            start += ends[place]
        }
        var next = ranges.map(\.lowerBound)
        var order = [Int](repeating: 0, count: ownerOfRow.count)
        for (row, place) in ownerOfRow.enumerated() {
            order[next[Int(place)]] = row
            next[Int(place)] += 1
        }
        slab.reorder(order)
        return ToManyRows(
            rows: slab, ranges: owners.map { $0 >= 0 ? ranges[Int(places[Int($0)])] : slab.count..<slab.count })
    }
}
