import CoreData
import Foundation

// An actor whose work runs on its context's queue: the executor of many apps that left `perform` behind.
final class ContextExecutor: @unchecked Sendable, SerialExecutor {
    let context: NSManagedObjectContext

    init(context: NSManagedObjectContext) { self.context = context }

    func enqueue(_ job: consuming ExecutorJob) {
        let unownedJob = UnownedJob(job)
        let unownedExecutor = asUnownedSerialExecutor()
        context.perform { unownedJob.runSynchronously(on: unownedExecutor) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

// The same for those that run a job at once.
final class WaitingExecutor: @unchecked Sendable, SerialExecutor {
    let context: NSManagedObjectContext

    init(context: NSManagedObjectContext) { self.context = context }

    func enqueue(_ job: UnownedJob) {
        let unownedExecutor = asUnownedSerialExecutor()
        context.performAndWait { job.runSynchronously(on: unownedExecutor) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

protocol ModelActor: Actor {
    nonisolated var container: NSPersistentContainer { get }
    nonisolated var context: NSManagedObjectContext { get }
}

extension ModelActor {
    subscript<T>(id: NSManagedObjectID, as type: T.Type) -> T? where T: NSManagedObject {
        try? context.existingObject(with: id) as? T
    }

    func withContext<T: Sendable>(_ action: @Sendable (NSManagedObjectContext) throws -> T) rethrows -> T {
        try action(context)
    }
}

actor BookHandler: ModelActor {
    nonisolated let container: NSPersistentContainer
    nonisolated let executor: ContextExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated var context: NSManagedObjectContext { executor.context }

    init(container: NSPersistentContainer, parent: NSManagedObjectContext? = nil) {
        self.container = container
        if let parent {
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            executor = ContextExecutor(context: child)
        } else {
            executor = ContextExecutor(context: container.newBackgroundContext())
        }
        executor.context.name = "handler"
    }

    func add(_ title: String, pages: Int32 = 0) throws -> NSManagedObjectID {
        let book = Book(context: context)
        book.title = title
        book.pages = pages
        try context.save()
        return book.objectID
    }

    func rename(_ id: NSManagedObjectID, to title: String) throws {
        self[id, as: Book.self]?.title = title
        try context.save()
    }

    func delete(_ id: NSManagedObjectID) throws {
        guard let book = self[id, as: Book.self] else { throw IdiomFailure(description: "no book") }
        context.delete(book)
        try context.save()
    }

    func count() throws -> Int { try context.count(for: Book.fetchRequest()) }

    func titles() throws -> [String] {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.pages, ascending: true)]
        return try context.fetch(request).compactMap(\.title)
    }

    /// Waits in the middle, while others have their turn.
    func addSlowly(_ title: String) async throws {
        let book = Book(context: context)
        await Task.yield()
        book.title = title
        try await Task.sleep(nanoseconds: 1_000_000)
        book.pages += 1
        try context.save()
    }
}

actor WaitingHandler: ModelActor {
    nonisolated let container: NSPersistentContainer
    nonisolated let executor: WaitingExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated var context: NSManagedObjectContext { executor.context }

    init(container: NSPersistentContainer) {
        self.container = container
        executor = WaitingExecutor(context: container.newBackgroundContext())
    }

    func add(_ number: Int32) throws {
        let book = Book(context: context)
        book.pages = number
        try context.save()
    }

    func sum() throws -> Int32 {
        try context.fetch(NSFetchRequest<Book>(entityName: "Book")).reduce(0) { $0 + $1.pages }
    }
}

// What the interface has of the same.
@MainActor final class MainHandler {
    let container: NSPersistentContainer
    var context: NSManagedObjectContext { container.viewContext }

    init(container: NSPersistentContainer) { self.container = container }

    func add(_ title: String) throws -> NSManagedObjectID {
        let book = Book(context: context)
        book.title = title
        try context.save()
        return book.objectID
    }
}

// A stream of what a fetch gives, as repositories of libraries have it: generic over the request's and the controller's results.
class Subscription<Output: Sendable, RequestResult: NSFetchRequestResult, ControllerResult: NSFetchRequestResult>:
    NSObject, NSFetchedResultsControllerDelegate
{
    let request: NSFetchRequest<RequestResult>
    let controller: NSFetchedResultsController<ControllerResult>
    let continuation: AsyncStream<Result<Output, Error>>.Continuation

    init(
        request: NSFetchRequest<RequestResult>, controllerRequest: NSFetchRequest<ControllerResult>,
        context: NSManagedObjectContext, continuation: AsyncStream<Result<Output, Error>>.Continuation
    ) {
        self.request = request
        self.continuation = continuation
        controller = NSFetchedResultsController(
            fetchRequest: controllerRequest, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        super.init()
        controller.delegate = self
        do {
            try controller.performFetch()
            fetch()
        } catch {
            continuation.yield(.failure(error))
        }
    }

    func fetch() { fatalError("\(Self.self).\(#function) is not implemented.") }

    func controllerDidChangeContent(_: NSFetchedResultsController<NSFetchRequestResult>) { fetch() }
}

final class SumSubscription: Subscription<Int, NSDictionary, NSManagedObject> {
    // The store is asked, which has the changes once the save that they are part of is done.
    override func fetch() {
        let (context, request, continuation) = (controller.managedObjectContext, request, continuation)
        context.perform {
            do {
                let result = try context.fetch(request)
                guard let sum = (result as? [[String: Int]])?.first?.values.first else { return }
                continuation.yield(.success(sum))
            } catch {
                continuation.yield(.failure(error))
            }
        }
    }
}

final class TitleSubscription: Subscription<[String], Book, Book> {
    override func fetch() {
        continuation.yield(.success((controller.fetchedObjects ?? []).compactMap(\.title)))
    }
}

extension NSFetchRequest<NSDictionary> {
    static func aggregate(
        _ function: String, of attribute: NSAttributeDescription, in entity: NSEntityDescription
    ) -> NSFetchRequest<NSDictionary> {
        let description = NSExpressionDescription()
        description.expression = NSExpression(
            forFunction: "\(function):", arguments: [NSExpression(forKeyPath: attribute.name)])
        description.name = "\(function)Of\(attribute.name.capitalized)"
        description.expressionResultType = attribute.attributeType
        let request = NSFetchRequest<NSDictionary>(entityName: entity.managedObjectClassName)
        request.entity = entity
        request.returnsObjectsAsFaults = false
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [description]
        request.sortDescriptors = [NSSortDescriptor(key: attribute.name, ascending: false)]
        return request
    }
}

extension NSManagedObjectContext {
    /// Work in a child that is thrown away, and rolled back together with its parent should it fail.
    func performInScratchPad<Output: Sendable>(
        schedule: NSManagedObjectContext.ScheduledTaskType = .immediate,
        _ block: @escaping @Sendable (NSManagedObjectContext) throws -> Output
    ) async -> Result<Output, Error> {
        let scratchPad = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        scratchPad.automaticallyMergesChangesFromParent = false
        scratchPad.parent = self
        let output: Output
        do {
            output = try await scratchPad.perform(schedule: schedule) { try block(scratchPad) }
        } catch {
            await scratchPad.perform {
                scratchPad.rollback()
                scratchPad.parent?.rollback()
            }
            return .failure(error)
        }
        return .success(output)
    }
}

// Entities whose properties are created again on each access, so that constraints and indexes name others.
private func tagEntity() -> NSEntityDescription {
    var identifier: NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = "identifier"
        attribute.attributeType = .UUIDAttributeType
        return attribute
    }
    let entity = NSEntityDescription()
    entity.name = "Tag"
    entity.properties = [identifier]
    entity.uniquenessConstraints = [[identifier]]
    entity.indexes = [
        NSFetchIndexDescription(
            name: "identifier",
            elements: [NSFetchIndexElementDescription(property: identifier, collationType: .binary)])
    ]
    return entity
}

@MainActor let modelActors: [Idiom] = [
    Idiom("an actor works on its context's queue") {
        let handler = BookHandler(container: try Library.container())
        let id = try await handler.add("One")
        try check(await handler.count() == 1)
        try await handler.rename(id, to: "Two")
        try check(await handler.titles() == ["Two"])
        let fetched = try await handler.withContext {
            try $0.fetch(Book.fetchRequest() as NSFetchRequest<Book>).first?.title
        }
        try check(fetched == "Two")
        try await handler.delete(id)
        try check(await handler.count() == 0)
        do {
            try await handler.delete(id)
            try check(false, "deleted twice")
        } catch is IdiomFailure {}
    },
    Idiom("actors that wait in the middle keep their contexts whole") {
        let container = try Library.container()
        let handlers = (0..<4).map { _ in BookHandler(container: container) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                let handler = handlers[number % 4]
                group.addTask { try await handler.addSlowly("Book \(number)") }
                group.addTask { _ = try await handler.count() }
            }
            try await group.waitForAll()
        }
        let request = NSFetchRequest<Book>(entityName: "Book")
        let books = try container.viewContext.fetch(request)
        try check(Set(books.compactMap(\.title)).count == 60)
        try check(books.allSatisfy { $0.pages == 1 })
    },
    Idiom("an executor that waits runs jobs at once") {
        let handler = WaitingHandler(container: try Library.container())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...40 { group.addTask { try await handler.add(Int32(number)) } }
            try await group.waitForAll()
        }
        try check(await handler.sum() == 820)
    },
    Idiom("an actor over a child of the view context saves into it, and the interface sees it") {
        let container = try Library.container()
        let main = MainHandler(container: container)
        let first = try main.add("Main")
        let handler = BookHandler(container: container, parent: container.viewContext)
        try await handler.rename(first, to: "Renamed")
        _ = try await handler.add("Child", pages: 5)
        try check(container.viewContext.hasChanges)
        try container.viewContext.save()
        let book = try unwrap(container.viewContext.existingObject(with: first) as? Book)
        try check(book.title == "Renamed")
        let other = container.newBackgroundContext()
        try check(other.performAndWait { try other.count(for: Book.fetchRequest()) } == 2)
    },
    Idiom("a stream follows a controller, generic over both results") {
        let container = try Library.container()
        let context = container.viewContext
        let entity = try unwrap(container.managedObjectModel.entitiesByName["Book"])
        let pages = try unwrap(entity.attributesByName["pages"])
        let (sums, sumContinuation) = AsyncStream<Result<Int, Error>>.makeStream()
        let (titles, titleContinuation) = AsyncStream<Result<[String], Error>>.makeStream()
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.pages, ascending: true)]
        let all = NSFetchRequest<NSManagedObject>(entityName: "Book")
        all.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        let first = SumSubscription(
            request: .aggregate("sum", of: pages, in: entity), controllerRequest: all, context: context,
            continuation: sumContinuation)
        let second = TitleSubscription(
            request: request, controllerRequest: request, context: context, continuation: titleContinuation)
        for number in 1...3 {
            let book = Book(context: context)
            book.title = "T\(number)"
            book.pages = Int32(number)
            try context.save()
        }
        titleContinuation.finish()
        await context.perform(schedule: .enqueued) {}
        sumContinuation.finish()
        var seen: [Int] = []
        for await sum in sums { seen.append(try sum.get()) }
        try check(seen.last == 6, "\(seen)")
        var lists: [[String]] = []
        for await list in titles { lists.append(try list.get()) }
        try check(lists == [[], ["T1"], ["T1", "T2"], ["T1", "T2", "T3"]], "\(lists)")
        withExtendedLifetime((first, second)) {}
    },
    Idiom("a request without an entity fails in a controller") {
        let container = try Library.container()
        let (stream, continuation) = AsyncStream<Result<[String], Error>>.makeStream()
        let subscription = TitleSubscription(
            request: NSFetchRequest(), controllerRequest: NSFetchRequest(), context: container.viewContext,
            continuation: continuation)
        continuation.finish()
        var failures = 0
        for await result in stream {
            if case .failure = result { failures += 1 }
        }
        try check(failures == 1)
        withExtendedLifetime(subscription) {}
    },
    Idiom("a scratch pad saves through its parent, and leaves nothing when it fails") {
        let container = try Library.container()
        let context = container.newBackgroundContext()
        let made = await context.performInScratchPad(schedule: .enqueued) { scratchPad -> URL in
            let book = Book(context: scratchPad)
            book.title = "Kept"
            try scratchPad.save()
            try context.performAndWait {
                context.transactionAuthor = "test"
                try context.save()
                context.transactionAuthor = nil
            }
            try scratchPad.obtainPermanentIDs(for: [book])
            return book.objectID.uriRepresentation()
        }
        let id = try unwrap(container.persistentStoreCoordinator.managedObjectID(forURIRepresentation: made.get()))
        try check(!id.isTemporaryID)
        let failed = await context.performInScratchPad { scratchPad -> Int in
            let book = try scratchPad.existingObject(with: id) as? Book
            book?.title = "Lost"
            _ = Book(context: scratchPad)
            try scratchPad.save()
            throw CocoaError(.validationMultipleErrors)
        }
        if case .success = failed { try check(false, "no failure") }
        try await context.perform {
            try check(!context.hasChanges)
            try check((context.existingObject(with: id) as? Book)?.title == "Kept")
            try check(context.count(for: Book.fetchRequest()) == 1)
        }
    },
    Idiom("constraints and indexes may name properties by others of their name") {
        let model = NSManagedObjectModel()
        model.entities = [tagEntity()]
        let container = NSPersistentContainer(name: "Tags", managedObjectModel: model)
        let url = try Library.folder().appendingPathComponent("Tags.sqlite")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: Error?
        container.loadPersistentStores { _, error in failure = error }
        try check(failure == nil, "\(String(describing: failure))")
        let identifier = UUID()
        for _ in 0..<2 {
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: container.viewContext)
            tag.setValue(identifier, forKey: "identifier")
        }
        do {
            try container.viewContext.save()
            try check(false, "saved twice")
        } catch let error as CocoaError {
            try check(error.code.rawValue == NSManagedObjectConstraintMergeError)
        }
    },
    Idiom("a destroyed store's files are removed one by one") {
        let container = try Library.container()
        try Library.fill(container.viewContext)
        let url = try unwrap(container.persistentStoreDescriptions.first?.url)
        try container.persistentStoreCoordinator.destroyPersistentStore(at: url, type: .sqlite)
        for suffix in ["", "-shm", "-wal"] {
            try FileManager.default.removeItem(at: URL(fileURLWithPath: url.path + suffix))
        }
    },
]
