import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Blocks that a program passes on to contexts, containers and coordinators, as wrappers around them do.
@Suite struct PassedBlockTests {
    /// A class that is not `Sendable`, as repositories are.
    private final class Repository {
        private let container: NSPersistentContainer
        private let context: NSManagedObjectContext
        var written = 0

        init(_ container: NSPersistentContainer) {
            self.container = container
            context = container.newBackgroundContext()
        }

        func write<T>(_ block: @escaping (NSManagedObjectContext) throws -> T) async throws -> T {
            let context = context
            return try await context.perform {
                let result = try block(context)
                try context.save()
                return result
            }
        }

        func run<T>(_ block: @escaping () throws -> T) async throws -> T {
            try await context.perform(schedule: .enqueued) { try block() }
        }

        func passOn<T>(_ block: @escaping () throws -> T) async rethrows -> T { try await context.perform(block) }

        func inBackground<T>(_ block: @escaping (NSManagedObjectContext) throws -> T) async throws -> T {
            try await container.performBackgroundTask { try block($0) }
        }

        func onCoordinator<T>(_ block: @escaping () throws -> T) async throws -> T {
            try await container.persistentStoreCoordinator.perform { try block() }
        }

        func later(_ completion: @escaping (Int) -> Void) {
            context.perform { [self] in completion(written) }
            container.persistentStoreCoordinator.perform { completion(-1) }
            container.performBackgroundTask { _ in completion(-2) }
        }
    }

    private struct Failure: Error {}

    private func container() throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Blocks", managedObjectModel: LibraryModel.make())
        container.persistentStoreDescriptions.first?.type = NSInMemoryStoreType
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container
    }

    @Test func blocksThatArePassedOnRunAndGiveTheirResults() async throws {
        let repository = Repository(try container())
        let title = try await repository.write { context in
            let book = Book(context: context)
            book.title = "passed"
            return book.title
        }
        #expect(title == "passed")
        #expect(try await repository.run { 5 } == 5)
        #expect(await repository.passOn { 6 } == 6)
        #expect(try await repository.onCoordinator { "on" } == "on")
        let count = try await repository.inBackground { try $0.count(for: NSFetchRequest<Book>(entityName: "Book")) }
        #expect(count == 1)
        await #expect(throws: Failure.self) { try await repository.run { throw Failure() } }
        await #expect(throws: Failure.self) { try await repository.inBackground { _ in throw Failure() } }
    }

    @Test func completionsThatArePassedOnAreCalled() async throws {
        let repository = Repository(try container())
        let log = Noted<Int>()
        repository.later { log.note($0) }
        #expect(try await eventually { log.all.sorted() == [-2, -1, 0] })
    }

    @Test func performAndWaitIsAFunctionThatTakesABlock() throws {
        let container = try container()
        let waits: [(() -> Void) -> Void] = [
            container.newBackgroundContext().performAndWait, container.persistentStoreCoordinator.performAndWait,
        ]
        var runs = 0
        for wait in waits { wait { runs += 1 } }
        #expect(runs == 2)
        let context = container.newBackgroundContext()
        let number = context.performAndWait { () -> Int in
            context.performAndWait { runs += 1 }
            return runs
        }
        #expect(number == 3)
        #expect(throws: Failure.self) { try context.performAndWait { throw Failure() } }
    }
}
