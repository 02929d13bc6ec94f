import Sticky
import TestSupport
import Testing

extension Bundle {
    /// The bundle of a test target with resources: here there is a model.
    fileprivate static var module: Bundle {
        get throws { try SeedExamplesTests.models.get().bundle }
    }
}

extension NSManagedObjectContext {
    fileprivate func doSomethingThatThrows() throws { throw Refusal() }
}

/// The examples of the library's own documentation, in its order and its spelling, against a database and against memory.
///
/// What differs from the text: `Bundle(for: type(of: self))` is the test target's `Bundle.module`; `try … perform` is
/// `try await … perform`; where the text has a comment or "…" instead of code, code is filled in.
@Suite(.serialized) struct SeedExamplesTests {
    fileprivate static let models = Result { try ModelFolder(["MyDataModel": BookModel.make()]) }

    init() throws { _ = try Self.models.get() }

    /// A new container, whose database is new too.
    private func fresh(_ kind: StoreKind) throws -> PersistentContainer {
        switch kind {
        case .database:
            try PersistentContainer(name: "MyDataModel").deleteSQLLiteStores()
            return PersistentContainer(name: "MyDataModel")
        case .memory:
            return PersistentContainer(name: "MyDataModel", inMemory: true)
        }
    }

    /// A started container with books.
    private func populated(_ kind: StoreKind) throws -> PersistentContainer.ContextProvider {
        let contextProvider = try fresh(kind).start()
        try contextProvider.add("SPQR", "The Guns of August", genre: "history")
        try contextProvider.add("Momo", genre: "children")
        return contextProvider
    }

    // MARK: Instantiation

    // Feature STICKY-1
    @Test func basic() throws {
        let persistentContainer = PersistentContainer(name: "MyDataModel")
        #expect(try fresh(.database).start().titles == [])
        try persistentContainer.deleteSQLLiteStores()
    }

    // Feature STICKY-2
    @Test func advanced() throws {
        let persistentContainer = PersistentContainer(
            name: "MyDataModel",
            managedObjectModel: .mergedModel(
                from: [
                    try Bundle.module
                ]
            )
        )
        try persistentContainer.deleteSQLLiteStores()
        #expect(try persistentContainer.start().titles == [])
    }

    // MARK: Initialization

    // Feature STICKY-4
    @Test(arguments: StoreKind.allCases) func synchronous(_ kind: StoreKind) throws {
        let persistentContainer = try fresh(kind)
        var titles: [String]?
        do {
            let contextProvider = try persistentContainer.start()
            // use contextProvider to build Core Data dependent object graph
            titles = try contextProvider.titles
        } catch {
            // handle error
            Issue.record(error)
        }
        #expect(titles == [])
    }

    // Feature STICKY-5
    @Test(arguments: StoreKind.allCases) func asynchronous(_ kind: StoreKind) async throws {
        let persistentContainer = try fresh(kind)
        let titles = await withCheckedContinuation { continuation in
            // swift-format-ignore: NoEmptyTrailingClosureParentheses
            persistentContainer.start() { result in
                switch result {
                case .success(let contextProvider):
                    // use contextProvider to build Core Data dependent object graph
                    continuation.resume(returning: try? contextProvider.titles)
                case .failure(let error):
                    // handle error
                    Issue.record(error)
                    continuation.resume(returning: nil)
                }
            }
        }
        #expect(titles == [])
    }

    // MARK: Testable

    // Feature STICKY-3
    @Test func inMemory() throws {
        do {
            let persistentContainer = PersistentContainer(
                name: "MyDataModel",
                inMemory: true
            )
            #expect(try persistentContainer.start().titles == [])
        }
        do {
            let persistentContainer = PersistentContainer(
                name: "MyDataModel",
                managedObjectModel: .mergedModel(
                    from: [
                        try Bundle.module
                    ]
                ),
                inMemory: true
            )
            #expect(try persistentContainer.start().titles == [])
        }
    }

    // MARK: Enhanced perform and performAndWait

