import CoreData
import Foundation

/// A container that creates its store again if it can't be opened, with an initializer of its own.
final class ResilientContainer: NSPersistentContainer, @unchecked Sendable {
    convenience init(url: URL) {
        self.init(name: "Library", managedObjectModel: Library.model)
        let description = NSPersistentStoreDescription(url: url)
        description.shouldMigrateStoreAutomatically = true
        description.shouldInferMappingModelAutomatically = true
        persistentStoreDescriptions = [description]
    }

    private(set) var wasRecreated = false

    func load() throws {
        var failure: Error?
        loadPersistentStores { failure = $1 }
        guard failure != nil, let url = persistentStoreDescriptions.first?.url else { return }
        try persistentStoreCoordinator.destroyPersistentStore(
            at: url, ofType: NSSQLiteStoreType, options: [NSPersistentStoreForceDestroyOption: true])
        failure = nil
        loadPersistentStores { failure = $1 }
        wasRecreated = true
        if let failure { throw failure }
    }

    override func newBackgroundContext() -> NSManagedObjectContext {
        let context = super.newBackgroundContext()
        context.name = "background"
        context.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
        return context
    }
}

extension NSPersistentContainer {
    /// Loads all stores, with async.
    func loadPersistentStores() async throws {
        let expected = persistentStoreDescriptions.count
        let loaded = Counter()
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, Error>) in
            loadPersistentStores { _, error in
                loaded.add()
                if let error { return continuation.resume(throwing: error) }
                if loaded.value == expected { continuation.resume() }
            }
        }
    }
}

/// A repository of objects, behind a protocol with an associated type.
protocol Storage {
    associatedtype Model
    func insert(_ configure: (Model) -> Void) throws -> Model
    func all() throws -> [Model]
}

struct CoreDataStorage<Model: NSManagedObject>: Storage {
    let context: NSManagedObjectContext

    @discardableResult
    func insert(_ configure: (Model) -> Void) throws -> Model {
        let object = Model(context: context)
        configure(object)
        try context.save()
        return object
    }

    func all() throws -> [Model] {
        let request = Model.fetchRequest()
        return try context.fetch(request) as? [Model] ?? []
    }
}

/// A wrapper that injects a context.
@propertyWrapper
struct Injected {
    let wrappedValue: NSManagedObjectContext
}

/// A notification with types, as a book about the framework has it.
struct ContextDidSaveNotification {
    private let notification: Notification

    init(note: Notification) {
        precondition(note.name == .NSManagedObjectContextDidSave)
        notification = note
    }

    var insertedObjects: AnyIterator<NSManagedObject> { iterator(forKey: NSInsertedObjectsKey) }
    var updatedObjects: AnyIterator<NSManagedObject> { iterator(forKey: NSUpdatedObjectsKey) }
    var managedObjectContext: NSManagedObjectContext? { notification.object as? NSManagedObjectContext }

    private func iterator(forKey key: String) -> AnyIterator<NSManagedObject> {
        guard let set = notification.userInfo?[key] as? NSSet else { return AnyIterator { nil } }
        let inner = set.objectEnumerator()
        return AnyIterator { inner.nextObject() as? NSManagedObject }
    }
}

extension Sequence where Element: NSManagedObject {
    /// Realizes all faults with one fetch.
    func fetchFaults() {
        guard let context = self.first(where: { _ in true })?.managedObjectContext else { return }
        let faults = self.filter(\.isFault)
        guard let object = faults.first else { return }
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = object.entity
        request.returnsObjectsAsFaults = false
        request.predicate = NSPredicate(format: "self in %@", faults)
        _ = try? context.fetch(request)
    }
}

private let singleObjectCacheKey = "SingleObjectCache"

extension NSManagedObjectContext {
    func set(_ object: NSManagedObject?, forSingleObjectCacheKey key: String) {
        var cache = userInfo[singleObjectCacheKey] as? [String: NSManagedObject] ?? [:]
        cache[key] = object
        userInfo[singleObjectCacheKey] = cache
    }

    func object(forSingleObjectCacheKey key: String) -> NSManagedObject? {
        (userInfo[singleObjectCacheKey] as? [String: NSManagedObject])?[key]
    }
}

/// A context that says when it saved, and counts what it fetched.
final class WatchedContext: NSManagedObjectContext, @unchecked Sendable {
    private(set) var saves = 0
    private(set) var fetches = 0

    override func save() throws {
        saves += 1
        try super.save()
    }

