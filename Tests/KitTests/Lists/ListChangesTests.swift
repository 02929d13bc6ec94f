import Foundation
import OpenCoreDataKit
import TestSupport
import Testing

@Suite struct ListChangesTests {
    private func path(_ section: Int, _ row: Int) -> IndexPath { IndexPath(row: row, section: section) }

    @Test func stepsCountInTheListBeforeOrAfter() throws {
        let changes = ListChanges(
            deletedSections: [0], insertedSections: [1], deletedRows: [path(0, 0), path(1, 2)],
            insertedRows: [path(1, 0)], movedRows: [ListChanges.Move(from: path(1, 0), to: path(0, 1))],
            updatedRows: [path(1, 1)])
        let old = [["a"], ["b", "c", "d", "e"]]
        let new = [["c2", "b2", "e"], ["f"]]
        #expect(try changes.applied(to: old) { new[$0.section][$0.row] } == new)
        #expect(changes.updatedRowsAfter == [path(0, 0)])
        try changes.check(from: old.map(\.count), to: new.map(\.count))
    }

    @Test func stepsAreGivenInAnyOrder() throws {
        let changes = ListChanges(deletedRows: [path(0, 2), path(0, 0)], insertedRows: [path(0, 3), path(0, 0)])
        #expect(changes.deletedRows == [path(0, 0), path(0, 2)])
        let new = [["x", "b", "d", "y"]]
        #expect(try changes.applied(to: [["a", "b", "c", "d"]]) { new[$0.section][$0.row] } == new)
    }

