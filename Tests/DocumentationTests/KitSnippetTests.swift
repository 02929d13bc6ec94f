import OpenCoreDataKit
import TestSupport
import Testing

/// The examples of the kit's pages do what the pages say.
@Suite struct KitSnippetTests {
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
        let second = try await addBook("Amras", pages: 100, to: database)
        try await move(4, from: id, to: second, in: database)
        let pages = try await database.read { context in
            try [id, second].map { try context.object(Book.self, $0)?.pages }
        }
        #expect(pages == [210, 104])
        try await addPages(3, to: book, inBackgroundOf: database)
        #expect(try await database.read { try $0.object(Book.self, id)?.pages } == 216)
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