    override func fetch(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any] {
        fetches += 1
        return try super.fetch(request)
    }
}

let containers: [Idiom] = [
    Idiom("a container that creates its store again") {
        let url = try Library.folder().appendingPathComponent("Broken.sqlite")
        try Data("this is no database at all, and never was".utf8).write(to: url)
        let container = ResilientContainer(url: url)
        try container.load()
        try check(container.wasRecreated && container.viewContext.count(for: Book.fetchRequest()) == 0)
        let context = container.newBackgroundContext()
        try check(context.name == "background")
        try container.persistentStoreCoordinator.destroyPersistentStore(
            at: url, ofType: NSSQLiteStoreType, options: nil)
        // Where nothing is, there is nothing to be destroyed.
        try NSPersistentStoreCoordinator(managedObjectModel: Library.model).destroyPersistentStore(
            at: url.deletingLastPathComponent().appendingPathComponent("None.sqlite"), ofType: NSSQLiteStoreType,
            options: nil)
    },
    Idiom("stores loaded with async") {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: Library.model)
        let description = NSPersistentStoreDescription(url: try Library.folder().appendingPathComponent("a.sqlite"))
        description.shouldAddStoreAsynchronously = true
        container.persistentStoreDescriptions = [description]
        try await container.loadPersistentStores()
        try check(container.persistentStoreCoordinator.persistentStores.count == 1)
    },
    Idiom("a generic storage behind a protocol") {
        let context = try Library.container().viewContext
        func fill<S: Storage>(_ storage: S, _ configure: (S.Model) -> Void) throws -> Int {
            for _ in 0..<3 { _ = try storage.insert(configure) }
            return try storage.all().count
        }
        let books = try fill(CoreDataStorage<Book>(context: context)) { $0.title = "x" }
        let settings = try fill(CoreDataStorage<Setting>(context: context)) { $0.key = UUID().uuidString }
        try check(books == 3 && settings == 3)
    },
    Idiom("a context injected by a property wrapper") {
        let container = try Library.container()
        struct Service {
            @Injected var context: NSManagedObjectContext
            func add() throws {
                Book(context: context).title = "injected"
                try context.save()
            }
        }
        try Service(context: container.viewContext).add()
        try check(container.viewContext.count(for: Book.fetchRequest()) == 1)
    },
    Idiom("a typed notification of a save") {
        let context = try Library.container().viewContext
        let (inserted, updated) = (Counter(), Counter())
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil
        ) { notification in
            let note = ContextDidSaveNotification(note: notification)
            inserted.add(note.insertedObjects.filter { $0 is Book }.count)
            updated.add(note.updatedObjects.filter { $0 is Book && note.managedObjectContext != nil }.count)
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let book = Book(context: context)
        try context.save()
        book.title = "x"
        Book(context: context).title = "y"
        try context.save()
        try check(inserted.value == 2 && updated.value == 1)
    },
    Idiom("faults realized with one fetch, an object kept in the context's user info") {
        let container = try Library.container()
        try Library.fill(container.viewContext)
        let context = container.newBackgroundContext()
        try context.performAndWait {
            let request: NSFetchRequest<Book> = Book.fetchRequest()
            request.includesPropertyValues = false
            let books = try context.fetch(request)
            try check(books.allSatisfy(\.isFault))
            books.fetchFaults()
            try check(books.allSatisfy { !$0.isFault })
            context.set(books[0], forSingleObjectCacheKey: "first")
            try check(context.object(forSingleObjectCacheKey: "first") === books[0])
        }
    },
    Idiom("a context of one's own class") {
        let container = try Library.container()
        let context = WatchedContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
        Book(context: context).title = "watched"
        try context.save()
        let typed: NSFetchRequest<Book> = Book.fetchRequest()
        try check(context.fetch(typed).count == 1 && context.fetches == 1)
        let untyped = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
        try check(context.fetch(untyped).count == 1 && context.fetches == 2 && context.saves == 1)
    },
    Idiom("the same store in two coordinators") {
        let container = try Library.container()
        try Library.fill(container.viewContext)
        let url = try unwrap(container.persistentStoreDescriptions.first?.url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Library.model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSReadOnlyPersistentStoreOption: true]
        )
        try check(store.isReadOnly && coordinator.persistentStore(for: url) === store)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            try check(context.count(for: Book.fetchRequest()) == 12)
            Book(context: context).title = "refused"
            do {
                try context.save()
                throw IdiomFailure(description: "written")
            } catch let error as NSError where error.domain == NSCocoaErrorDomain { context.rollback() }
        }
    },
    Idiom("a backup put back in place") {
        let container = try Library.container()
        try Library.fill(container.viewContext)
        let url = try unwrap(container.persistentStoreDescriptions.first?.url)
        let backup = url.deletingLastPathComponent().appendingPathComponent("Backup.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Library.model)
        try coordinator.replacePersistentStore(
            at: backup, destinationOptions: nil, withPersistentStoreFrom: url, sourceOptions: nil,
            ofType: NSSQLiteStoreType)
        for book in try container.viewContext.fetch(Book.fetchRequest()) as [Book] {
            container.viewContext.delete(book)
        }
        try container.viewContext.save()
        container.viewContext.reset()
        try container.persistentStoreCoordinator.remove(container.persistentStoreCoordinator.persistentStores[0])
        try container.persistentStoreCoordinator.replacePersistentStore(
            at: url, destinationOptions: nil, withPersistentStoreFrom: backup, sourceOptions: nil,
            ofType: NSSQLiteStoreType)
        container.loadPersistentStores { _, error in precondition(error == nil) }
        try check(container.viewContext.count(for: Book.fetchRequest()) == 12)
    },
    Idiom("options of a store's description") {
        let container = try Library.container { description in
            description.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode")
            description.setOption(true as NSNumber, forKey: NSSQLiteAnalyzeOption)
            description.timeout = 5
        }
        try Library.fill(container.viewContext)
        let url = try unwrap(container.persistentStoreDescriptions.first?.url)
        try check(!FileManager.default.fileExists(atPath: url.path + "-wal"))
        try check(container.persistentStoreDescriptions[0].sqlitePragmas["journal_mode"] as? String == "DELETE")
    },
    Idiom("an asynchronous fetch with a continuation") {
        let context = try Library.container().viewContext
        try Library.fill(context)
        let count = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, Error>) in
            let request: NSFetchRequest<Book> = Book.fetchRequest()
            let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
                if let error = result.operationError { return continuation.resume(throwing: error) }
                continuation.resume(returning: result.finalResult?.count ?? -1)
            }
            do { try context.execute(asynchronous) } catch { continuation.resume(throwing: error) }
        }
        try check(count == 12)
    },
    Idiom("an identifier kept as text") {
        let container = try Library.container()
        let book = try Library.fill(container.viewContext)[0]
        let text = book.objectID.uriRepresentation().absoluteString
        let id = try unwrap(
            container.persistentStoreCoordinator.managedObjectID(forURIRepresentation: unwrap(URL(string: text))))
        try check(container.newBackgroundContext().performAndWait { id } == book.objectID)
        try check(container.viewContext.registeredObject(for: id) === book && text.contains("/Book/p"))
    },
    Idiom("key paths with operators, sets of values") {
        let context = try Library.container().viewContext
        let author = try unwrap(try Library.fill(context)[0].author)
        try check(
            author.value(forKeyPath: "books.@sum.pages") as? Int
                == author.books!.reduce(0) { $0 + Int(($1 as! Book).pages) })
        try check(author.value(forKeyPath: "books.@count") as? Int == 6)
        try check((author.value(forKeyPath: "books.@max.rating") as? Double) == 4)
        let genres = author.value(forKeyPath: "books.genre") as? Set<String>
        try check(genres == ["novel", "poetry", "science"])
        try check(author.mutableSetValue(forKey: "books").count == 6)
    },
    Idiom("metadata of a store, set and kept") {
        let container = try Library.container()
        let coordinator = container.persistentStoreCoordinator
        let store = coordinator.persistentStores[0]
        var metadata = coordinator.metadata(for: store)
        metadata["lastSync"] = Date(timeIntervalSinceReferenceDate: 1)
        coordinator.setMetadata(metadata, for: store)
        Book(context: container.viewContext).title = "x"
        try container.viewContext.save()
        let kept = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: unwrap(store.url), options: nil)
        try check(kept["lastSync"] as? Date == Date(timeIntervalSinceReferenceDate: 1))
        try check(Library.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: kept))
    },
    Idiom("performAndWait of the main context in a queue's sync on the main thread") {
        let context = try Library.container().viewContext
        let queue = DispatchQueue(label: "state")
        let count = try queue.sync {
            try context.performAndWait { () -> Int in
                Book(context: context).title = "in sync"
                try context.save()
                return try context.count(for: Book.fetchRequest())
            }
        }
        try check(count == 1)
    },
]