    @Test(arguments: [
        ListChanges(deletedSections: [2]), ListChanges(insertedSections: [3]), ListChanges(deletedSections: [0, 0]),
        ListChanges(deletedRows: [[0, 3]]), ListChanges(deletedRows: [[0, 1], [0, 1]]),
        ListChanges(deletedRows: [[0, 1]], updatedRows: [[0, 1]]),
        ListChanges(deletedRows: [[0, 0]], movedRows: [ListChanges.Move(from: [0, 0], to: [1, 0])]),
        ListChanges(insertedRows: [[0, 5]]), ListChanges(insertedRows: [[0, 1], [0, 1]]),
        ListChanges(insertedRows: [[2, 0]]), ListChanges(deletedRows: [[0, -1]]), ListChanges(deletedRows: [[0]]),
        ListChanges(insertedRows: [[0, -1]]), ListChanges(insertedSections: [-1]),
        ListChanges(deletedSections: [0], updatedRows: [[0, 0]]),
    ])
    func aBatchThatBreaksTheRulesIsRefused(_ changes: ListChanges) {
        #expect(throws: ListChanges.Violation.self) {
            try changes.applied(to: [["a", "b", "c"], ["d"]]) { _ in "new" }
        }
    }

    @Test func countsThatDoNotAddUpAreRefused() throws {
        let changes = ListChanges(deletedRows: [path(0, 0)])
        try changes.check(from: [2], to: [1])
        #expect(throws: ListChanges.Violation.self) { try changes.check(from: [2], to: [2]) }
        #expect(throws: ListChanges.Violation.self) { try changes.check(from: [2], to: [1, 1]) }
        #expect(throws: ListChanges.Violation.self) {
            try ListChanges(insertedRows: [path(0, 7)]).check(from: [2], to: [3])
        }
    }

    @Test func rowsOfSectionsThatGoOrComeAreFolded() {
        let changes = ListChanges(
            deletedSections: [0], insertedSections: [1], deletedRows: [path(0, 0), path(1, 0)],
            insertedRows: [path(1, 0), path(0, 0)],
            movedRows: [
                ListChanges.Move(from: path(0, 1), to: path(0, 1)), ListChanges.Move(from: path(1, 1), to: path(1, 1)),
                ListChanges.Move(from: path(0, 2), to: path(1, 2)), ListChanges.Move(from: path(1, 3), to: path(0, 2)),
            ])
        let folded = changes.folded
        #expect(folded.deletedRows == [path(1, 0), path(1, 1)])
        #expect(folded.insertedRows == [path(0, 0), path(0, 1)])
        #expect(folded.movedRows == [ListChanges.Move(from: path(1, 3), to: path(0, 2))])
        #expect(folded.withoutMoves.deletedRows == [path(1, 0), path(1, 1), path(1, 3)])
    }

    @Test func aMoveInPlaceIsAnUpdateUnlessRowsWerePassed() {
        let inPlace = ListChanges(movedRows: [ListChanges.Move(from: path(0, 1), to: path(0, 1))])
        #expect(inPlace.withMovesInPlaceAsUpdates == ListChanges(updatedRows: [path(0, 1)]))
        // x y z becomes z y x, told as moves of y and z.
        let turned = ListChanges(movedRows: [
            ListChanges.Move(from: path(0, 1), to: path(0, 1)), ListChanges.Move(from: path(0, 2), to: path(0, 0)),
        ])
        #expect(turned.withMovesInPlaceAsUpdates == turned)
        // The index is the same, the section is another one.
        let sections = ListChanges(
            deletedSections: [0], insertedSections: [0], movedRows: [ListChanges.Move(from: path(0, 0), to: path(0, 0))]
        )
        #expect(sections.withMovesInPlaceAsUpdates == sections)
    }

    @Test func itIsCodableAndSaysWhatItDoes() throws {
        let changes = ListChanges(
            insertedSections: [1], insertedRows: [path(1, 0)], movedRows: [ListChanges.Move(from: [0, 2], to: [0, 0])])
        let data = try JSONEncoder().encode(changes)
        #expect(try JSONDecoder().decode(ListChanges.self, from: data) == changes)
        #expect("\(changes)" == "sections inserted 1; inserted 1.0; moved 0.2 to 0.0")
        #expect("\(ListChanges())" == "no changes")
        #expect(ListChanges().isEmpty && !changes.isEmpty)
    }

    /// Comparing two random lists gives a batch that makes one of the other, by all ways of carrying it out.
    @Test func comparingGivesABatchThatLeadsFromOneListToTheOther() throws {
        var (generator, _) = SeededGenerator.make("ListChangesTests comparing")
        for _ in 0..<4000 {
            let (old, oldNames) = list(&generator)
            let (new, newNames) = list(&generator)
            let names = generator.below(2) == 0
            let changes = ListChanges(
                from: old, to: new, oldNames: names ? oldNames : nil, newNames: names ? newNames : nil,
                updated: Set((0..<generator.below(6)).map { _ in generator.below(30) }))
            try #require(try changes.applied(to: old) { new[$0.section][$0.row] } == new)
            for batch in [changes, changes.folded, changes.withoutMoves, changes.withoutMoves.folded] {
                try batch.check(from: old.map(\.count), to: new.map(\.count))
            }
            for (before, after) in zip(changes.updatedRows, changes.updatedRowsAfter) {
                try #require(old[before.section][before.row] == new[after.section][after.row])
            }
        }
    }

    /// Sections of different numbers, in few lists with a number twice.
    private func list(_ generator: inout SeededGenerator) -> ([[Int]], [String]) {
        var numbers = Array((0..<30).shuffled(using: &generator).prefix(generator.below(25)))
        if generator.below(5) == 0, let first = numbers.first { numbers.append(first) }
        let names = ["a", "b", "c", "d"].shuffled(using: &generator).prefix(generator.below(5))
        guard !names.isEmpty else { return ([], []) }
        var rows = [[Int]](repeating: [], count: names.count)
        for number in numbers { rows[generator.below(names.count)].append(number) }
        return (rows, Array(names))
    }

    @Test func fewRowsMove() {
        let old = [Array(0..<100)]
        var new = old
        new[0].swapAt(0, 99)
        #expect(ListChanges(from: old, to: new).movedRows.count == 2)
        new = [[99] + Array(0..<99)]
        #expect(ListChanges(from: old, to: new).movedRows == [ListChanges.Move(from: [0, 99], to: [0, 0])])
    }
}
