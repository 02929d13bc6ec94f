import THRCoreData
import TestSupport
import Testing

/// Saves that go up to the store by themselves.
@MainActor struct SavingTests {
    /// The contexts that a save may begin at.
    enum Start: CaseIterable, Sendable {
        case main, background, childOfMain, childOfBackground

        @MainActor func context(_ manager: CoreDataManager) -> NSManagedObjectContext {
            switch self {
            case .main: manager.mainContext
            case .background: manager.backgroundContext
            case .childOfMain: manager.createChildContext()
            case .childOfBackground: manager.createChildContext(withConcurrencyType: .privateQueueConcurrencyType)
            }
        }
    }

    /// What became of a save, and where that was told.
    private struct Told: Sendable {
        let outcome: Result<SaveOutcome, any Error>
        /// Whether the other context knew of the new song by then.
        let isMerged: Bool
        let isOnQueue: Bool
    }

    // Feature THR-5, THR-6
    @Test(arguments: StoreKind.usual)
    func anEditOfWhatTheOtherContextDeletedDoesNotHoldUpLaterSaves(_ kind: StoreKind) async throws {
        let studio = try Studio(kind)
        let main = studio.main
        let song = Song.insertObject(withUniqueKeyValue: "a", inContext: main)
        try await studio.save(main)
        let id = song.objectID
        song.setValue("edited", forKey: "title")
        let background = studio.background
        try await background.perform {
            background.delete(try background.existingObject(with: id))
            try background.save()
        }
        await main.perform(schedule: .enqueued) {}
        try await studio.save(main)
        _ = Song.insertObject(withUniqueKeyValue: "b", inContext: main)
        #expect(try await studio.save(main) == .saved)
        #expect(await background.perform { Song.count(inContext: background) } == 1)
    }

    // Feature THR-9, THR-10, THR-11
    @Test(arguments: Start.allCases, StoreKind.usual)
    func aSaveClimbsToTheStore(_ start: Start, _ kind: StoreKind) async throws {
        let studio = try Studio(kind)
        let context = start.context(studio.manager)
        let top = context.parent ?? context
        let other = top === studio.main ? studio.background : studio.main
        let logs = [context, top].map { NotificationLog($0, [.NSManagedObjectContextDidSave]) }
        let merges = NotificationLog(other, [.NSManagedObjectContextObjectsDidChange])
        await context.perform { _ = Song.insertObject(withUniqueKeyValue: "a", inContext: context) }

        let (told, done) = (Noted<Told>(), Flag())
        // On the context's queue, which is blocked until then.
        let isEarly = await context.perform {
            save(context: context) { outcome in
                told.note(Told(outcome: outcome, isMerged: !merges.entries.isEmpty, isOnQueue: top.isOnQueue))
                done.set()
            }
            return done.isSet || !logs.allSatisfy(\.entries.isEmpty)
        }
        #expect(!isEarly)
        await done.wait()

        #expect(logs.allSatisfy { $0.entries.count == 1 })
        let first = try #require(told.all.first)
        #expect(told.all.count == 1)
        #expect(try first.outcome.get() == .saved)
        #expect(first.isMerged && first.isOnQueue)
        #expect(await other.perform { Song.count(inContext: other) } == 1)
        #expect(await context.perform { context.hasChanges } == false)

        // Again, with nothing to save: still later, and only then.
        let again = Flag()
        let isEarlyAgain = await context.perform {
            save(context: context) { outcome in
                told.note(Told(outcome: outcome, isMerged: true, isOnQueue: top.isOnQueue))
                again.set()
            }
            return again.isSet
        }
        #expect(!isEarlyAgain)
        await again.wait()
        #expect(try told.all.last?.outcome.get() == .noChanges)
        #expect(logs.allSatisfy { $0.entries.count == 1 })
    }

    // Feature THR-9
    @Test func aSaveNeedsNoCompletion() async throws {
        let studio = try Studio(.sqlite)
        Song.insertObject(withUniqueKeyValue: "a", inContext: studio.main)
        save(context: studio.main)
        studio.manager.save(context: studio.main)
        #expect(studio.main.hasChanges)
        #expect(try await studio.save(studio.main) == .noChanges)
        #expect(!studio.main.hasChanges)
    }

    // Feature THR-11
    @Test func theTwoContextsAreSavedByName() async throws {
        let studio = try Studio(.sqlite)
        let background = studio.background
        Song.insertObject(withUniqueKeyValue: "a", inContext: studio.main)
        let flags = [Flag(), Flag()]
        let outcomes = Noted<SaveOutcome?>()
        studio.manager.saveMainContext { outcome in
            outcomes.note(try? outcome.get())
            flags[0].set()
        }
        #expect(!flags[0].isSet && studio.main.hasChanges)
        await flags[0].wait()
        #expect(!studio.main.hasChanges)
        await background.perform { _ = Song.insertObject(withUniqueKeyValue: "b", inContext: background) }
        studio.manager.saveBackgroundContext { outcome in
            outcomes.note(try? outcome.get())
            flags[1].set()
        }
        await flags[1].wait()
        #expect(outcomes.all == [.saved, .saved])
        #expect(Song.count(inContext: studio.main) == 2)
        studio.manager.saveMainContext()
        studio.manager.saveBackgroundContext()
        #expect(try await studio.save(background) == .noChanges)
    }

    // Feature THR-10
    @Test func whatOnlyTheParentHasIsSavedToo() async throws {
        let studio = try Studio(.inMemory)
        let child = studio.manager.createChildContext()
        Song.insertObject(withUniqueKeyValue: "a", inContext: studio.main)
        #expect(try await studio.save(child) == .saved)
        #expect(!studio.main.hasChanges)
    }

    // MARK: Errors

    // Feature THR-9
    @Test(arguments: StoreKind.usual) func theFirstErrorEndsTheClimb(_ kind: StoreKind) async throws {
        let studio = try Studio(kind)
        let child = studio.manager.createChildContext()
        let song = Song.insertObject(withUniqueKeyValue: "a", inContext: child)
        song.setValue(nil, forKey: "title")
        let log = NotificationLog(studio.main, [.NSManagedObjectContextDidSave])
        do {
            try await studio.save(child)
            Issue.record("A song without a title was saved.")
        } catch let error as CocoaError {
            #expect(error.code.rawValue == NSValidationMissingMandatoryPropertyError)
        }
        #expect(child.hasChanges && !studio.main.hasChanges && log.entries.isEmpty)
        song.title = "At last"
        #expect(try await studio.save(child) == .saved)
        #expect(Song.count(inContext: studio.main) == 1)
    }

    // Feature THR-9
    @Test func levelsBelowTheFailingOneStaySaved() async throws {
        let studio = try Studio(.inMemory)
        let child = studio.manager.createChildContext()
        Song.insertObject(withUniqueKeyValue: "good", inContext: child)
        // Only the parent has it.
        let bad = Song.insertObject(withUniqueKeyValue: "bad", inContext: studio.main)
        bad.setValue(nil, forKey: "title")
        let log = NotificationLog(child, [.NSManagedObjectContextDidSave])
        await #expect(throws: CocoaError.self) { try await studio.save(child) }
        #expect(log.entries.count == 1 && !child.hasChanges)
        #expect(studio.main.hasChanges && Song.count(inContext: studio.main) == 2)
        let background = studio.background
        #expect(await background.perform { Song.count(inContext: background) } == 0)
        studio.main.delete(bad)
        #expect(try await studio.save(child) == .saved)
        #expect(await background.perform { Song.count(inContext: background) } == 1)
    }
}
