import Foundation

extension ListChanges {
    /// Creates the batch between two lists.
    ///
    /// As few rows as possible are moved. Costs O(n log n).
    ///
    /// - Parameters:
    ///   - old: The identities of the rows of each section before.
    ///   - new: The identities of the rows of each section after.
    ///   - oldNames: The names of the sections before. Sections with the same name are the same. Without names, or if a
    ///     name occurs twice, sections are matched by index.
    ///   - newNames: The names of the sections after.
    ///   - updated: The rows whose content changed.
    public init<ID: Hashable>(
        from old: [[ID]], to new: [[ID]], oldNames: [String]? = nil, newNames: [String]? = nil,
        updated: Set<ID> = []
    ) {
        self.init()
        let kept = addSections(old.count, new.count, oldNames, newNames)
        let oldRows = Self.positions(of: old)
        let newRows = Self.positions(of: new)
        var stays: [Int: [(from: IndexPath, to: IndexPath, isUpdated: Bool)]] = [:]
        for (row, path) in oldRows {
            guard let target = newRows[row] else {
                deletedRows.append(path)
                continue
            }
            if kept[path.section] == target.section {
                stays[path.section, default: []].append((path, target, updated.contains(row.id)))
            } else {
                movedRows.append(Move(from: path, to: target))
            }
        }
        for (row, path) in newRows where oldRows[row] == nil { insertedRows.append(path) }
        for section in stays.values {
            let rows = section.sorted { $0.from.row < $1.from.row }
            var inOrder = [Bool](repeating: false, count: rows.count)
            for offset in OrderKeeping.longestIncreasing(rows.map(\.to.row)) { inOrder[offset] = true }
            for (row, isInOrder) in zip(rows, inOrder) {
                if !isInOrder {
                    movedRows.append(Move(from: row.from, to: row.to))
                } else if row.isUpdated {
                    updatedRows.append(row.from)
                }
            }
        }
        self = ListChanges(
            deletedSections: deletedSections, insertedSections: insertedSections, deletedRows: deletedRows,
            insertedRows: insertedRows, movedRows: movedRows, updatedRows: updatedRows)
    }

    /// - Returns: The new index of the sections that stay, by old index.
    private mutating func addSections(_ old: Int, _ new: Int, _ oldNames: [String]?, _ newNames: [String]?) -> [Int:
        Int]
    {
        guard let oldNames, let newNames, Set(oldNames).count == old, Set(newNames).count == new else {
            let stay = min(old, new)
            deletedSections = Array(stay..<old)
            insertedSections = Array(stay..<new)
            return Dictionary(uniqueKeysWithValues: (0..<stay).map { ($0, $0) })
        }
        let targets = Dictionary(uniqueKeysWithValues: newNames.enumerated().map { ($0.element, $0.offset) })
        let common = oldNames.enumerated().compactMap { offset, name in targets[name].map { (offset, $0) } }
        var kept: [Int: Int] = [:]
        for position in OrderKeeping.longestIncreasing(common.map(\.1)) {
            kept[common[position].0] = common[position].1
        }
        let stayed = Set(kept.values)
        deletedSections = (0..<old).filter { kept[$0] == nil }
        insertedSections = (0..<new).filter { !stayed.contains($0) }
        return kept
    }

    /// A row, and which of those with the same identity: a list may show one thing twice.
    private struct Row<ID: Hashable>: Hashable {
        let id: ID
        var occurrence = 0
    }

    private static func positions<ID: Hashable>(of sections: [[ID]]) -> [Row<ID>: IndexPath] {
        var result: [Row<ID>: IndexPath] = [:]
        result.reserveCapacity(sections.reduce(0) { $0 + $1.count })
        var repeated: [ID: Int] = [:]
        for (section, rows) in sections.enumerated() {
            for (offset, id) in rows.enumerated() {
                var row = Row(id: id)
                if result[row] != nil {
                    row.occurrence = repeated[id, default: 0] + 1
                    repeated[id] = row.occurrence
                }
                result[row] = IndexPath(row: offset, section: section)
            }
        }
        return result
    }
}
