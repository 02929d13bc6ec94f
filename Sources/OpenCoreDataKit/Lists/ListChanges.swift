public import Foundation

/// The changes of one batch to a list of sections and rows.
///
/// The rules are those of UIKit's batch updates: deleted sections, deleted rows, the sources of moves and updated rows
/// refer to the list before the batch; inserted sections, inserted rows and the targets of moves to the list after it.
/// Everything else keeps its order. Each row of the old list occurs at most once.
///
/// The rows of deleted and inserted sections are included, so that ``applied(to:element:)`` can make the new list from
/// the old one. ``folded`` leaves them out.
public struct ListChanges: Hashable, Sendable, Codable {
    /// A row that has moved.
    public struct Move: Hashable, Sendable, Codable {
        /// The index path in the old list.
        public var from: IndexPath
        /// The index path in the new list.
        public var to: IndexPath

        /// Creates a move.
        ///
        /// Both may be equal: a row can stay at its index path while others move past it.
        ///
        /// - Parameters:
        ///   - from: The index path in the old list.
        ///   - to: The index path in the new list.
        public init(from: IndexPath, to: IndexPath) {
            self.from = from
            self.to = to
        }
    }

    /// Deleted sections, by ascending index in the old list.
    public var deletedSections: [Int]
    /// Inserted sections, by ascending index in the new list.
    public var insertedSections: [Int]
    /// Deleted rows, by ascending index path in the old list.
    public var deletedRows: [IndexPath]
    /// Inserted rows, by ascending index path in the new list.
    public var insertedRows: [IndexPath]
    /// Moved rows, whose content may have changed as well, by ascending target.
    public var movedRows: [Move]
    /// Rows whose content changed but not their position, by ascending index path in the old list.
    public var updatedRows: [IndexPath]

    /// Creates a batch. Each list may be in any order.
    ///
    /// The lists are sorted as the properties say. Nothing is checked: use ``check(from:to:)`` with the numbers of
    /// rows, or ``applied(to:element:)``, which throws for an impossible batch.
    ///
    /// - Parameters:
    ///   - deletedSections: The indexes of deleted sections, before the batch.
    ///   - insertedSections: The indexes of inserted sections, after the batch.
    ///   - deletedRows: The index paths of deleted rows, before the batch.
    ///   - insertedRows: The index paths of inserted rows, after the batch.
    ///   - movedRows: The rows that move.
    ///   - updatedRows: The index paths of changed rows.
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

    /// Whether the batch has no changes.
    public var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && deletedRows.isEmpty && insertedRows.isEmpty
            && movedRows.isEmpty && updatedRows.isEmpty
    }

    /// Whether sections or rows are inserted, deleted or moved.
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

    /// The batch without the rows of deleted and inserted sections, which a collection view must not receive.
    ///
    /// A move out of a deleted section becomes an insertion, and a move into an inserted section a deletion.
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

    /// The batch with each move as a deletion and an insertion.
    public var withoutMoves: ListChanges {
        var result = self
        result.movedRows = []
        result.deletedRows = (deletedRows + movedRows.map(\.from)).sorted()
        result.insertedRows = (insertedRows + movedRows.map(\.to)).sorted()
        return result
    }
}

extension ListChanges: CustomStringConvertible {
    /// All changes in one line.
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
