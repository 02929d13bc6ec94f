import THRCoreData
import TestSupport
import Testing

/// Helpers of managed object classes.
@MainActor struct ObjectTests {
    // Feature THR-13
    @Test func aClassKnowsItsEntity() throws {
        let context = try Studio(.inMemory).main
        #expect(Song.entityName == "Song" && Stage.entityName == "Podium")
        #expect(Song.entity(inContext: context).name == "Song")
        #expect(Stage.entity(inContext: context).name == "Podium")
        #expect(Album.defaultSortDescriptors.isEmpty)
        #expect(Song.insertObject(inContext: context).entity.name == "Song")
        #expect(Stage.insertObject(inContext: context).entity.name == "Podium")
        #expect(Stage.count(inContext: context) == 1 && Stage.fetch(inContext: context).count == 1)
    }

    // Feature THR-13
    @Test func aClassWithoutAnEntityStopsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await MainActor.run { _ = Ghost.entity(inContext: try Studio(.inMemory).main) }
        }
        let string = said(result)
        #expect(string.contains("Ghost, of the entity 'Ghost'") && string.contains("Song"))
    }

    // Feature THR-14
    @Test func requestsHaveTheUsualOrderOrNone() throws {
        let plain = Song.fetchRequest()
        #expect(plain.entityName == "Song" && plain.sortDescriptors == nil)
        let configured: NSFetchRequest<Song> = Song.fetchRequest { $0.fetchLimit = 3 }
        #expect(configured.fetchLimit == 3 && configured.sortDescriptors == nil)
        let predicate = NSPredicate(format: "rank > 3")
        let sorted = Song.sortedFetchRequest(withPredicate: predicate)
        #expect(sorted.sortDescriptors == Song.defaultSortDescriptors && sorted.predicate == predicate)
        let all = Song.sortedFetchRequest
        #expect(all.sortDescriptors == Song.defaultSortDescriptors && all.predicate == nil)
        #expect(Album.sortedFetchRequest.sortDescriptors?.isEmpty != false)
        #expect(Stage.sortedFetchRequest().entityName == "Podium")
        let context = try Studio(.inMemory).main
        for key in ["b", "a", "c"] { Song.insertObject(withUniqueKeyValue: key, inContext: context) }
        #expect(try context.fetch(Song.sortedFetchRequest).map(\.uniqueIDValue) == ["a", "b", "c"])
    }

    // MARK: Inserting and finding

    // Feature THR-15
    @Test func insertingDoesNotLookForAnExistingObject() throws {
        let context = try Studio(.inMemory).main
        var seen: [String] = []
        let first = Song.insertObject(withUniqueKeyValue: "a", inContext: context) { song in
            seen.append(song.uniqueIDValue)
            song.title = "One"
        }
        let second = Song.insertObject(withUniqueKeyValue: "a", inContext: context)
        #expect(seen == ["a"] && first !== second && first.title == "One")
        #expect(Song.count(inContext: context) == 2)
        let third = Song.insertObject(inContext: context) { $0.title = "Three" }
        #expect(third.title == "Three" && third.managedObjectContext === context)
        #expect(Song.count(inContext: context) == 3)
    }

    // Feature THR-16
    @Test(arguments: StoreKind.usual) func keysAreTextsNumbersAndUUIDs(_ kind: StoreKind) async throws {
        let studio = try Studio(kind)
        let main = studio.main
        let code = UUID()
        Song.insertObject(withUniqueKeyValue: "a", inContext: main)
        Album.insertObject(withUniqueKeyValue: 7, inContext: main)
        Ticket.insertObject(withUniqueKeyValue: code, inContext: main)
        try await studio.save(main)
        #expect(Album.fetchObject(withUniqueKeyValue: Int64(7), inContext: main)?.uniqueIDValue == 7)
        #expect(Album.fetchObject(withUniqueKeyValue: NSNumber(value: 7), inContext: main) != nil)
        #expect(Song.fetchObject(withUniqueKeyValue: String?("a") as Any, inContext: main) != nil)
        #expect(Song.fetchObject(withUniqueKeyValue: AnyHashable("a"), inContext: main) != nil)
        main.reset()
        #expect(Song.fetchObject(withUniqueKeyValue: "a", inContext: main)?.uniqueIDValue == "a")
        #expect(Album.fetchObject(withUniqueKeyValue: 7, inContext: main)?.uniqueIDValue == 7)
        #expect(Ticket.fetchObject(withUniqueKeyValue: code, inContext: main)?.uniqueIDValue == code)
        #expect(Ticket.fetchObject(withUniqueKeyValue: UUID(), inContext: main) == nil)
        let predicates = [
            Song.uniqueObjectPredicate(withUniqueKeyValue: "a"), Album.uniqueObjectPredicate(withUniqueKeyValue: 7),
        ]
        #expect(predicates.map(\.predicateFormat) == ["uniqueID == \"a\"", "number == 7"])
        #expect(
            Ticket.count(inContext: main, matchingPredicate: Ticket.uniqueObjectPredicate(withUniqueKeyValue: code))
                == 1)
    }

    // Feature THR-16
    @Test(arguments: StoreKind.usual) func keysAreDecimalNumbers(_ kind: StoreKind) async throws {
        let studio = try Studio(kind)
        let main = studio.main
        let half = NSDecimalNumber(string: "0.5")
        Coin.insertObject(withUniqueKeyValue: half, inContext: main) { $0.name = "half" }
        Coin.fetchOrInsertObject(withUniqueKeyValue: NSDecimalNumber(string: "0.50"), inContext: main)
        #expect(Coin.fetchObject(withUniqueKeyValue: half, inContext: main)?.name == "half")
        try await studio.save(main)
        main.reset()
        #expect(Coin.materialiseObject(withUniqueKeyValue: half, inContext: main) == nil)
        #expect(Coin.fetchObject(withUniqueKeyValue: half, inContext: main)?.name == "half")
        #expect(Coin.fetchObject(withUniqueKeyValue: AnyHashable(half), inContext: main)?.name == "half")
        #expect(Coin.fetchObject(withUniqueKeyValue: Decimal(string: "0.5") as Any, inContext: main)?.name == "half")
        let rows = [("0.5", "fifty"), ("2", "two"), ("2.0", "deux")].map {
            CoinRow(uniqueIDValue: NSDecimalNumber(string: $0), name: $1)
        }
        Coin.insertOrUpdate(intermediates: rows, inContext: main) { row, coin in coin.name = row.name }
        let coins = Coin.fetch(inContext: main).sorted {
            $0.uniqueIDValue.compare($1.uniqueIDValue) == .orderedAscending
        }
        #expect(coins.map(\.name) == ["fifty", "deux"])
        #expect(coins.map(\.uniqueIDValue) == [half, 2])
    }

    // Feature THR-16
    @Test func decimalNumbersIdentifyObjectsWhoseKeysAreOtherNumbers() async throws {
        let studio = try Studio(.sqlite)
        let main = studio.main
        let tenth = NSDecimalNumber(string: "0.1")
        Album.fetchOrInsertObject(withUniqueKeyValue: NSDecimalNumber(string: "7.0"), inContext: main)
        Album.insertOrUpdate(intermediates: [7, 8].map { AlbumRow(uniqueIDValue: $0) }, inContext: main) { _, _ in }
        Scale.fetchOrInsertObject(withUniqueKeyValue: tenth, inContext: main)
        try await studio.save(main)
        main.reset()
        let seven = NSDecimalNumber(string: "7")
        let album = Album.fetchOrInsertObject(withUniqueKeyValue: seven, inContext: main)
        #expect(!album.isInserted && album.uniqueIDValue == 7)
        #expect(Album.materialiseObject(withUniqueKeyValue: Decimal(7), inContext: main) === album)
        #expect(Album.fetchObject(withUniqueKeyValue: NSDecimalNumber(string: "7.5"), inContext: main) == nil)
        #expect(!Scale.fetchOrInsertObject(withUniqueKeyValue: tenth, inContext: main).isInserted)
        let file = try #require(main.persistentStoreCoordinator?.persistentStores.first?.url)
        #expect(
            try SQLiteShell.run("SELECT typeof(ZNUMBER)||ZNUMBER FROM ZALBUM ORDER BY ZNUMBER", on: file)
                == "integer7\ninteger8")
        #expect(try SQLiteShell.run("SELECT typeof(ZFACTOR)||ZFACTOR FROM ZSCALE", on: file) == "real0.1")
    }

    // Feature THR-16
    @Test func aKeyThatIsNoAttributeStopsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await MainActor.run {
                _ = Stage.fetchObject(withUniqueKeyValue: 1, inContext: try Studio(.inMemory).main)
            }
        }
        #expect(said(result).contains("'height'"))
    }

    /// A context on a store that tells its statements.
    private func watched(_ log: StatementLog) throws -> (TestStack, NSManagedObjectContext) {
        let stack = try TestStack(model: MusicModel.make(), options: log.options)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        return (stack, context)
    }

    // Feature THR-17
    @Test func aLoadedObjectIsFoundWithoutAQuery() throws {
        let log = StatementLog()
        let (stack, context) = try watched(log)
        let songs = ["a", "b"].map { Song.insertObject(withUniqueKeyValue: $0, inContext: context) }
        try context.save()
        log.clear()
        let song = try #require(Song.fetchObject(withUniqueKeyValue: "a", inContext: context))
        #expect(log.selects.isEmpty && song === songs[0])
        context.reset()
        #expect(Song.fetchObject(withUniqueKeyValue: "a", inContext: context) !== song)
        #expect(log.selects.count == 1 && log.selects[0].contains("LIMIT"))
        #expect(Song.fetchObject(withUniqueKeyValue: "x", inContext: context) == nil)
        withExtendedLifetime(stack) {}
    }

    // Feature THR-17
    @Test(arguments: StoreKind.usual) func aDeletedObjectIsNotFound(_ kind: StoreKind) async throws {
        let studio = try Studio(kind)
        try await studio.fill(["a", "b"])
        let song = try #require(Song.fetchObject(withUniqueKeyValue: "a", inContext: studio.main))
        studio.main.delete(song)
        #expect(Song.fetchObject(withUniqueKeyValue: "a", inContext: studio.main) == nil)
        #expect(Song.materialiseObject(withUniqueKeyValue: "a", inContext: studio.main) == nil)
        studio.main.rollback()
        #expect(Song.fetchObject(withUniqueKeyValue: "a", inContext: studio.main) === song)
        // What was renamed is found by its new name alone.
        song.setValue("c", forKey: "uniqueID")
        #expect(Song.fetchObject(withUniqueKeyValue: "a", inContext: studio.main) == nil)
        #expect(Song.fetchObject(withUniqueKeyValue: "c", inContext: studio.main) === song)
    }

    // Feature THR-18
    @Test func whatIsOnlyInTheStoreIsNotMaterialised() async throws {
        let studio = try Studio(.sqlite)
        try await studio.fill(["a"])
        let song = try #require(Song.fetchObject(withUniqueKeyValue: "a", inContext: studio.main))
        #expect(song.title == "The song a")
        #expect(Song.materialiseObject(withUniqueKeyValue: "a", inContext: studio.main) === song)
        studio.main.reset()
        #expect(Song.materialiseObject(withUniqueKeyValue: "a", inContext: studio.main) == nil)
        #expect(Song.fetchObject(withUniqueKeyValue: "a", inContext: studio.main) != nil)
    }

    // Feature THR-19
    @Test(arguments: StoreKind.usual) func aBlockSaysWhatIsFetched(_ kind: StoreKind) async throws {
        let studio = try Studio(kind)
        #expect(Song.fetch(inContext: studio.main).isEmpty)
        try await studio.fill(["a", "b", "c", "d"])
        Song.insertObject(withUniqueKeyValue: "e", inContext: studio.main) { $0.rank = 4 }
        #expect(Set(Song.fetch(inContext: studio.main).map(\.uniqueIDValue)) == ["a", "b", "c", "d", "e"])
        let found = Song.fetch(inContext: studio.main) { request in
            request.predicate = NSPredicate(format: "rank >= 1")
            request.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: false)]
            request.fetchLimit = 3
        }
        #expect(found.map(\.uniqueIDValue) == ["e", "d", "c"])
        #expect(Song.fetch(inContext: studio.main) { $0.predicate = NSPredicate(value: false) }.isEmpty)
    }

    // Feature THR-19
    @Test func anImpossibleRequestStopsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await MainActor.run {
                _ = Song.fetch(inContext: try Studio(.sqlite).main) {
                    $0.predicate = NSPredicate(format: "shoeSize == 1")
                }
            }
        }
        #expect(said(result).contains("Song") && said(result).contains("shoeSize"))
    }

    // Feature THR-20
    @Test(arguments: StoreKind.usual) func anObjectIsMadeOnlyOnce(_ kind: StoreKind) async throws {
        let studio = try Studio(kind)
        var seen: [String] = []
        func find() -> Song {
            Song.fetchOrInsertObject(withUniqueKeyValue: "a", inContext: studio.main) { song in
                seen.append(song.uniqueIDValue)
                song.rank += 1
            }
        }
        let first = find()
        #expect(find() === first)
        try await studio.save(studio.main)
        studio.main.reset()
        #expect(find().rank == 3)
        #expect(Song.fetchOrInsertObject(withUniqueKeyValue: "a", inContext: studio.main).rank == 3)
        #expect(seen == ["a", "a", "a"])
        #expect(Song.count(inContext: studio.main) == 1)
    }

    // MARK: Deleting and counting

    // Feature THR-21
    @Test(arguments: StoreKind.usual) func deletingFollowsConditionAndRules(_ kind: StoreKind) async throws {
        let studio = try Studio(kind)
        let (main, background) = (studio.main, studio.background)
        try await studio.fill((0..<100).map { "s\($0)" })
        Song.delete(inContext: main)
        #expect(Song.count(inContext: main) == 0)
        // The store gets it with the save.
        #expect(await background.perform { Song.count(inContext: background) } == 100)
        try await studio.save(main)
        #expect(await background.perform { Song.count(inContext: background) } == 0)

        try await studio.fill(["a", "b"])
        Song.delete(inContext: main, matchingPredicate: Song.uniqueObjectPredicate(withUniqueKeyValue: "a"))
        #expect(Song.fetch(inContext: main).map(\.uniqueIDValue) == ["b"])
        let album = Album.insertObject(withUniqueKeyValue: 1, inContext: main)
        album.songs = Set(Song.fetch(inContext: main))
        try await studio.save(main)
        Album.delete(inContext: main)
        try await studio.save(main)
        #expect(Song.count(inContext: main) == 0)
    }

    // Feature THR-22
    @Test(arguments: StoreKind.usual) func unsavedObjectsCount(_ kind: StoreKind) async throws {
        let studio = try Studio(kind)
        let main = studio.main
        try await studio.fill(["a", "b", "c"])
        Song.insertObject(withUniqueKeyValue: "d", inContext: main) { $0.rank = 3 }
        Song.delete(inContext: main, matchingPredicate: Song.uniqueObjectPredicate(withUniqueKeyValue: "a"))
        #expect(Song.count(inContext: main) == 3)
        #expect(Song.count(inContext: main, matchingPredicate: NSPredicate(format: "rank >= 2")) == 2)
        #expect(Song.count(inContext: main, matchingPredicate: NSPredicate(format: "rank == 0")) == 0)
    }

    // MARK: Importing

    // Feature THR-23
    @Test func anImportAsksTheStoreOnce() throws {
        let log = StatementLog()
        let (stack, context) = try watched(log)
        for number in 0..<50 {
            Song.insertObject(withUniqueKeyValue: "s\(number)", inContext: context) { $0.rank = 1 }
        }
        try context.save()
        context.reset()
        log.clear()
        let rows = (0..<100).map { SongRow(uniqueIDValue: "s\($0)", title: "Title \($0)") }
        var kept = 0
        Song.insertOrUpdate(intermediates: rows, inContext: context) { row, song in
            if song.rank == 1 { kept += 1 }
            #expect(song.uniqueIDValue == row.uniqueIDValue)
            song.title = row.title
        }
        #expect(log.selects.count == 1, "\(log.selects)")
        #expect(kept == 50)
        try context.save()
        #expect(Song.count(inContext: context) == 100)
        #expect(Song.fetchObject(withUniqueKeyValue: "s77", inContext: context)?.title == "Title 77")
        log.clear()
        Song.insertOrUpdate(intermediates: [SongRow](), inContext: context) { _, _ in Issue.record("There is no row.") }
        #expect(log.statements.isEmpty)
        withExtendedLifetime(stack) {}
    }

    // Feature THR-23
    @Test(arguments: StoreKind.usual) func aKeyThatComesTwiceIsOneObject(_ kind: StoreKind) async throws {
        let studio = try Studio(kind)
        let rows = ["One", "Two"].map { SongRow(uniqueIDValue: "a", title: $0) }
        var titles: [String] = []
        Song.insertOrUpdate(intermediates: rows, inContext: studio.main) { row, song in
            titles.append(song.title)
            song.title = row.title
        }
        #expect(titles == ["", "One"])
        #expect(Song.fetch(inContext: studio.main).map(\.title) == ["Two"])
    }

    // Feature THR-23
    @Test func aNestedImportDoesNotSeeWhatIsStillToCome() throws {
        let context = try Studio(.inMemory).main
        let rows = ["a", "b"].map { SongRow(uniqueIDValue: $0) }
        Song.insertOrUpdate(intermediates: rows, inContext: context) { row, _ in
            guard row.uniqueIDValue == "a" else { return }
            // "a" is there by now, "b" is not.
            Song.insertOrUpdate(intermediates: rows, inContext: context) { _, song in song.rank += 1 }
        }
        let found = Song.fetch(inContext: context).map { "\($0.uniqueIDValue)\($0.rank)" }
        #expect(found.sorted() == ["a1", "b0", "b1"])
    }
}
