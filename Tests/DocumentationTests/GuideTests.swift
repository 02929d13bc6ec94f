import OpenCoreDataKit
import Synchronization
import TestSupport
import Testing

/// The examples of the guides do what the guides say.
@Suite struct GuideTests {
    private func database() async throws -> Database {
        try await makeTestDatabase(makeModel())
    }

    /// A store with two books, closed again.
    private func library(in folder: TemporaryFolder) async throws -> (file: URL, id: NSManagedObjectID) {
        let database = try await openLibrary(in: folder.url, model: makeModel())
        _ = try await addBook("Solaris", pages: 204, to: database)
        let id = try await addBook("The Name of the Rose", pages: 536, to: database)
        try await database.close()
        return (folder.file("Library.sqlite"), id)
    }

    @Test @MainActor func concurrency() async throws {
        let container = try makeTestContainer(makeModel())
        shareOneCoordinator(container)
        try await Importer(container).add(["Solaris", "Momo"])
        let context = container.newBackgroundContext()
        let ids = try await context.perform {
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            request.resultType = .managedObjectIDResultType
            return try context.fetch(request)
        }
        #expect(ids.count == 2)
        try await markAsRead(ids[0], in: container)
        let pages = try await context.perform { try (context.existingObject(with: ids[0]) as? Book)?.pages }
        #expect(pages == 1)
    }

    @Test func snapshotsAndPages() async throws {
        let database = try await database()
        for title in ["Emma", "Dune", "Ulysses"] { _ = try await addBook(title, pages: 400, to: database) }
        #expect(try await summaries(in: database).map(\.title) == ["Dune", "Emma", "Ulysses"])
        #expect(try await page(1, of: 2, in: database) == [BookSummary(title: "Ulysses", pages: 400)])
        #expect(try await titlesOfLongBooks(in: database) == ["Dune", "Emma", "Ulysses"])
    }

    @Test @MainActor func migrationIsNeededWhenTheModelHasAnotherAttribute() async throws {
        let folder = try TemporaryFolder()
        let (file, _) = try await library(in: folder)
        #expect(try !needsMigration(file, to: makeModel()))
        let newer = try modelWithShelf()
        #expect(try needsMigration(file, to: newer))
        #expect(try rehearse(file, in: folder.url, with: newer) == 2)
        #expect(try needsMigration(file, to: newer), "the rehearsal changed the original")
    }

