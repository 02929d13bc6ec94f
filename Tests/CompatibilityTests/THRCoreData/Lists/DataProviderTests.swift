import THRCoreData
import TestSupport
import Testing

/// Providers of objects, and the updates that they hand over.
@MainActor struct DataProviderTests {
    private func songs(_ studio: Studio, _ list: KeyValuePairs<String, String>) {
        for (key, genre) in list {
            Song.insertObject(withUniqueKeyValue: key, inContext: studio.main) { $0.genre = genre }
        }
        studio.main.processPendingChanges()
    }

    // Feature THR-27, THR-28
    @Test(arguments: StoreKind.usual) func aProviderTellsWhatItHas(_ kind: StoreKind) async throws {
        let studio = try Studio(kind)
        songs(studio, ["a": "Rock", "b": "Jazz", "c": "Rock"])
        try await studio.save(studio.main)
        let screen = SongScreen(studio.main, cacheName: nil)
        let provider: SongScreen.Provider = screen.provider
        #expect(provider.numberOfSections == 2 && provider.fetchedObjectsCount == 3 && !provider.isEmpty)
        #expect(provider.fetchedObjects?.map(\.uniqueIDValue) == ["b", "a", "c"])
        #expect(provider.sectionNameKeyPath == "genre" && provider.cacheName == nil)
        #expect(provider.sectionIndexTitles == ["J", "R"])
        #expect((0...2).map { provider.numberOfItems(in: $0) } == [1, 2, 0])
        #expect(provider.numberOfItems(in: -1) == 0)
        #expect((-1...2).map { provider.name(in: $0) } == [nil, "Jazz", "Rock", nil])
        #expect(provider.sectionInfo(forSection: 1)?.numberOfObjects == 2 && provider.sectionInfo(forSection: 2) == nil)
        let path = IndexPath(row: 1, section: 1)
        #expect(provider.object(at: path).uniqueIDValue == "c")
        #expect(provider.indexPath(forObject: provider.object(at: path)) == path)
        #expect(provider.section(forSectionIndexTitle: "R", at: 1) == 1)
        #expect(provider.fetchedResultsController.delegate != nil)
        #expect(screen.updates.isEmpty)
    }