    // Feature STICKY-12, STICKY-13
    @Test(arguments: StoreKind.allCases) func receivingContextIsPassed(_ kind: StoreKind) async throws {
        let contextProvider = try populated(kind)
        await withCheckedContinuation { continuation in
            contextProvider.newBackgroundContext().perform { context in
                // use context
                #expect((try? context.fetch(Book.self).count) == 3)
                continuation.resume()
            }

            contextProvider.newBackgroundContext().performAndWait { context in
                // use context
                #expect((try? context.fetch(Book.self).count) == 3)
            }
        }
    }

    // Feature STICKY-13
    @Test(arguments: StoreKind.allCases) func errorsAreRethrown(_ kind: StoreKind) throws {
        let contextProvider = try populated(kind)
        var handled: (any Error)?
        do {
            try contextProvider.newBackgroundContext().performAndWait { context in
                try context.doSomethingThatThrows()
            }
        } catch {
            // handle errors thrown by context.doSomethingThatThrows()
            handled = error
        }
        #expect(handled as? Refusal == Refusal())
    }

    // Feature STICKY-13
    @Test(arguments: StoreKind.allCases) func theValueIsReturned(_ kind: StoreKind) throws {
        let contextProvider = try populated(kind)
        let bookTitles = try contextProvider.newBackgroundContext().performAndWait { context in
            return try context.fetch(Book.self).map(\.title)
        }
        #expect(Set(bookTitles) == ["SPQR", "The Guns of August", "Momo"])
    }

    // MARK: Create, fetch, delete

    // Feature STICKY-14
    @Test(arguments: StoreKind.allCases) func create(_ kind: StoreKind) async throws {
        let contextProvider = try populated(kind)
        try await contextProvider.newBackgroundContext().perform { context in
            let book = try context.create(Book.self)
            book.title = "Emil"
            try context.save()
        }
        #expect(try contextProvider.titles.contains("Emil"))
    }

    // Feature STICKY-17, STICKY-18
    @Test(arguments: StoreKind.allCases) func fetch(_ kind: StoreKind) async throws {
        let contextProvider = try populated(kind)
        try await contextProvider.newBackgroundContext().perform { context in
            let books = try context.fetch(Book.self)
            #expect(books.count == 3)
        }
        try await contextProvider.newBackgroundContext().perform { context in
            let historyBooks = try context.fetch(Book.self) { request in
                request.predicate = NSPredicate(
                    format: "genre = %@", "history"
                )
            }
            #expect(Set(historyBooks.map(\.title)) == ["SPQR", "The Guns of August"])
        }
    }

    // Feature STICKY-19, STICKY-20
    @Test(arguments: StoreKind.allCases) func delete(_ kind: StoreKind) async throws {
        let contextProvider = try populated(kind)
        // The text's condition reads `history` as the name of a property, which doesn't exist.
        await #expect(throws: DatabaseError.self) {
            try await contextProvider.newBackgroundContext().perform { context in
                try context.delete(Book.self) { (request) in
                    request.predicate = NSPredicate(format: "genre == history")
                }
            }
        }
        try await contextProvider.newBackgroundContext().perform { context in
            try context.delete(Book.self)
            try context.save()
        }
        #expect(try contextProvider.titles == [])
    }

    // MARK: Simulate a first time launch

    // Feature STICKY-22, STICKY-23, STICKY-3
    @Test func firstTimeLaunch() throws {
        let folder = NSPersistentContainer.defaultDirectoryURL()
        func isThere() -> Bool {
            FileManager.default.fileExists(atPath: folder.appendingPathComponent("MyDataModel.sqlite").path)
        }
        do {
            let persistentContainer = try fresh(.database)
            try persistentContainer.start().add("Momo")
            #expect(isThere())
        }
        do {
            let persistentContainer = PersistentContainer(name: "MyDataModel", inMemory: true)
            #expect(try persistentContainer.start().titles == [])
        }
        let persistentContainer = PersistentContainer(name: "MyDataModel")
        #expect(try persistentContainer.start().titles == ["Momo"])
        #expect(throws: PersistentContainer.Error.self) {
            try persistentContainer.deleteSQLLiteStores()
        }
        #expect(!isThere())
    }
}
