import BNRCoreDataStack
import TestSupport
import Testing

/// Older files.
@Suite struct MigrationTests {
    /// The library without its shelves and notes, or with notes and a property more.
    static func model(isNew: Bool) -> NSManagedObjectModel {
        func entity(_ name: String) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            return entity
        }
        let (author, book) = (entity("Author"), entity("Book"))
        author.properties = [
            LibraryModel.attribute("name", .stringAttributeType),
            LibraryModel.relationship("books", to: book, toMany: true, rule: .nullifyDeleteRule),
        ]
        book.properties = [
            LibraryModel.attribute("title", .stringAttributeType),
            LibraryModel.relationship("author", to: author, rule: .nullifyDeleteRule),
        ]
        LibraryModel.pair(author, "books", book, "author")
        let model = NSManagedObjectModel()
        model.entities = [author, book]
        guard isNew else { return model }
        author.properties.append(LibraryModel.attribute("born", .dateAttributeType))
        let publisher = entity("Publisher")
        publisher.properties = [LibraryModel.attribute("name", .stringAttributeType)]
        model.entities.append(publisher)
        return model
    }

    /// A file of the older model with so many books.
    private func makeOldFile(_ count: Int, in folder: TemporaryFolder) throws -> URL {
        let old = try TestStack(model: Self.model(isNew: false), folder: folder)
        try old.inContext { context in
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue("Lem", forKey: "name")
            for number in 0..<count {
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue("Book \(number)", forKey: "title")
                book.setValue(author, forKey: "author")
            }
            try context.save()
        }
        return old.url
    }

    private func check(_ stack: CoreDataStack, books: Int) async throws {
        let context = stack.privateQueueContext
        try await context.perform {
            let authors = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))
            #expect(authors.map { $0.value(forKey: "name") as? String } == ["Lem"])
            #expect(authors.map { $0.value(forKey: "born") as? Date } == [nil])
            #expect((authors.first?.value(forKey: "books") as? NSSet)?.count == books)
            let publisher = NSEntityDescription.insertNewObject(forEntityName: "Publisher", into: context)
            publisher.setValue("Penguin", forKey: "name")
            try context.save()
        }
    }

    // Feature BNR-3
    @Test func anOlderFileIsMigratedWhileTheStackIsMade() async throws {
        let folder = try TemporaryFolder()
        let url = try makeOldFile(20, in: folder)
        let stack = try await CoreDataStack.constructSQLiteStack(model: Self.model(isNew: true), at: url)
        try await check(stack, books: 20)
    }

    // Feature BNR-3
    @Test func afterADeathInTheMiddleTheFileIsUsable() async throws {
        for microseconds: UInt32 in [300, 3_000, 12_000] {
            let folder = try TemporaryFolder()
            let url = try makeOldFile(500, in: folder)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [url = url as URL, microseconds = microseconds as UInt32] in
                SuddenDeath.within(microseconds: microseconds) {
                    let done = DispatchSemaphore(value: 0)
                    CoreDataStack.constructSQLiteStack(model: MigrationTests.model(isNew: true), at: url) { _ in
                        done.signal()
                    }
                    done.wait()
                }
            }
            #expect(try SQLiteShell.run("PRAGMA integrity_check", on: url).hasPrefix("ok"))
            let stack = try await CoreDataStack.constructSQLiteStack(model: Self.model(isNew: true), at: url)
            try await check(stack, books: 500)
        }
    }

    // Feature BNR-3
    @Test func aFileOfAnotherModelIsAFailureAndStays() async throws {
        let folder = try TemporaryFolder()
        let other = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "Stranger"
        other.entities = [entity]
        let url = try makeOldFile(1, in: folder)
        let error = await #expect(throws: DatabaseError.self) {
            try await CoreDataStack.constructSQLiteStack(model: other, at: url)
        }
        guard case .incompatibleStore(let location, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(location == url)
        #expect(try SQLiteShell.run("SELECT COUNT(*) FROM ZBOOK", on: url) == "1")
    }
}
