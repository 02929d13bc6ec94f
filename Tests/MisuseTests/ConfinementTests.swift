import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Using a context off its queue stops a debug build with a sentence that says what, where and what was expected.
@Suite(.serialized) struct ConfinementTests {
    /// What a stopped process said.
    private func said(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func aContextOffItsQueue() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
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
            let stack = try TestStack(type: NSInMemoryStoreType)
            let (one, two) = (stack.context(), stack.context())
            one.performAndWait { _ = Book(context: two) }
        }
        #expect(said(result).contains("concurrency violation"))
    }

    @Test func theMainContextInTheBackground() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack(type: NSInMemoryStoreType)
            let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            context.persistentStoreCoordinator = stack.coordinator
            DispatchQueue(label: "background").sync { _ = context.registeredObjects }
        }
        #expect(said(result).contains("expected the main queue"))
    }

    @Test func theRightQueueIsFine() async throws {
        await #expect(processExitsWith: .success) {
            let stack = try TestStack(type: NSInMemoryStoreType)
            try stack.inContext { context in
                Book(context: context).title = "Emma"
                try context.save()
            }
        }
    }
}