    @Test func stagesFillInWhatIsMissing() async throws {
        let folder = try TemporaryFolder()
        let (file, _) = try await library(in: folder)
        let newer = try modelWithShelf()
        let container = NSPersistentContainer(name: "Library", managedObjectModel: newer)
        let description = NSPersistentStoreDescription(url: file)
        migrateInStages(description, stages(from: makeModel(), to: newer))
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        #expect(
            try SQLiteShell.run("SELECT DISTINCT ZSHELF FROM ZBOOK", on: file).trimmingCharacters(in: .newlines)
                == "new arrivals")
    }

    @Test @MainActor func aRenamedAttributeKeepsItsValues() async throws {
        let folder = try TemporaryFolder()
        let (file, _) = try await library(in: folder)
        let newer = makeModel()
        let title = try #require(newer.entitiesByName["Book"]?.attributesByName["title"])
        title.name = "name"
        renamed(title, from: "title")
        newer.entitiesByName["Book"]?.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
        let container = NSPersistentContainer(name: "Library", managedObjectModel: newer)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        #expect(
            try names(of: "Book", attribute: "name", in: container) == ["Solaris", "The Name of the Rose"])
    }

    @Test @MainActor func testsHaveStoresOfTheirOwn() async throws {
        let model = makeModel()
        #expect(try savedTitles(["Momo", "Emil"], in: makeTestContainer(model)) == ["Emil", "Momo"])
        #expect(try savedTitles(["Dune"], in: makeTestContainer(model)) == ["Dune"])
        try withTemporaryStore(model) { container in
            #expect(try savedTitles(["Emma"], in: container) == ["Emma"])
            let file = try #require(container.persistentStoreDescriptions.first?.url)
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test @MainActor func aStoreIsReadWithoutItsModelAndWithoutAChange() async throws {
        let folder = try TemporaryFolder()
        let (file, _) = try await library(in: folder)
        let before = try Data(contentsOf: file)
        let container = try openForReading(file)
        #expect(try names(of: "Book", attribute: "title", in: container) == ["Solaris", "The Name of the Rose"])
        #expect(try Data(contentsOf: file) == before)
    }

    @Test @MainActor func storesThatSwiftDataWroteAreReadWithoutTheirModel() throws {
        let folder = try TemporaryFolder()
        let container = try openForReading(try Fixtures.copy("swiftdata/PreloadedCocktails.store", into: folder))
        #expect(try names(of: "Cocktail", attribute: "cocktailName", in: container).contains("Too Soon?"))
    }

    @Test @MainActor func initializersRunForNewAndFetchedObjects() throws {
        try withTemporaryStore(makeTicketModel()) { container in
            let context = container.viewContext
            let ticket = Ticket(seat: "12A", in: context)
            let issued = try #require(ticket.issued)
            let seat = Seat(context: context)
            try context.save()
            let other = container.newBackgroundContext()
            let (id, place) = (ticket.objectID, seat.objectID)
            try other.performAndWait {
                let found = try #require(try other.existingObject(with: id) as? Ticket)
                #expect(found.seat == "12A" && found.issued == issued)
                #expect(try #require(try other.existingObject(with: place) as? Seat).loaded >= issued)
            }
        }
    }

    @Test @MainActor func undoGoesAcrossSaves() throws {
        let container = try makeTestContainer(makeModel())
        let context = container.viewContext
        enableUndo(in: context)
        var made: Book?
        step("Add", in: context) {
            made = Book(context: context)
            made?.title = "Solaris"
        }
        let book = try #require(made)
        try context.save()
        step("Rename", in: context) { book.title = "Roadside Picnic" }
        try context.save()
        #expect(context.undoManager?.undoMenuItemTitle == "Undo Rename")
        context.undo()
        #expect(book.title == "Solaris" && context.hasChanges)
        try context.save()
        context.redo()
        #expect(book.title == "Roadside Picnic")
        context.undo()
        addWithoutUndo(["Momo"], to: context)
        try context.save()
        context.undo()
        let titles = try context.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.title)
        #expect(titles.contains("Momo"))
    }

    /// What the guide to performance says of plans and prefetching.
    @Test func performance() throws {
        let folder = try TemporaryFolder()
        func context(_ name: String, _ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            _ = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file(name), options: nil)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return context
        }
        let indexed = makeModel()
        addIndex(to: try #require(indexed.entitiesByName["Book"]))
        let with = try context("With.sqlite", indexed)
        #expect(try with.performAndWait { try plan(of: "Momo", in: with) }.contains { $0.contains("USING INDEX") })
        let without = try context("Without.sqlite", makeModel())
        #expect(try without.performAndWait { try plan(of: "Momo", in: without) }.allSatisfy { $0.hasPrefix("SCAN") })
        let library = try context("Library.sqlite", LibraryModel.make())
        try library.performAndWait {
            for number in 0..<3 {
                let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: library)
                author.setValue("Author \(number)", forKey: "name")
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: library)
                book.setValue(author, forKey: "author")
            }
            try library.save()
            library.reset()
            #expect(try Set(namesOfAuthors(in: library)) == ["Author 0", "Author 1", "Author 2"])
        }
    }

    /// The page of settings names what the sources read, and nothing else.
    @Test func everySettingIsOnThePageOfSettings() throws {
        let page = try #require(try Documents.all().first { $0.name.hasSuffix("Guides/Settings.md") })
        var read: Set<String> = []
        for folder in ["Sources", "Tests", "Examples", "Benchmarks/Sources"] {
            for source in try Documents.swiftFiles(under: folder) {
                for name in source.matches(
                    of: /"(OPENCOREDATA_[A-Z_]*[A-Z])"|"(PG[A-Z]{3,})"|environment\["([A-Z_]+)"\]/)
                {
                    read.insert(String(name.1 ?? name.2 ?? name.3 ?? ""))
                }
            }
        }
        let shim = Documents.root.appendingPathComponent("Sources/EngineShims/LogFileSystem.c")
        for name in try String(contentsOf: shim, encoding: .utf8).matches(of: /getenv\("(\w+)"\)/) {
            read.insert(String(name.1))
        }
        #expect(read.count > 30)
        let onPage = Set(page.text.matches(of: /`([A-Z][A-Z_]+)`/).map { String($0.1) })
        // What every program has, and what one program of the tests hands to another.
        let others = read.filter { name in
            [
                "HOME", "PATH", "TMPDIR", "OPENCOREDATA_PACKAGE", "IDIOMS_SWIFT", "CLASHING_NAMES_SWIFT", "KEY_TO_READ",
            ].contains(name)
                || name.hasPrefix("INSPECTOR_")
        }
        #expect(read.subtracting(others).subtracting(onPage).isEmpty)
        let engine = read.filter { $0.hasPrefix("OPENCOREDATA_") }
        let written = onPage.filter { $0.hasPrefix("OPENCOREDATA_") }
        // Names that the sources put together or scripts read.
        let elsewhere: Set<String> = [
            "OPENCOREDATA_ENGINE_ON_MAC", "OPENCOREDATA_PORTABLE", "OPENCOREDATA_ONLY", "OPENCOREDATA_CASES",
            "OPENCOREDATA_POSTGRESQL_FOLLOWERS", "OPENCOREDATA_POSTGRESQL_FEED_SAVES",
            "OPENCOREDATA_POSTGRESQL_FEED_SECONDS", "OPENCOREDATA_POSTGRESQL_READS", "OPENCOREDATA_POSTGRESQL_READERS",
        ]
        #expect(written.subtracting(engine).isSubset(of: elsewhere), "\(written.subtracting(engine))")
    }

    /// The books' model with an attribute more.
    private func modelWithShelf() throws -> NSManagedObjectModel {
        let model = makeModel()
        let shelf = NSAttributeDescription()
        shelf.name = "shelf"
        shelf.type = .string
        let book = try #require(model.entitiesByName["Book"])
        book.properties.append(shelf)
        return model
    }
}
