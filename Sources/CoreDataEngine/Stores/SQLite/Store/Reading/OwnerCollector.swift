/// Notes, while a whole table is read, which rows belong to which of the owners that were asked for.
final class OwnerCollector {
    /// The column of the owner among those that are read.
    let column: Int32
    // Exclusivity is not checked at run time below: every row passes here, and nothing comes back.
    /// By reference: the owner's index among those asked for, -1 for others.
    @exclusivity(unchecked) private var indexes: [Int32]
    private let owners: [Int64]
    /// For each row taken: its owner's index.
    @exclusivity(unchecked) private var ownerOfRow: [Int32] = []

    init(_ owners: [Int64], column: Int32) {
        self.owners = owners
        self.column = column
        indexes = Array(repeating: -1, count: Int(max(owners.max() ?? 0, 0)) + 1)
        for (index, owner) in owners.enumerated() where owner >= 0 { indexes[Int(owner)] = Int32(index) }
    }

    /// The index of an owner among those asked for; negative for others.
    @inline(__always)
    func index(of owner: Int64) -> Int32 { owner >= 0 && owner < indexes.count ? indexes[Int(owner)] : -1 }

    /// Counts the next row as one of an owner's.
    @inline(__always)
    func append(_ index: Int32) { ownerOfRow.append(index) }

    /// Puts the rows that were taken together by owner.
    func group(_ slab: RowSlab) -> ToManyRows {
        var ends = [Int](repeating: 0, count: owners.count)
        for index in ownerOfRow { ends[Int(index)] += 1 }
        var start = 0
        var ranges: [Range<Int>] = []
        for index in ends.indices {
            ranges.append(start..<start + ends[index])
            start += ends[index]
        }
        var next = ranges.map(\.lowerBound)
        var order = [Int](repeating: 0, count: ownerOfRow.count)
        for (row, index) in ownerOfRow.enumerated() {
            order[next[Int(index)]] = row
            next[Int(index)] += 1
        }
        slab.reorder(order)
        return ToManyRows(
            rows: slab, ranges: owners.map { $0 >= 0 ? ranges[Int(indexes[Int($0)])] : slab.count..<slab.count })
    }
}
