import OpenCoreDataKit
import TestSupport
import Testing

/// The examples of the kit's pages do what the pages say.
@Suite struct KitSnippetTests {
    @Test func theFiveMinutesRun() async throws {
        let folder = try TemporaryFolder()
        let garden = try await openGarden(in: folder.url)
        let commits = garden.commits
        let ids = try await plant(["Rose", "Tulip", "Sunflower"], in: garden)
        #expect(await waitForNewPlants(3, in: commits) == 3)
        #expect(try await tallPlants(in: garden) == ["Sunflower", "Tulip"])
        #expect(try await averageHeight(in: garden) == 6)
        try await repot(ids[0], as: "Dog rose", in: garden)
        #expect(
            try await garden.read { try $0.count(Query(Plant.self).filter(#Predicate { $0.name == "Dog rose" })) } == 1)
        #expect(FileManager.default.fileExists(atPath: folder.file("Garden.sqlite").path))
    }

    @Test @MainActor func theExamplesOfTheDatabaseRun() async throws {
        let folder = try TemporaryFolder()
        let database = try await openLibrary(in: folder.url, model: makeModel())
        let id = try await addBook("Solaris", pages: 204, to: database)
        #expect(try await storedTitles(in: database) == ["Solaris"])
        #expect(try await rename(id, to: "Ficciones", in: database))
        try await importBooks(["Momo", "Emil"], into: database)
        #expect(try shownTitles(in: database) == ["Emil", "Ficciones", "Momo"])
        let book = try #require(try database.main.existingObject(with: id) as? Book)
        try await addPages(10, to: book, in: database)
        #expect(book.pages == 214)
        let copy = folder.file("Copy.sqlite")
        #expect(try await backUp(database, to: copy) == Int64(Data(contentsOf: copy).count))
        #expect(describe(database).count == 1)
        try await startOver(database)
        #expect(try await storedTitles(in: database) == [])
    }

    @Test func errorsAreExplained() {
        let error = DatabaseError.validation([.init(entity: "Book", property: "title", reason: "It is missing.")])
        #expect(explain(error) == "title: It is missing.")
        #expect(explain(DatabaseError.closed(name: "Library")).contains("Library"))
    }
}
