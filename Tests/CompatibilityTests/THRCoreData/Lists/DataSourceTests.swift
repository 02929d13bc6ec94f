import THRCoreData
import TestSupport
import Testing

/// Tables and collections without a screen, which check every batch as UIKit would.
@MainActor struct DataSourceTests {
    // Feature THR-32
    @Test func aTableFollowsRandomChanges() throws {
        let studio = try Studio(.inMemory)
        let screen = SongScreen(studio.main)
        let source = screen.showTable()
        var songs = RandomSongs(context: studio.main, dice: Dice(state: 7))
        for step in 0..<200 {
            songs.change()
            guard screen.texts == screen.wanted, screen.table.surface.violations.isEmpty else {
                Issue.record("Step \(step): \(screen.texts) instead of \(screen.wanted)")
                return
            }
        }
        let batches = screen.table.surface.batches
        #expect(batches.count > 100 && screen.table.surface.reloads == 1)
        // Moves come as deletions and insertions; updated cells are filled again by themselves.
        #expect(batches.allSatisfy { $0.movedRows.isEmpty && $0.updatedRows.isEmpty && $0.changesPositions })
        withExtendedLifetime(source) {}
    }

    // Feature THR-33
    @Test func aCollectionFollowsRandomChanges() throws {
        let studio = try Studio(.inMemory)
        let screen = SongScreen(studio.main)
        let source = screen.showCollection()
        var songs = RandomSongs(context: studio.main, dice: Dice(state: 11))
        for step in 0..<200 {
            songs.change()
            guard screen.texts == screen.wanted, screen.table.surface.violations.isEmpty else {
                Issue.record("Step \(step): \(screen.texts) instead of \(screen.wanted)")
                return
            }
        }
        #expect(screen.table.surface.batches.contains { !$0.movedRows.isEmpty })
        withExtendedLifetime(source) {}
    }

    // Feature THR-33
    @Test func batchesOfACollectionDoNotOverlap() async throws {
        let studio = try Studio(.inMemory)
        let screen = SongScreen(studio.main)
        let source = screen.showCollection()
        let surface = screen.table.surface
        surface.completesAtOnce = false
        for key in ["a", "b", "c"] {
            Song.insertObject(withUniqueKeyValue: key, inContext: studio.main) { $0.genre = "Rock" }
            studio.main.processPendingChanges()
        }
        #expect(surface.batches.count == 1 && screen.texts.joined().count == 1)
        surface.completeBatch()
        #expect(surface.batches.count == 2 && screen.texts == screen.wanted)
        surface.completeBatch()
        #expect(!surface.isBusy && surface.violations.isEmpty)
        surface.completesAtOnce = true
        surface.isShowing = false
        Song.insertObject(withUniqueKeyValue: "d", inContext: studio.main)
        studio.main.processPendingChanges()
        #expect(surface.batches.count == 2 && surface.reloads == 2 && screen.texts == screen.wanted)
        withExtendedLifetime(source) {}
    }

    /// Three songs in a table.
    private func shown() async throws -> (Studio, SongScreen, TableViewDataSource<SongScreen, SongScreen.Provider>) {
        let studio = try Studio(.sqlite)
        try await studio.fill(["a", "b", "c"])
        let screen = SongScreen(studio.main)
        return (studio, screen, screen.showTable())
    }

    // Feature THR-32
    @Test func anUpdatedCellIsFilledAgain() async throws {
        let (studio, screen, source) = try await shown()
        let cells = screen.table.cells(SongCell.self)
        screen.table.surface.forgetEvents()
        Song.fetchObject(withUniqueKeyValue: "b", inContext: studio.main)?.title = "Changed"
        try await studio.save(studio.main)
        #expect(cells[0].map(\.fillings) == [1, 2, 1])
        #expect(cells[0][1].text.hasSuffix("Changed"))
        #expect(screen.table.surface.batches.isEmpty && screen.table.surface.reloads == 0)
        // Together with one that goes.
        Song.delete(inContext: studio.main, matchingPredicate: NSPredicate(format: "uniqueID == 'a'"))
        Song.fetchObject(withUniqueKeyValue: "c", inContext: studio.main)?.title = "Other"
        studio.main.processPendingChanges()
        #expect(screen.table.surface.batches.count == 1)
        #expect(screen.table.cells(SongCell.self)[0][1] === cells[0][2])
        #expect(cells[0][2].fillings == 2 && screen.texts == screen.wanted)
        withExtendedLifetime(source) {}
    }

    // Feature THR-32
    @Test func aTableThatNobodySeesIsReloadedOnce() async throws {
        let (studio, screen, source) = try await shown()
        screen.table.isShowing = false
        screen.table.surface.forgetEvents()
        for key in ["d", "e"] { Song.insertObject(withUniqueKeyValue: key, inContext: studio.main) }
        Song.fetchObject(withUniqueKeyValue: "a", inContext: studio.main)?.title = "Changed"
        try await studio.save(studio.main)
        #expect(screen.table.surface.batches.isEmpty && screen.table.surface.reloads == 1)
        #expect(screen.texts == screen.wanted && screen.texts.joined().count == 5)
        source.processUpdates(updates: nil)
        #expect(screen.table.surface.reloads == 2)
    }

    // Feature THR-32
    @Test func theSelectedObjectIsKnown() async throws {
        let (studio, screen, source) = try await shown()
        #expect(source.selectedObject == nil)
        screen.table.selectedIndexPath = IndexPath(row: 1, section: 0)
        #expect(source.selectedObject?.uniqueIDValue == "b")
        Song.delete(inContext: studio.main, matchingPredicate: NSPredicate(format: "uniqueID == 'a'"))
        studio.main.processPendingChanges()
        #expect(source.selectedObject?.uniqueIDValue == "b")
        #expect(source.dataProvider === screen.provider)
        Song.delete(inContext: studio.main)
        studio.main.processPendingChanges()
        #expect(source.selectedObject == nil)
    }

