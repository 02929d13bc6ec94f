public import Foundation

extension ListChanges {
    /// An error for a batch that doesn't match its list, or breaks the rules of batches.
    public struct Violation: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
        /// A sentence that names the position.
        public let description: String

        /// Creates a violation.
        ///
        /// The description is also the error's localized description.
        ///
        /// - Parameter description: A sentence that names the position.
        public init(_ description: String) { self.description = description }

        /// The description.
        public var errorDescription: String? { description }
    }

    /// Returns the list after the batch. This is the reference implementation for every surface.
    ///
    /// The batch is checked against the old list first. Rows that the batch doesn't mention are kept as they are;
    /// `element` isn't called for them.
    ///
    /// ```swift
    /// let changes = ListChanges(deletedRows: [[0, 1]], insertedRows: [[0, 0]])
    /// let new = try changes.applied(to: [["b", "c"]]) { _ in "a" }  // [["a", "b"]]
    /// ```
    ///
    /// - Parameters:
    ///   - sections: The list before the batch.
    ///   - element: The content of a row that was inserted, moved or updated, by its index path in the new list.
    /// - Returns: The new list.
    /// - Throws: A ``Violation`` if an index is out of bounds or occurs twice, or the error that `element` throws.
    public func applied<Element>(
        to sections: [[Element]], element: (IndexPath) throws -> Element
    ) throws -> [[Element]] {
        try checkRows(against: sections.map(\.count))
        var result = sections
        let removed = removedRows
        for (section, rows) in removed {
            let leaving = Set(rows)
            var kept: [Element] = []
            kept.reserveCapacity(sections[section].count - rows.count)
            for (row, element) in sections[section].enumerated() where !leaving.contains(row) { kept.append(element) }
            result[section] = kept
        }
        for section in deletedSections.reversed() { result.remove(at: section) }
        for section in insertedSections {
            guard section <= result.count else {
                throw Violation("Section \(section) is inserted into a list of \(result.count) sections.")
            }
            result.insert([], at: section)
        }
        try insertRows(into: &result, element)
        for path in updatedRowsAfter { result[path.section][path.row] = try element(path) }
        return result
    }

    /// Rows that leave their position, by section.
    private var removedRows: [Int: [Int]] {
        var removed: [Int: [Int]] = [:]
        for path in deletedRows { removed[path.section, default: []].append(path.row) }
        for move in movedRows { removed[move.from.section, default: []].append(move.from.row) }
        return removed
    }

    private func insertRows<Element>(into result: inout [[Element]], _ element: (IndexPath) throws -> Element) throws {
        let inserted = Dictionary(grouping: insertedRows + movedRows.map(\.to), by: \.section)
        for (section, paths) in inserted {
            guard result.indices.contains(section) else {
                throw Violation("A row is inserted into section \(section) of \(result.count).")
            }
            let base = result[section]
            var rows: [Element] = []
            rows.reserveCapacity(base.count + paths.count)
            var next = base.startIndex
            for path in paths.sorted() {
                let between = path.row - rows.count
                guard between >= 0 else { throw Violation("Row \(path) of the new list is inserted twice.") }
                guard base.count - next >= between else {
                    throw Violation("Row \(path) is inserted beyond the end of its section.")
                }
                rows += base[next..<next + between]
                next += between
                rows.append(try element(path))
            }
            rows += base[next...]
            result[section] = rows
        }
    }

    /// Checks everything that the old list's counts can show.
    func checkRows(against counts: [Int]) throws {
        for (index, section) in deletedSections.enumerated() {
            guard counts.indices.contains(section) else {
                throw Violation("Section \(section) is deleted from a list of \(counts.count) sections.")
            }
            if index > 0, deletedSections[index - 1] == section {
                throw Violation("Section \(section) is deleted twice.")
            }
        }
        for (index, section) in insertedSections.enumerated() {
            if section < 0 { throw Violation("Section \(section) is inserted.") }
            if index > 0, insertedSections[index - 1] == section {
                throw Violation("Section \(section) is inserted twice.")
            }
        }
        let gone = Set(deletedSections)
        var seen: Set<IndexPath> = []
        for path in deletedRows + movedRows.map(\.from) + updatedRows {
            guard path.count == 2, counts.indices.contains(path.section), path.row >= 0,
                path.row < counts[path.section]
            else { throw Violation("The old list has no row \(path).") }
            guard seen.insert(path).inserted else { throw Violation("Row \(path) of the old list is changed twice.") }
        }
        for path in updatedRows where gone.contains(path.section) {
            throw Violation("Row \(path) is updated in a section that is deleted.")
        }
        for path in insertedRows + movedRows.map(\.to) where path.count != 2 || path.section < 0 || path.row < 0 {
            throw Violation("The new list has no row \(path).")
        }
    }

    /// Checks the batch by the rule of UIKit's batch updates: the number of rows of each section before, minus the
    /// deleted rows, plus the inserted rows, is the number of rows after.
    ///
    /// Only the numbers are compared, so a batch with the right numbers and wrong rows passes. Sections that are
    /// inserted may have any number of rows that the batch doesn't mention.
    ///
    /// - Parameters:
    ///   - old: The number of rows of each section before.
    ///   - new: The number of rows of each section after.
    /// - Throws: A ``Violation`` that names the section and the numbers.
    public func check(from old: [Int], to new: [Int]) throws {
        try checkRows(against: old)
        let expected = old.count - deletedSections.count + insertedSections.count
        guard expected == new.count else {
            throw Violation(
                "\(old.count) sections, \(deletedSections.count) deleted and \(insertedSections.count) inserted, are "
                    + "not the \(new.count) that there are now.")
        }
        var leaving: [Int: Int] = [:]
        var coming: [Int: Int] = [:]
        for path in deletedRows + movedRows.map(\.from) { leaving[path.section, default: 0] += 1 }
        for path in insertedRows + movedRows.map(\.to) {
            guard new.indices.contains(path.section), path.row < new[path.section] else {
                throw Violation("The new list has no row \(path).")
            }
            coming[path.section, default: 0] += 1
        }
        let positions = ListPositions(self)
        for section in old.indices {
            guard let target = positions.newSection(of: section), new.indices.contains(target) else { continue }
            let count = old[section] - leaving[section, default: 0] + coming[target, default: 0]
            guard count == new[target] else {
                throw Violation(
                    "Section \(section) had \(old[section]) rows, of which \(leaving[section, default: 0]) go and "
                        + "\(coming[target, default: 0]) come; that makes \(count), not the \(new[target]) that there "
                        + "are now.")
            }
        }
    }
}
