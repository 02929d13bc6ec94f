import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Using a context off its queue is logged, or stops the program where that is asked for, with a sentence that says
/// what, where, what was expected and what to do.
@Suite(.serialized) struct ConfinementTests {
    /// What a stopped process said.
    private func said(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func aContextOffItsQueue() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_CONCURRENCY_DEBUG", "1", 1)
            let stack = try TestStack(type: NSInMemoryStoreType)
            let context = stack.context()
            context.name = "editor"
            _ = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
        }
        #expect(said(result).contains("concurrency violation"))
        #expect(said(result).contains("\"editor\"") && said(result).contains("private queue"))
    }

    @Test func anObjectReadOffItsQueue() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_CONCURRENCY_DEBUG", "1", 1)
            let stack = try TestStack(type: NSInMemoryStoreType)
            let context = stack.context()
            let author = try context.performAndWait {
                let author = Author(context: context)
                try context.save()
                context.refresh(author, mergeChanges: false)
                context.stalenessInterval = 0
                return author
            }
            _ = author.name
        }
        #expect(said(result).contains("concurrency violation"))
        #expect(said(result).contains("Author"))
    }

    @Test func anObjectChangedOffItsQueue() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_CONCURRENCY_DEBUG", "1", 1)
            let stack = try TestStack(type: NSInMemoryStoreType)
            let context = stack.context()
            let book = context.performAndWait { Book(context: context) }
            context.performAndWait { context.processPendingChanges() }
            book.title = "Emma"
        }
        #expect(said(result).contains("concurrency violation"))
    }

    @Test func anotherContextsQueueIsNotEnough() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_CONCURRENCY_DEBUG", "1", 1)
            let stack = try TestStack(type: NSInMemoryStoreType)
            let (one, two) = (stack.context(), stack.context())
            one.performAndWait { _ = Book(context: two) }
        }
        #expect(said(result).contains("concurrency violation"))
    }

    @Test func theMainContextInTheBackground() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_CONCURRENCY_DEBUG", "1", 1)
            let stack = try TestStack(type: NSInMemoryStoreType)
            let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            context.persistentStoreCoordinator = stack.coordinator
            DispatchQueue(label: "background").sync { _ = context.registeredObjects }
        }
        #expect(said(result).contains("expected the main queue"))
    }

    @Test func theRightQueueIsFine() async throws {
        await #expect(processExitsWith: .success) {
            setenv("OPENCOREDATA_CONCURRENCY_DEBUG", "1", 1)
            let stack = try TestStack(type: NSInMemoryStoreType)
            try stack.inContext { context in
                Book(context: context).title = "Emma"
                try context.save()
            }
        }
    }

    /// How often a process said something.
    private func count(of string: String, _ result: ExitTest.Result?) -> Int {
        said(result).components(separatedBy: string).count - 1
    }

    @Test func byDefaultEachPlaceIsLoggedOnce() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            unsetenv("OPENCOREDATA_CONCURRENCY_DEBUG")
            setenv("OPENCOREDATA_LOG_STDERR", "1", 1)
            let stack = try TestStack(type: NSInMemoryStoreType)
            let context = stack.context()
            context.name = "editor"
            let book = context.performAndWait { Book(context: context) }
            for _ in 0..<5 { _ = try context.fetch(NSFetchRequest<Book>(entityName: "Book")) }
            for _ in 0..<5 { _ = context.insertedObjects }
            context.performAndWait {
                book.title = "Emma"
                _ = context.insertedObjects
            }
        }
        #expect(count(of: "concurrency violation", result) == 2)
        #expect(said(result).contains("\"editor\"") && said(result).contains("Wrap this in context.perform"))
        #if DEBUG && os(Linux)
        // The file is that of the macro's expansion here.
        #expect(count(of: "violation at @__swiftmacro_11MisuseTests", result) == 2, "\(said(result))")
        #endif
    }

    /// Places in extensions of the engine's classes, in closures and behind functions of the standard library.
    @Test func aPlaceIsFoundQuicklyWhereverItIs() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            unsetenv("OPENCOREDATA_CONCURRENCY_DEBUG")
            setenv("OPENCOREDATA_LOG_STDERR", "1", 1)
            let stack = try TestStack(type: NSInMemoryStoreType)
            let context = stack.context()
            // Reads the debug information of the program.
            _ = context.updatedObjects
            // Processor time: the machine may be busy with other tests. In a program of all the tests, with half a
            // gigabyte of debug information, a place takes 0.3 to 0.5 s.
            let start = clock()
            context.useOffQueue()
            _ = [1].map { _ in [context].useOffQueue() }
            #expect(clock() - start < 3 * CLOCKS_PER_SEC)
        }
        #expect(count(of: "concurrency violation", result) == 3)
        #if DEBUG && os(Linux)
        #expect(count(of: "violation at MisuseExtensions.swift:7:", result) == 1, "\(said(result))")
        #expect(count(of: "violation at MisuseExtensions.swift:12:", result) == 1, "\(said(result))")
        #endif
    }

    @Test func aChangeOffTheQueueIsLoggedByDefault() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            unsetenv("OPENCOREDATA_CONCURRENCY_DEBUG")
            setenv("OPENCOREDATA_LOG_STDERR", "1", 1)
            let stack = try TestStack(type: NSInMemoryStoreType)
            let context = stack.context()
            let book = try context.performAndWait {
                let book = Book(context: context)
                try context.save()
                return book
            }
            book.title = "Emma"
            #expect(book.title == "Emma")
        }
        #expect(count(of: "concurrency violation", result) == 1)
        #expect(said(result).contains("Book"))
    }

    @Test func zeroSwitchesCheckingOff() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_CONCURRENCY_DEBUG", "0", 1)
            setenv("OPENCOREDATA_LOG_STDERR", "1", 1)
            let stack = try TestStack(type: NSInMemoryStoreType)
            _ = try stack.context().fetch(NSFetchRequest<Book>(entityName: "Book"))
        }
        #expect(count(of: "concurrency violation", result) == 0)
    }

    @Test func aContextWithoutAQueueIsUsedWhereItsMakerIs() async throws {
        await #expect(processExitsWith: .success) {
            setenv("OPENCOREDATA_CONCURRENCY_DEBUG", "1", 1)
            let stack = try TestStack(type: NSInMemoryStoreType)
            let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
            context.persistentStoreCoordinator = stack.coordinator
            Book(context: context).title = "Emma"
            try context.save()
            #expect(try context.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.title) == ["Emma"])
        }
    }

    /// A book and its author, saved and read, in a context that is named to be found in messages.
    private static func readBook() throws -> (TestStack, NSManagedObjectContext, Book) {
        setenv("OPENCOREDATA_CONCURRENCY_DEBUG", "1", 1)
        let stack = try TestStack(type: NSInMemoryStoreType)
        let context = stack.context()
        context.name = "editor"
        let book = try context.performAndWait {
            let book = Book(context: context)
            book.author = Author(context: context)
            book.title = "Emma"
            try context.save()
            context.refreshAllObjects()
            // All of it is in memory now.
            #expect(book.title == "Emma" && book.pages == 0 && book.author?.name == "" && book.tags.isEmpty)
            for key in ["title", "cost", "inPrint", "identifier"] { _ = book.value(forKey: key) }
            #expect(book.author?.books == [book])
            return book
        }
        return (stack, context, book)
    }

    @Test func aTextInMemoryReadOffTheQueueStops() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (stack, context, book) = try Self.readBook()
            _ = book.title
            withExtendedLifetime((stack, context)) {}
        }
        #expect(said(result).contains("concurrency violation") && said(result).contains("\"editor\""))
    }

    @Test func aNumberInMemoryReadOffTheQueueStops() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (stack, context, book) = try Self.readBook()
            _ = book.pages
            withExtendedLifetime((stack, context)) {}
        }
        #expect(said(result).contains("concurrency violation"))
    }

    @Test func aToOneInMemoryWalkedOffTheQueueStops() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (stack, context, book) = try Self.readBook()
            _ = book.author
            withExtendedLifetime((stack, context)) {}
        }
        #expect(said(result).contains("concurrency violation"))
    }

    @Test func aToManyInMemoryReadOffTheQueueStops() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (stack, context, book) = try Self.readBook()
            _ = book.tags
            withExtendedLifetime((stack, context)) {}
        }
        #expect(said(result).contains("concurrency violation"))
    }

    @Test func aValueReadByItsKeyOffTheQueueStops() async throws {
        for key in ["title", "author", "cost", "tags"] {
            setenv("KEY_TO_READ", key, 1)
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (stack, context, book) = try Self.readBook()
                _ = book.value(forKey: ProcessInfo.processInfo.environment["KEY_TO_READ"] ?? "")
                withExtendedLifetime((stack, context)) {}
            }
            #expect(said(result).contains("concurrency violation"), "\(key)")
        }
    }

    @Test func aPrimitiveValueReadOffTheQueueStops() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (stack, context, book) = try Self.readBook()
            _ = book.primitiveValue(forKey: "title")
            withExtendedLifetime((stack, context)) {}
        }
        #expect(said(result).contains("concurrency violation"))
    }

    @Test func aNewObjectReadOffTheQueueStops() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (stack, context, _) = try Self.readBook()
            let book = context.performAndWait { Book(context: context) }
            _ = book.title
            withExtendedLifetime((stack, context)) {}
        }
        #expect(said(result).contains("concurrency violation"))
    }

    @Test func whatIsNoReadOrOnTheQueueIsFineWhereReadsAreChecked() async throws {
        await #expect(processExitsWith: .success) {
            let (stack, context, book) = try Self.readBook()
            _ = (book.objectID, book.isFault, book.entity, book.managedObjectContext, book.hasChanges, book.description)
            context.performAndWait { #expect(book.title == "Emma" && book.author?.books == [book]) }
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            try child.performAndWait {
                let books = try child.fetch(NSFetchRequest<Book>(entityName: "Book"))
                #expect(books.first?.author?.name == "")
                books.first?.title = "Persuasion"
                try child.save()
            }
            context.performAndWait { #expect(book.title == "Persuasion") }
            // An object without a context has no queue.
            context.performAndWait { context.reset() }
            _ = (book.title, book.author)
            let loose = Book(entity: book.entity, insertInto: nil)
            #expect(loose.title == "")
            withExtendedLifetime((stack, context)) {}
        }
    }

    @Test func valuesInMemoryAreReadUncheckedByDefault() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            unsetenv("OPENCOREDATA_CONCURRENCY_DEBUG")
            setenv("OPENCOREDATA_LOG_STDERR", "1", 1)
            let stack = try TestStack(type: NSInMemoryStoreType)
            let context = stack.context()
            let book = try context.performAndWait {
                let book = Book(context: context)
                book.author = Author(context: context)
                try context.save()
                return book
            }
            #expect(book.title == "" && book.author?.name == "")
        }
        #expect(count(of: "concurrency violation", result) == 0)
    }
}