    // Feature THR-27
    @Test func aPathThatIsNotThereStopsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await MainActor.run {
                let studio = try Studio(.inMemory)
                for key in ["a", "b"] { Song.insertObject(withUniqueKeyValue: key, inContext: studio.main) }
                _ = SongScreen(studio.main).provider.object(at: IndexPath(row: 2, section: 0))
            }
        }
        #expect(said(result).contains("[0, 2]: the sections have [2] objects"))
    }

    /// Words, by hand.
    final class Word {
        var text: String
        init(_ text: String) { self.text = text }
    }

    final class WordCell { var text = "" }

    @MainActor final class Words: DataProvider {
        var sections: [[Word]] = [[Word("one"), Word("two")]]

        var numberOfSections: Int { sections.count }
        func numberOfItems(in section: Int) -> Int { sections.indices.contains(section) ? sections[section].count : 0 }
        func name(in section: Int) -> String? { "Words \(section)" }
        func object(at indexPath: IndexPath) -> Word { sections[indexPath.section][indexPath.row] }
        func indexPath(forObject object: Word) -> IndexPath? {
            for (section, words) in sections.enumerated() {
                if let row = words.firstIndex(where: { $0 === object }) { return IndexPath(row: row, section: section) }
            }
            return nil
        }
    }

    /// Needs no more than two functions.
    @MainActor final class WordScreen: DataSourceDelegate {
        func cellIdentifier(forObject object: Word) -> String { "word" }
        func configure(cell: WordCell, forObject object: Word) { cell.text = object.text }
    }

    // Feature THR-27, THR-31
    @Test func aProviderMadeByHandDrivesATable() {
        let (words, screen, table) = (Words(), WordScreen(), HeadlessTable())
        table.register("word") { WordCell() }
        let source = TableViewDataSource(tableView: table, dataProvider: words, delegate: screen)
        func texts() -> [[String]] { table.cells(WordCell.self).map { $0.map(\.text) } }
        #expect(texts() == [["one", "two"]])
        #expect(words.fetchedObjectsCount == 2 && !words.isEmpty && words.fetchedObjects?.count == 2)
        #expect(words.sectionNameKeyPath == nil && words.sectionIndexTitles.isEmpty && words.cacheName == nil)
        #expect(words.section(forSectionIndexTitle: "W", at: 4) == 4 && words.sectionInfo(forSection: 0) == nil)
        words.sections[0].insert(Word("zero"), at: 0)
        words.sections.append([Word("other")])
        source.processUpdates(updates: [
            .insert(at: IndexPath(row: 0, section: 0)), .insertSection(at: 1),
            .insert(at: IndexPath(row: 0, section: 1)),
        ])
        #expect(texts() == [["zero", "one", "two"], ["other"]])
        #expect(table.surface.violations.isEmpty && table.surface.batches.count == 1)
        // Steps that don't go with what there is.
        words.sections[0].removeAll()
        source.processUpdates(updates: [.delete(at: IndexPath(row: 7, section: 0))])
        #expect(texts() == [[], ["other"]])
        #expect(table.surface.violations.isEmpty && table.surface.batches.count == 1)

        // What the delegate leaves out.
        let path = IndexPath(row: 0, section: 1)
        #expect(screen.emptyView() == nil && !source.canEditRow(at: path) && !source.canMoveRow(at: path))
        #expect(source.sectionIndexTitles == nil)
        #expect(source.titleForHeader(in: 1) == nil && source.titleForFooter(in: 1) == nil)
        source.commit(editingStyle: .delete, forRowAt: path)
        source.move(rowAt: path, to: path)
        #expect(texts() == [[], ["other"]])
    }

    // MARK: Fetched results

    // Feature THR-28
    @Test func updatesComeOnceForEachSave() async throws {
        let studio = try Studio(.sqlite)
        let screen = SongScreen(studio.main)
        let background = studio.background
        await background.perform {
            for number in 0..<50 {
                Song.insertObject(withUniqueKeyValue: "s\(number)", inContext: background) { $0.genre = "Rock" }
            }
        }
        try await studio.save(background)
        #expect(screen.updates.count == 1)
        #expect(screen.updates.first??.count == 51)
        await background.perform {
            Song.fetchObject(withUniqueKeyValue: "s7", inContext: background)?.title = "Changed"
        }
        try await studio.save(background)
        #expect(screen.updates.count == 2)
        guard case .update(_, let song) = screen.updates.last??.first else {
            Issue.record("There was no update, but \(screen.updates)")
            return
        }
        #expect(song.title == "Changed" && screen.mirror == screen.wanted)
    }

    // Feature THR-28
    @Test func aDelegateThatIsGoneHearsNothing() async throws {
        let studio = try Studio(.inMemory)
        var screen: SongScreen? = SongScreen(studio.main)
        weak let gone = screen
        let provider = try #require(screen?.provider)
        screen = nil
        #expect(gone == nil)
        songs(studio, ["a": "Rock"])
        #expect(provider.fetchedObjectsCount == 1)
    }

    // Feature THR-28
    @Test func aRequestThatCantBeCarriedOutIsThrownOrStopsTheProgram() async throws {
        let studio = try Studio(.sqlite)
        let screen = SongScreen(studio.main)
        let controller = NSFetchedResultsController(
            fetchRequest: Song.fetchRequest(), managedObjectContext: studio.main, sectionNameKeyPath: nil,
            cacheName: nil)
        // There is no order.
        #expect(throws: (any Error).self) { try SongScreen.Provider(fetching: controller, delegate: screen) }
        let other = NSFetchedResultsController(
            fetchRequest: Song.sortedFetchRequest, managedObjectContext: studio.background, sectionNameKeyPath: nil,
            cacheName: nil)
        #expect(throws: DatabaseError.self) { try SongScreen.Provider(fetching: other, delegate: screen) }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await MainActor.run {
                let studio = try Studio(.inMemory)
                let controller = NSFetchedResultsController(
                    fetchRequest: Song.fetchRequest(), managedObjectContext: studio.main, sectionNameKeyPath: nil,
                    cacheName: nil)
                _ = SongScreen.Provider(fetchedResultsController: controller, delegate: SongScreen(studio.main))
            }
        }
        #expect(said(result).contains("The data provider of Song can't fetch"))
    }

    // Feature THR-28
    @Test func aContextThatWasResetIsAskedAgain() async throws {
        let studio = try Studio(.sqlite)
        try await studio.fill(["a", "b"])
        let screen = SongScreen(studio.main)
        let source = screen.showTable()
        studio.main.reset()
        #expect(screen.updates.map { $0 == nil } == [true])
        #expect(screen.texts == screen.wanted && screen.texts.joined().count == 2)
        withExtendedLifetime(source) {}
    }

    // Feature THR-29
    @Test(arguments: [3, 17]) func updatesMakeTheNewListOfTheOldOne(_ seed: UInt64) throws {
        let studio = try Studio(.inMemory)
        let screen = SongScreen(studio.main)
        var songs = RandomSongs(context: studio.main, dice: Dice(state: seed))
        for step in 0..<150 {
            songs.change()
            // The provider has what a fetch has, and the list what the provider has.
            let fetched = Song.fetch(inContext: studio.main) { $0.sortDescriptors = SongScreen.order }
            guard screen.mirror == screen.wanted, screen.provider.fetchedObjects == fetched else {
                Issue.record("Step \(step): \(screen.mirror) instead of \(screen.wanted)")
                return
            }
        }
        let steps = screen.updates.compactMap(\.self).joined()
        func has(_ kind: (DataProviderUpdate<Song>) -> Bool) -> Bool { steps.contains(where: kind) }
        #expect(has { if case .move(let old, let new) = $0 { old != new } else { false } })
        #expect(has { if case .update = $0 { true } else { false } })
        #expect(has { if case .insertSection = $0 { true } else { false } })
        #expect(has { if case .deleteSection = $0 { true } else { false } })
        #expect(!screen.updates.contains { $0 == nil })
    }

    // Feature THR-30
    @Test func theRequestCanBeChangedInPlace() async throws {
        let studio = try Studio(.sqlite)
        songs(studio, ["a": "Rock", "b": "Jazz", "c": "Rock"])
        try await studio.save(studio.main)
        let cacheName = "THR-30 \(UUID().uuidString)"
        let screen = SongScreen(studio.main, cacheName: cacheName)
        let source = screen.showTable()
        #expect(screen.texts.joined().count == 3)
        screen.provider.reconfigureFetchRequest { request in
            request.predicate = NSPredicate(format: "genre == 'Rock'")
        }
        #expect(screen.updates.map { $0 == nil } == [true])
        #expect(screen.provider.fetchedObjects?.map(\.uniqueIDValue) == ["a", "c"])
        #expect(screen.texts == screen.wanted && screen.texts.count == 1)
        // Changes are followed as before.
        songs(studio, ["d": "Rock", "e": "Jazz"])
        #expect(screen.updates.count == 2 && screen.texts == screen.wanted && screen.texts.joined().count == 3)
        #expect(throws: (any Error).self) {
            try screen.provider.refetch { $0.sortDescriptors = [NSSortDescriptor(key: "shoeSize", ascending: true)] }
        }
        NSFetchedResultsController<Song>.deleteCache(withName: cacheName)
        withExtendedLifetime(source) {}
    }
}
