#if PostgreSQL
import Foundation
import OpenCoreData

/// The rows whose derived attributes a batch has touched, found while it runs and computed at its end.
struct BatchDerivedRows {
    private let work: PostgreSQLBatchWork
    private let attributes: [DerivedAttribute]
    /// By attribute: for each of its touches the keys of changed rows.
    private var keys: [[[Int64]]]

    init(_ work: PostgreSQLBatchWork) {
        self.work = work
        attributes = work.runtime.derived
        keys = attributes.map { Array(repeating: [], count: $0.touches.count) }
    }

    /// Notes rows that were inserted.
    mutating func didInsert(_ rows: [Int64], root: EntityLayout) {
        note(rows, root) { _ in true }
    }

    /// Notes rows some of whose columns were changed, in a table.
    mutating func didUpdate(_ rows: [Int64], root: EntityLayout, table: String, columns: [String]) {
        let names = Set(columns.map { DerivedAttribute.name($0, in: table) })
        note(rows, root) { $0.columns?.isDisjoint(with: names) != true }
    }

    /// Notes rows whose references were emptied because what they referred to goes. That is no change of the rows.
    mutating func didEmpty(_ rows: [Int64], root: EntityLayout, table: String, column: String) {
        note(rows, root) { $0.columns?.contains(DerivedAttribute.name(column, in: table)) == true }
    }

    private mutating func note(
        _ rows: [Int64], _ root: EntityLayout, where matters: (DerivedAttribute.Touch) -> Bool
    ) {
        guard !rows.isEmpty else { return }
        for (index, attribute) in attributes.enumerated() {
            for (number, touch) in attribute.touches.enumerated()
            where touch.root == root.root.index && matters(touch) {
                keys[index][number] += rows
            }
        }
    }

    /// Whether rows have to be known before some of their columns change, as others lose them as members.
    func dependsOnFormerValues(table: String, columns: [String], root: EntityLayout) -> Bool {
        let names = Set(columns.map { DerivedAttribute.name($0, in: table) })
        return attributes.contains { attribute in
            attribute.touches.dropFirst().contains {
                $0.root == root.root.index && $0.columns?.isDisjoint(with: names) == false
            }
        }
    }

    /// Finds the rows that are touched by rows which are about to be deleted, or to change.
    ///
    /// - Parameter rows: The keys of those, as a list or a select in parentheses.
    mutating func willChange(_ rows: String, root: EntityLayout) throws {
        for (index, attribute) in attributes.enumerated() {
            for touch in attribute.touches.dropFirst() where touch.root == root.root.index {
                try work.run(attribute.touchedRows(touch, keys: rows)).forEachRow {
                    keys[index][0].append(try $0.integer(0))
                }
            }
        }
    }

    /// Computes what was touched, and what depends on that in turn.
    mutating func compute() throws {
        for _ in attributes.indices {
            let known = keys
            let indexes = attributes.indices.filter { known[$0].contains { !$0.isEmpty } }
            guard !indexes.isEmpty else { return }
            keys = attributes.map { Array(repeating: [], count: $0.touches.count) }
            let statements = indexes.compactMap { index in
                var next = -1
                return attributes[index].statement { _ in
                    next += 1
                    return known[index][next]
                }
            }
            for (index, result) in zip(indexes, try work.connection.pipeline(statements)) {
                let attribute = attributes[index]
                var changed: [Int64] = []
                try result.forEachRow { row in
                    changed.append(try row.integer(0))
                    work.store.rowCache.forget(reference: try row.integer(0), root: attribute.entity.layout.root)
                }
                note(changed, attribute.entity.layout) { $0.columns?.contains(attribute.columnName) == true }
            }
        }
    }
}
#endif
