import Foundation

/// Where the rows stand after a batch that stay through it.
struct ListPositions {
    private let deletedSections: [Int]
    private let insertedSections: [Int]
    /// Rows that leave their position, by old section, and rows that come to one, by new section; both in rising order.
    private var removed: [Int: [Int]] = [:]
    private var inserted: [Int: [Int]] = [:]

    init(_ changes: ListChanges) {
        deletedSections = changes.deletedSections
        insertedSections = changes.insertedSections
        for path in changes.deletedRows { removed[path.section, default: []].append(path.row) }
        for path in changes.insertedRows { inserted[path.section, default: []].append(path.row) }
        for move in changes.movedRows {
            removed[move.from.section, default: []].append(move.from.row)
            inserted[move.to.section, default: []].append(move.to.row)
        }
        for key in removed.keys { removed[key]?.sort() }
        for key in inserted.keys { inserted[key]?.sort() }
    }

    /// The new index of a section; `nil` for one that goes.
    func newSection(of old: Int) -> Int? {
        Self.position(of: old, removed: deletedSections, inserted: insertedSections)
    }

    /// The new index path of a row; `nil` for one that goes or moves.
    func new(of old: IndexPath) -> IndexPath? {
        guard let section = newSection(of: old.section),
            let row = Self.position(of: old.row, removed: removed[old.section] ?? [], inserted: inserted[section] ?? [])
        else { return nil }
        return IndexPath(row: row, section: section)
    }

    /// How many of the rows before one are there before and after the batch, by what is known from the old list.
    func keptBefore(old path: IndexPath) -> Int {
        path.row - OrderKeeping.countBelow(path.row, removed[path.section] ?? [])
    }

    /// The same by what is known from the new list.
    func keptBefore(new path: IndexPath) -> Int {
        path.row - OrderKeeping.countBelow(path.row, inserted[path.section] ?? [])
    }

    private static func position(of old: Int, removed: [Int], inserted: [Int]) -> Int? {
        let below = OrderKeeping.countBelow(old, removed)
        if below < removed.count, removed[below] == old { return nil }
        // The insertions that stand before it: each pushes it one further, and so may come before a further one.
        let rank = old - below
        var low = 0
        var high = inserted.count
        while low < high {
            let middle = (low + high) / 2
            if inserted[middle] - middle <= rank { low = middle + 1 } else { high = middle }
        }
        return rank + low
    }
}