    // Feature THR-32
    @Test func aSourceWithoutDelegateOrTableIsSilent() async throws {
        let studio = try Studio(.inMemory)
        var screen: SongScreen? = SongScreen(studio.main)
        let (provider, table) = (try #require(screen?.provider), try #require(screen?.table))
        let source = try #require(screen?.showTable())
        weak let gone = screen
        screen = nil
        #expect(gone == nil)
        Song.insertObject(withUniqueKeyValue: "a", inContext: studio.main)
        studio.main.processPendingChanges()
        source.processUpdates(updates: [.insert(at: IndexPath(row: 0, section: 0))])
        #expect(provider.fetchedObjectsCount == 1 && table.surface.batches.isEmpty)
        #expect(source.titleForHeader(in: 0) == nil && source.selectedObject == nil)
    }

    @MainActor final class OddScreen: DataSourceDelegate {
        final class Cell {}
        var identifier = "song"
        func cellIdentifier(forObject object: Song) -> String { identifier }
        func configure(cell: Cell, forObject object: Song) {}
    }

    // Feature THR-32
    @Test(arguments: ["song", "nothing"]) func aWrongCellStopsTheProgram(_ identifier: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [identifier] in
            try await MainActor.run {
                let studio = try Studio(.inMemory)
                Song.insertObject(withUniqueKeyValue: "a", inContext: studio.main)
                let (screen, odd, table) = (SongScreen(studio.main), OddScreen(), HeadlessTable())
                odd.identifier = identifier
                table.register("song") { SongCell() }
                _ = TableViewDataSource(tableView: table, dataProvider: screen.provider, delegate: odd)
            }
        }
        let found = identifier == "song" ? "SongCell" : "nothing"
        #expect(said(result).contains("for '\(identifier)' at the index path [0, 0] is a Cell"))
        #expect(said(result).contains("gives \(found)."))
    }

    // Feature THR-34
    @Test func anEmptyTableShowsWhatTheDelegateOffers() async throws {
        let studio = try Studio(.inMemory)
        let screen = SongScreen(studio.main)
        screen.hasEmptyView = true
        let source = screen.showTable()
        #expect(screen.table.emptyView === screen.placeholder)
        Song.insertObject(withUniqueKeyValue: "a", inContext: studio.main)
        studio.main.processPendingChanges()
        #expect(screen.table.emptyView == nil)
        Song.delete(inContext: studio.main)
        studio.main.processPendingChanges()
        #expect(screen.table.emptyView === screen.placeholder)
        screen.hasEmptyView = false
        source.processUpdates(updates: nil)
        #expect(screen.table.emptyView == nil)
    }

    /// Offers everything.
    @MainActor final class FullScreen: DataSourceDelegate {
        private(set) var done: [String] = []
        func cellIdentifier(forObject object: Song) -> String { SongCell.cellIdentifier }
        func configure(cell: SongCell, forObject object: Song) { cell.text = object.title }
        func canEditRow(at indexPath: IndexPath) -> Bool { indexPath.row == 0 }
        func canMoveRow(at indexPath: IndexPath) -> Bool { indexPath.row == 1 }
        func shouldShowSectionIndexTitles() -> Bool { true }
        func commit(editingStyle: DataSourceEditingStyle, forRowAt indexPath: IndexPath) {
            done.append("\(editingStyle) \(indexPath.row)")
        }
        func move(rowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath) {
            done.append("\(sourceIndexPath.row) to \(destinationIndexPath.row)")
        }
        func titleForHeader(in section: Int) -> String? { "Over \(section)" }
        func titleForFooter(in section: Int) -> String? { "Under \(section)" }
    }

    // Feature THR-31
    @Test func theDelegateIsAskedForTheRest() async throws {
        let studio = try Studio(.inMemory)
        for (key, genre) in ["a": "Rock", "b": "Jazz", "c": "Rock"] {
            Song.insertObject(withUniqueKeyValue: key, inContext: studio.main) { $0.genre = genre }
        }
        let (screen, full) = (SongScreen(studio.main), FullScreen())
        let source = TableViewDataSource(tableView: screen.table, dataProvider: screen.provider, delegate: full)
        let paths = (0...1).map { IndexPath(row: $0, section: 0) }
        #expect(paths.map { source.canEditRow(at: $0) } == [true, false])
        #expect(paths.map { source.canMoveRow(at: $0) } == [false, true])
        #expect(source.sectionIndexTitles == ["J", "R"] && source.section(forSectionIndexTitle: "R", at: 1) == 1)
        source.commit(editingStyle: .delete, forRowAt: paths[1])
        source.move(rowAt: paths[0], to: paths[1])
        #expect(full.done == ["delete 1", "0 to 1"])
        #expect(source.titleForHeader(in: 1) == "Over 1" && source.titleForFooter(in: 1) == "Under 1")
        #expect(screen.table.surface.titles == ["Over 0", "Over 1"])
    }

    final class NamedCell: CellIdentifierType {
        static var cellIdentifier: String { "named-cell" }
    }

    // Feature THR-35
    @Test func aCellIsIdentifiedByItsClassUnlessItSaysOtherwise() {
        #expect(SongCell.cellIdentifier == "SongCell" && NamedCell.cellIdentifier == "named-cell")
    }
}
