import THRCoreData
import TestSupport
import Testing

/// The two contexts of a manager, and those on top of them.
@MainActor struct ContextTests {
    // Feature THR-5, THR-6
    @Test(arguments: StoreKind.usual) func bothContextsSitOnOneStore(_ kind: StoreKind) throws {
        let studio = try Studio(kind)
        let (main, background) = (studio.main, studio.background)
        #expect(main.concurrencyType == .mainQueueConcurrencyType)
        #expect(background.concurrencyType == .privateQueueConcurrencyType)
        #expect(main.parent == nil && background.parent == nil)
        let coordinator = try #require(main.persistentStoreCoordinator)
        #expect(coordinator === background.persistentStoreCoordinator)
        #expect(coordinator.persistentStores.count == 1)
        for context in [main, background] {
            #expect(
                (context.mergePolicy as? NSMergePolicy)?.mergeType == .mergeByPropertyStoreTrumpMergePolicyType)
        }
        #expect(studio.main === main && studio.background === background)
    }

    // Feature THR-5
    @Test func theStoreWinsPropertyByProperty() async throws {
        let studio = try Studio(.sqlite)
        try await studio.fill(["a"])
        let song = try #require(Song.fetchObject(withUniqueKeyValue: "a", inContext: studio.main))
        let outsider = try Studio(.sqlite, in: studio.folder)
        try await outsider.background.perform {
            let other = Song.fetchObject(withUniqueKeyValue: "a", inContext: outsider.background)
            other?.title = "Theirs"
            try outsider.background.save()
        }
        song.title = "Mine"
        song.rank = 7
        try await studio.save(studio.main)
        #expect(song.title == "Theirs" && song.rank == 7)
    }

    // Feature THR-7
    @Test(arguments: StoreKind.usual) func eachTakesOverWhatTheOtherSaves(_ kind: StoreKind) async throws {
        let studio = try Studio(kind)
        let (main, background) = (studio.main, studio.background)
        try await studio.fill(["a"])
        let mine = try #require(Song.fetchObject(withUniqueKeyValue: "a", inContext: main))
        nonisolated(unsafe) let theirs = try await background.perform {
            SendableBox(try #require(Song.fetchObject(withUniqueKeyValue: "a", inContext: background)))
        }.value
        #expect(mine.title == "The song a")
        #expect(await background.perform { theirs.title } == "The song a")

        let mainLog = NotificationLog(main, [.NSManagedObjectContextObjectsDidChange])
        await background.perform {
            theirs.title = "From the background"
            Song.insertObject(withUniqueKeyValue: "b", inContext: background)
        }
        #expect(try await studio.save(background) == .saved)
        #expect(mine.title == "From the background")
        #expect(mainLog.entries.contains { $0.objects(NSRefreshedObjectsKey).contains(mine) })
        #expect(mainLog.entries.contains { !$0.objects(NSInsertedObjectsKey).isEmpty })
        #expect(!main.hasChanges)

        let backgroundLog = NotificationLog(background, [.NSManagedObjectContextObjectsDidChange])
        mine.title = "From the main queue"
        #expect(try await studio.save(main) == .saved)
        #expect(await background.perform { theirs.title } == "From the main queue")
        #expect(!backgroundLog.entries.isEmpty)
        #expect(await background.perform { background.hasChanges } == false)
    }

    // Feature THR-7
    @Test func unsavedEditsSurviveAMerge() async throws {
        let studio = try Studio(.sqlite)
        let background = studio.background
        try await studio.fill(["a"])
        let song = try #require(Song.fetchObject(withUniqueKeyValue: "a", inContext: studio.main))
        song.title = "Edited here"
        await background.perform {
            let other = Song.fetchObject(withUniqueKeyValue: "a", inContext: background)
            other?.title = "Edited there"
            other?.rank = 44
        }
        try await studio.save(background)
        #expect(song.title == "Edited here" && song.rank == 44)
        #expect(studio.main.hasChanges)
    }

    // Feature THR-7
    @Test func aHundredSavesInTurnComeToAnEnd() async throws {
        let studio = try Studio(.inMemory)
        let (main, background) = (studio.main, studio.background)
        try await studio.fill(["a"])
        let logs = [main, background].map { NotificationLog($0, [.NSManagedObjectContextDidSave]) }
        for round in 1...50 {
            Song.fetchObject(withUniqueKeyValue: "a", inContext: main)?.rank += 1
            #expect(try await studio.save(main) == .saved, "round \(round)")
            await background.perform {
                Song.fetchObject(withUniqueKeyValue: "a", inContext: background)?.rank += 1
            }
            #expect(try await studio.save(background) == .saved, "round \(round)")
        }
        #expect(Song.fetchObject(withUniqueKeyValue: "a", inContext: main)?.rank == 100)
        #expect(logs.map(\.entries.count) == [50, 50])
        #expect(try await studio.save(main) == .noChanges)
        #expect(try await studio.save(background) == .noChanges)
    }

    // MARK: Child contexts

    // Feature THR-8
    @Test func childrenSitOnTheContextOfTheirQueue() throws {
        let studio = try Studio(.inMemory)
        let usual = studio.manager.createChildContext()
        #expect(usual.parent === studio.main && usual.concurrencyType == .mainQueueConcurrencyType)
        #expect((usual.mergePolicy as? NSMergePolicy)?.mergeType == .mergeByPropertyObjectTrumpMergePolicyType)
        let worker = studio.manager.createChildContext(
            withConcurrencyType: .PrivateQueueConcurrencyType, mergePolicyType: .overwriteMergePolicyType)
        #expect(worker.parent === studio.background && worker.concurrencyType == .privateQueueConcurrencyType)
        #expect((worker.mergePolicy as? NSMergePolicy)?.mergeType == .overwriteMergePolicyType)
        for child in [usual, worker] {
            let parent = try #require(child.parent?.name)
            #expect(child.name == parent + ".child")
        }
        #expect(studio.manager.createChildContext(withConcurrencyType: .MainQueueConcurrencyType) !== usual)
    }

    // Feature THR-8
    @Test(arguments: StoreKind.usual) func aChildIsIndependentUntilItIsSaved(_ kind: StoreKind) async throws {
        let studio = try Studio(kind)
        let child = studio.manager.createChildContext()
        let background = studio.background
        let worker = studio.manager.createChildContext(withConcurrencyType: .privateQueueConcurrencyType)
        for number in 0..<100 { Song.insertObject(withUniqueKeyValue: "m\(number)", inContext: child) }
        await worker.perform {
            for number in 0..<100 { Song.insertObject(withUniqueKeyValue: "w\(number)", inContext: worker) }
        }
        #expect(Song.count(inContext: child) == 100 && Song.count(inContext: studio.main) == 0)
        #expect(await background.perform { Song.count(inContext: background) } == 0)
        try await studio.save(worker)
        #expect(Song.count(inContext: studio.main) == 100)
        try await studio.save(child)
        #expect(await background.perform { Song.count(inContext: background) } == 200)
    }

    // Feature THR-8
    @Test func confinementToAThreadStopsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Studio(.inMemory).manager.createChildContext(withConcurrencyType: .confinementConcurrencyType)
        }
        #expect(said(result).contains("not confinement"))
    }
}
