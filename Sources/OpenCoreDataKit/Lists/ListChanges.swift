public import Foundation

/// What one batch did to a list of sections and rows.
///
/// The rules are those of UIKit's batch updates: deleted sections, deleted rows, the sources of moves and updated rows
/// count in the list before the batch; inserted sections, inserted rows and the targets of moves in the list after it.
/// What is not named keeps its order. Each row of the old list has at most one fate.
///
/// The rows of a section that goes or comes are named like all others, so that ``applied(to:element:)`` can make the
/// new list of the old one. Surfaces that want them left out ask for ``folded``.
public struct ListChanges: Hashable, Sendable, Codable {
    /// A row that stands elsewhere now.
    public struct Move: Hashable, Sendable, Codable {
        /// Where it was, in the old list.
        public var from: IndexPath
        /// Where it is, in the new list.
        public var to: IndexPath

        /// Makes a move.
        public init(from: IndexPath, to: IndexPath) {
            self.from = from
            self.to = to
        }
    }

    /// Sections that went, by their index in the old list, in rising order.
    public var deletedSections: [Int]
    /// Sections that came, by their index in the new list, in rising order.
    public var insertedSections: [Int]
    /// Rows that went, by their index path in the old list, in rising order.
    public var deletedRows: [IndexPath]
    /// Rows that came, by their index path in the new list, in rising order.
    public var insertedRows: [IndexPath]
    /// Rows that stand elsewhere, perhaps with other content, by rising targets.
    public var movedRows: [Move]
    /// Rows with other content that kept their position, by the index path in the old list, in rising order.
    public var updatedRows: [IndexPath]

    /// Makes a batch; each list may be given in any order.
    public init(
        deletedSections: [Int] = [], insertedSections: [Int] = [], deletedRows: [IndexPath] = [],
        insertedRows: [IndexPath] = [], movedRows: [Move] = [], updatedRows: [IndexPath] = []
    ) {
        self.deletedSections = deletedSections.sorted()
        self.insertedSections = insertedSections.sorted()
        self.deletedRows = deletedRows.sorted()
        self.insertedRows = insertedRows.sorted()
        self.movedRows = movedRows.sorted { $0.to < $1.to }
        self.updatedRows = updatedRows.sorted()
    }

    /// Whether the batch does nothing.
    public var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && deletedRows.isEmpty && insertedRows.isEmpty
            && movedRows.isEmpty && updatedRows.isEmpty
    }

    /// Whether sections or rows come, go or move.
    public var changesPositions: Bool {
        !(deletedSections.isEmpty && insertedSections.isEmpty && deletedRows.isEmpty && insertedRows.isEmpty
            && movedRows.isEmpty)
    }

    /// The updated rows by their index path in the new list, in the order of ``updatedRows``.
    public var updatedRowsAfter: [IndexPath] {
        if !changesPositions { return updatedRows }
        let positions = ListPositions(self)
        return updatedRows.compactMap { positions.new(of: $0) }
    }

    /// The batch without the rows of sections that go or come, which a collection view must not get.
    ///
    /// A move out of a section that goes is an insertion, one into a section that comes a deletion.
    public var folded: ListChanges {
        let gone = Set(deletedSections)
        let come = Set(insertedSections)
        var result = self
        result.deletedRows.removeAll { gone.contains($0.section) }
        result.insertedRows.removeAll { come.contains($0.section) }
        result.movedRows.removeAll { gone.contains($0.from.section) || come.contains($0.to.section) }
        for move in movedRows {
            switch (gone.contains(move.from.section), come.contains(move.to.section)) {
            case (true, false): result.insertedRows.append(move.to)
            case (false, true): result.deletedRows.append(move.from)
            default: continue
            }
        }
        result.insertedRows.sort()
        result.deletedRows.sort()
        return result
    }

    /// The batch with each move as a deletion and an insertion, as table views took them before they could move rows.
    public var withoutMoves: ListChanges {
        var result = self
        result.movedRows = []
        result.deletedRows = (deletedRows + movedRows.map(\.from)).sorted()
        result.insertedRows = (insertedRows + movedRows.map(\.to)).sorted()
        return result
    }
}

extension ListChanges: CustomStringConvertible {
    /// All steps in one line.
    public var description: String {
        func string(_ path: IndexPath) -> String { path.map(String.init).joined(separator: ".") }
        var parts: [String] = []
        func add(_ name: String, _ steps: [String]) {
            if !steps.isEmpty { parts.append("\(name) \(steps.joined(separator: ", "))") }
        }
        add("sections deleted", deletedSections.map { String($0) })
        add("sections inserted", insertedSections.map { String($0) })
        add("deleted", deletedRows.map(string))
        add("inserted", insertedRows.map(string))
        add("moved", movedRows.map { "\(string($0.from)) to \(string($0.to))" })
        add("updated", updatedRows.map(string))
        return parts.isEmpty ? "no changes" : parts.joined(separator: "; ")
    }
}
