import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Mistakes of a program, not of its data: each stops with a sentence that names the thing.
@Suite(.serialized) struct PreconditionTests {
    private func said(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    /// A release build stops at a precondition without its message.
    @Test func noMessageIsLeftOutOfAReleaseBuild() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains(/\bprecondition(Failure)?\(/), "\(file.lastPathComponent)")
            count += 1
        }
        #expect(count > 300)
    }

    @Test func objectsOfTwoContextsCannotBeRelated() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack(type: NSInMemoryStoreType)
            let (one, two) = (stack.context(), stack.context())
            one.performAndWait {
                let book = Book(context: one)
                two.performAndWait { book.author = Author(context: two) }
            }
        }
        #expect(said(result).contains("Illegal attempt to establish the relationship 'author'"))
    }

    @Test func anAbstractEntityHasNoObjects() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let model = LibraryModel.make()
            model.entitiesByName["Book"]?.isAbstract = true
            let stack = try TestStack(model: model, type: NSInMemoryStoreType)
            stack.inContext { _ = Book(context: $0) }
        }
        #expect(said(result).contains("Book") && said(result).contains("abstract"))
    }

    @Test func aClassWithoutEntityCannotBeInserted() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            final class Stranger: NSManagedObject {}
            let stack = try TestStack(type: NSInMemoryStoreType)
            stack.inContext { _ = Stranger(context: $0) }
        }
        #expect(said(result).contains("Stranger"))
    }

    @Test func anUnknownEntityNameCannotBeInserted() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack(type: NSInMemoryStoreType)
            stack.inContext { _ = NSEntityDescription.insertNewObject(forEntityName: "Unicorn", into: $0) }
        }
        #expect(said(result).contains("Unicorn"))
    }

    @Test func aPropertyThatTheEntityLacks() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack(type: NSInMemoryStoreType)
            stack.inContext { context in
                let book = Book(context: context)
                book[ManagedProperty<String>("titel")] = "Emma"
            }
        }
        #expect(said(result).contains("Book") && said(result).contains("titel"))
    }

    /// Uses a property of a hand-written class that is not what the model says, with an object that is clean and has a row.
    private static func use(_ body: (Book) -> Void) throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            (book.title, book.pages) = ("Emma", 100)
            try context.save()
        }
        try stack.inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.returnsObjectsAsFaults = false
            body(try context.fetch(request)[0])
        }
    }

    @Test func aStringOverAnInteger() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use { book in _ = book[ManagedProperty<String>("pages")] }
        }
        #expect(
            said(result).contains(
                "The property 'pages' of the class Book has the type String, but the attribute 'pages' of the entity Book "
                    + "is an Integer 32."))
    }

    @Test func anIntegerOverAString() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use { book in _ = book[ManagedProperty<Int64?>("title")] }
        }
        #expect(said(result).contains("has the type Int64?, but the attribute 'title' of the entity Book is a String."))
    }

    @Test func aStringWrittenIntoADouble() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use { book in book[ManagedProperty<String?>("price")] = "dear" }
        }
        #expect(said(result).contains("the attribute 'price' of the entity Book is a Double."))
    }

    @Test func aUUIDOverDataAndADecimalOverADouble() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use { book in _ = book[ManagedProperty<UUID>("cover")] }
        }
        #expect(said(result).contains("the attribute 'cover' of the entity Book is Binary Data."))
        let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use { book in book[ManagedProperty<Decimal>("price")] = 1 }
        }
        #expect(said(other).contains("has the type Decimal"))
    }

    @Test func anObjectOverAnAttributeAndAnAttributeOverAnObject() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use { book in _ = book[ManagedProperty<Author?>("title")] }
        }
        #expect(said(result).contains("has the type Author?, but the attribute 'title'"))
        let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use { book in _ = book[ManagedProperty<String?>("author")] }
        }
        #expect(said(other).contains("the relationship 'author' of the entity Book is a to-one relationship to Author"))
    }

    @Test func aSetOverAToOneAndObjectsOfAnotherClass() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use { book in _ = book[ManagedProperty<Set<Author>>("author")] }
        }
        #expect(said(result).contains("has the type Set<Author>"))
        let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use { book in book[ManagedProperty<Set<Author>>("tags")] = [] }
        }
        #expect(said(other).contains("is a to-many relationship to Label (Label)"))
        let third = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.use { book in _ = book[ManagedProperty<Label?>("author")] }
        }
        #expect(said(third).contains("is a to-one relationship to Author (Author)"))
    }

    @Test func aContextHasACoordinatorOrAParent() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack(type: NSInMemoryStoreType)
            let context = stack.context()
            context.parent = stack.context()
        }
        #expect(said(result).contains("either a coordinator or a parent"))
    }

    @Test func anObjectBelongsToOneContext() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack(type: NSInMemoryStoreType)
            let (one, two) = (stack.context(), stack.context())
            one.performAndWait {
                let book = Book(context: one)
                two.performAndWait { two.insert(book) }
            }
        }
        #expect(said(result).contains("is in another context"))
    }

    @Test func aMutableSetNeedsAToMany() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack(type: NSInMemoryStoreType)
            stack.inContext { _ = Book(context: $0).mutableSetValue(forKey: "author") }
        }
        #expect(said(result).contains("Book has no to-many relationship named 'author'"))
    }
}
