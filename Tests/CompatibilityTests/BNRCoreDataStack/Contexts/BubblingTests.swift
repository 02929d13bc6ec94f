import BNRCoreDataStack
import TestSupport
import Testing

/// Saves that go up to the store by themselves.
@MainActor struct BubblingTests {
    // Feature BNR-9
    @Test(arguments: StoreKind.allCases) func aWorkersSaveClimbsToTheStore(_ kind: StoreKind) async throws {
        let library = try await LibraryStack(kind)
        let controller = NSFetchedResultsController(
            fetchRequest: Book.fetchRequestForEntity(inContext: library.main), managedObjectContext: library.main,
            sectionNameKeyPath: nil, cacheName: nil)
        controller.fetchRequest.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let listener = Listener()
        controller.delegate = listener
        try controller.performFetch()
        let log = NotificationLog(library.persisting, [.NSManagedObjectContextDidSave])
        let worker = library.stack.newBackgroundWorkerMOC()
        try worker.performAndWait {
            for number in 0..<5 { Book(managedObjectContext: worker).title = "Book \(number)" }
            try worker.save()
        }
        #expect(controller.fetchedObjects?.count == 5)
        #expect(log.entries.isEmpty)
        await library.settle()
        #expect(log.entries.map { $0.elements(NSInsertedObjectsKey).count } == [5])
        #expect(library.errors.all.isEmpty)
        guard kind == .sqlite else { return }
        #expect(try await LibraryStack.titles(LibraryStack(in: library.folder).main).count == 5)
    }

    private final class Listener: NSObject, NSFetchedResultsControllerDelegate {}

    // Feature BNR-9
    @Test func contextsOfOthersDoNotClimb() async throws {
        let library = try await LibraryStack()
        let worker = library.stack.newBackgroundWorkerMOC()
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other.parent = worker
        try await other.perform {
            Book(managedObjectContext: other).title = "Solaris"
            try other.save()
        }
        let stranger = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        stranger.parent = library.main
        try await stranger.perform {
            Book(managedObjectContext: stranger).title = "Momo"
            try stranger.save()
        }
        await library.settle()
        #expect(await worker.perform { worker.hasChanges })
        #expect(library.main.hasChanges)
        #expect(try library.booksInFile == 0)
    }

    // Feature BNR-9
    @Test func aSaveThatFailsOnItsWayIsReported() async throws {
        let library = try await LibraryStack()
        let author = Author(managedObjectContext: library.main)
        author.setValue(nil, forKey: "name")
        try await library.shelve(["Solaris"])
        #expect(
            library.errors.all.map { ($0 as? CocoaError)?.code.rawValue } == [NSValidationMissingMandatoryPropertyError]
        )
        #expect(try library.booksInFile == 0)
        // The changes wait for the next save.
        author.name = "Lem"
        try library.main.save()
        await library.settle()
        #expect(library.errors.count == 1)
        #expect(try library.booksInFile == 1)
    }

    // Feature BNR-9
    @Test func aStackThatIsGoneTakesNothingUp() async throws {
        let folder = try TemporaryFolder()
        var library: LibraryStack? = try await LibraryStack(in: folder)
        let main = try #require(library?.main)
        let worker = try #require(library?.stack.newBackgroundWorkerMOC())
        weak let stack = library?.stack
        library = nil
        #expect(stack == nil)
        try await worker.perform {
            Book(managedObjectContext: worker).title = "Solaris"
            try worker.save()
        }
        await main.perform(schedule: .enqueued) {}
        #expect(main.hasChanges)
        #expect(try SQLiteShell.run("SELECT COUNT(*) FROM ZBOOK", on: folder.file("Library.sqlite")) == "0")
    }

    // Feature BNR-9
    @Test func aSaveOnItsWaySurvivesTheStack() async throws {
        let folder = try TemporaryFolder()
        var library: LibraryStack? = try await LibraryStack(in: folder)
        let persisting = try #require(library?.persisting)
        let main = try #require(library?.main)
        let worker = try #require(library?.stack.newBackgroundWorkerMOC())
        try worker.performAndWait {
            Book(managedObjectContext: worker).title = "Solaris"
            try worker.save()
        }
        library = nil
        await main.perform(schedule: .enqueued) {}
        await persisting.perform(schedule: .enqueued) {}
        #expect(try SQLiteShell.run("SELECT COUNT(*) FROM ZBOOK", on: folder.file("Library.sqlite")) == "1")
    }
}
