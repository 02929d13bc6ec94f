import CoreData
import Foundation

struct BookData: Decodable, Sendable {
    let id: UUID
    let title: String
    let pages: Int32
    let author: String
}

/// An importer with a context of its own.
actor BookImporter {
    private let context: NSManagedObjectContext

    init(_ container: NSPersistentContainer) {
        context = container.newBackgroundContext()
        context.name = "import"
        context.transactionAuthor = "import"
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        context.undoManager = nil
    }

    func load(_ data: [BookData]) async throws -> Int {
        try await context.perform { [context] in
            var authors: [String: Author] = [:]
            for author in try context.fetch(Author.fetchRequest()) as [Author] { authors[author.name] = author }
            let ids = data.map(\.id)
            let request: NSFetchRequest<Book> = Book.fetchRequest()
            request.predicate = NSPredicate(format: "identifier IN %@", ids)
            let known = Dictionary(grouping: try context.fetch(request)) { $0.identifier }
            for element in data {
                let book = known[element.id]?.first ?? Book(context: context)
                book.identifier = element.id
                book.title = element.title
                book.pages = element.pages
                if let author = authors[element.author] {
                    book.author = author
                } else {
                    let author = Author(context: context)
                    author.name = element.author
                    authors[element.author] = author
                    book.author = author
                }
            }
            let count = context.insertedObjects.count
            try context.save()
            context.reset()
            return count
        }
    }
}

/// An operation of a queue.
final class ImportOperation: Operation, @unchecked Sendable {
    private let container: NSPersistentContainer
    private let names: [String]
    private(set) var error: Error?

    init(_ container: NSPersistentContainer, _ names: [String]) {
        self.container = container
        self.names = names
    }

    override func main() {
        let context = container.newBackgroundContext()
        context.performAndWait {
            for (index, name) in names.enumerated() {
                if isCancelled { return }
                let book = Book(context: context)
                book.title = name
                if index % 10 == 9 {
                    do {
                        try context.save()
                        context.reset()
                    } catch { self.error = error }
                }
            }
            do { if context.hasChanges { try context.save() } } catch { self.error = error }
        }
    }
}

/// Finds doubles among what a transaction inserted, as Apple's CloudKit samples do.
@MainActor
func deduplicate(_ container: NSPersistentContainer, since token: NSPersistentHistoryToken?) throws -> Int {
    let context = container.newBackgroundContext()
    context.transactionAuthor = "dedupe"
    return try context.performAndWait {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        guard let result = try context.execute(request) as? NSPersistentHistoryResult,
            let transactions = result.result as? [NSPersistentHistoryTransaction]
        else { return 0 }
        var removed = 0
        for transaction in transactions where transaction.author != "dedupe" {
            for change in transaction.changes ?? []
            where change.changedObjectID.entity.name == "Author" && change.changeType == .insert {
                guard let author = try? context.existingObject(with: change.changedObjectID) as? Author else {
                    continue
                }
                let doubles: NSFetchRequest<Author> = Author.fetchRequest()
                doubles.predicate = NSPredicate(format: "name == %@ AND SELF != %@", author.name, author)
                for double in try context.fetch(doubles) {
                    for book in double.books as? Set<Book> ?? [] { book.author = author }
                    context.delete(double)
                    removed += 1
                }
                try context.save()
            }
        }
        return removed
    }
}

extension NSManagedObjectContext {
    /// Saves, or takes everything back.
    func saveOrRollback() -> Bool {
        do {
            try save()
            return true
        } catch {
            rollback()
            return false
        }
    }

    func performChanges(block: @escaping () -> Void) {
        perform {
            block()
            _ = self.saveOrRollback()
        }
    }

    /// Batch-deletes and merges, as many apps have it.
    func executeAndMergeChanges(_ batchDeleteRequest: NSBatchDeleteRequest) throws {
        batchDeleteRequest.resultType = .resultTypeObjectIDs
        let result = try execute(batchDeleteRequest) as? NSBatchDeleteResult
        let changes: [AnyHashable: Any] = [NSDeletedObjectsKey: result?.result as? [NSManagedObjectID] ?? []]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [self])
    }
}

private func rename(_ context: NSManagedObjectContext, _ done: Counter) {
    context.performChanges {
        let author = Author(context: context)
        author.name = " no"
        done.add()
    }
}

private func history(_ container: NSPersistentContainer) throws -> [NSPersistentHistoryTransaction] {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        request.resultType = .transactionsAndChanges
        return (try context.execute(request) as? NSPersistentHistoryResult)?.result
            as? [NSPersistentHistoryTransaction] ?? []
    }
}

private func tracked() throws -> NSPersistentContainer {
    try Library.container { $0.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey) }
}

private let json = """
    [{"id": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "title": "Emma", "pages": 474, "author": "Jane"},
     {"id": "E621E1F8-C36C-495A-93FC-0C247A3E6E60", "title": "Persuasion", "pages": 249, "author": "Jane"}]
    """

let importing: [Idiom] = [
    Idiom("an actor imports what it decoded, twice") {
        let container = try Library.container()
        let data = try JSONDecoder().decode([BookData].self, from: Data(json.utf8))
        let importer = BookImporter(container)
        let first = try await importer.load(data)
        let second = try await importer.load(data)
        try check(first == 3 && second == 0)
        let books = try container.viewContext.fetch(Book.fetchRequest()) as [Book]
        try check(books.count == 2 && books.allSatisfy { $0.author?.name == "Jane" })
    },
    Idiom("imports side by side in a task group") {
        let container = try Library.container()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in 0..<4 {
                group.addTask {
                    try await container.performBackgroundTask { context in
                        for index in 0..<25 { Book(context: context).title = "\(part).\(index)" }
                        try context.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        try check(container.viewContext.count(for: Book.fetchRequest()) == 100)
    },
    Idiom("async let over two contexts") {
        let container = try Library.container()
        try Library.fill(container.viewContext)
        let (one, two) = (container.newBackgroundContext(), container.newBackgroundContext())
        async let books = one.perform { try one.count(for: Book.fetchRequest()) }
        async let authors = two.perform { try two.count(for: Author.fetchRequest()) }
        let counts = try await [books, authors]
        try check(counts == [12, 2])
    },
    Idiom("an operation that saves every ten objects") {
        let container = try Library.container()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let operations = (0..<3).map { part in ImportOperation(container, (0..<25).map { "\(part) \($0)" }) }
        let done = Counter()
        for operation in operations { operation.completionBlock = { done.add() } }
        operations.forEach(queue.addOperation)
        try await wait { done.value == 3 }
        try check(operations.allSatisfy { $0.error == nil })
        try check(container.viewContext.count(for: Book.fetchRequest()) == 75)
    },
    Idiom("an import that is seen by a list at once") {
        let container = try Library.container()
        let context = container.viewContext
        context.automaticallyMergesChangesFromParent = true
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        // Without a delegate a controller doesn't follow changes.
        let delegate = BatchedChanges()
        controller.delegate = delegate
        defer { controller.delegate = nil }
        try controller.performFetch()
        try await container.performBackgroundTask { background in
            for title in ["b", "a"] { Book(context: background).title = title }
            try background.save()
        }
        try await wait { controller.fetchedObjects?.count == 2 }
        try check(controller.fetchedObjects?.compactMap(\.title) == ["a", "b"])
    },
    Idiom("a batch insert that a list sees by its identifiers") {
        let container = try Library.container()
        let context = container.viewContext
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        // Without a delegate a controller doesn't follow changes.
        let delegate = BatchedChanges()
        controller.delegate = delegate
        defer { controller.delegate = nil }
        try controller.performFetch()
        let ids = try await container.performBackgroundTask { background -> [NSManagedObjectID] in
            var index: Int32 = 0
            let insert = NSBatchInsertRequest(
                entity: Book.entity(),
                dictionaryHandler: { dictionary in
                    guard index < 30 else { return true }
                    dictionary["title"] = "Book \(index)"
                    dictionary["pages"] = index
                    index += 1
                    return false
                })
            insert.resultType = .objectIDs
            let result = try background.execute(insert) as? NSBatchInsertResult
            return result?.result as? [NSManagedObjectID] ?? []
        }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSInsertedObjectsKey: ids], into: [context])
        try check(controller.fetchedObjects?.count == 30 && controller.fetchedObjects?.last?.pages == 29)
    },
    Idiom("executeAndMergeChanges") {
        let context = try Library.container().viewContext
        let books = try Library.fill(context)
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
        request.predicate = NSPredicate(format: "genre == 'novel'")
        try context.executeAndMergeChanges(NSBatchDeleteRequest(fetchRequest: request))
        try check(books.filter(\.isDeleted).count == 4 && context.count(for: Book.fetchRequest()) == 8)
    },
    Idiom("a batch update with an expression") {
        let context = try Library.container().viewContext
        try Library.fill(context)
        let request = NSBatchUpdateRequest(entity: Book.entity())
        request.propertiesToUpdate = [
            "pages": NSExpression(format: "pages * 2"), "rating": NSExpression(forConstantValue: 5),
        ]
        request.resultType = .updatedObjectsCountResultType
        let result = try context.execute(request) as! NSBatchUpdateResult
        try check(result.result as? Int == 12)
        context.reset()
        let books = try context.fetch(Book.fetchRequest()) as [Book]
        try check(books.map(\.pages).reduce(0, +) == 1_560 && books.allSatisfy { $0.rating == 5 })
    },
    Idiom("saveOrRollback, performChanges") {
        let container = try Library.container()
        let context = container.newBackgroundContext()
        let done = Counter()
        rename(context, done)
        try await wait { done.value == 1 }
        try check(context.performAndWait { !context.hasChanges })
        try check(container.viewContext.count(for: Author.fetchRequest()) == 0)
    },
    Idiom("doubles that two writers made are merged") {
        let container = try tracked()
        for _ in 0..<3 {
            let context = container.newBackgroundContext()
            try context.performAndWait {
                let author = Author(context: context)
                author.name = "Jane"
                author.addToBooks(Book(context: context))
                try context.save()
            }
        }
        try check(deduplicate(container, since: nil) == 2)
        let authors = try container.viewContext.fetch(Author.fetchRequest()) as [Author]
        try check(authors.count == 1 && authors.first?.books?.count == 3)
    },
    Idiom("history tells author, context and what was updated") {
        let container = try tracked()
        let context = container.viewContext
        context.transactionAuthor = "app"
        context.name = "view"
        let book = try Library.fill(context)[0]
        book.title = "Renamed"
        try context.save()
        context.delete(book)
        try context.save()
        let transactions = try history(container)
        try check(transactions.count == 3 && transactions.allSatisfy { $0.author == "app" && $0.contextName == "view" })
        let update = try unwrap(transactions[1].changes?.first { $0.changedObjectID == book.objectID })
        try check(update.changeType == .update && update.updatedProperties?.map(\.name) == ["title"])
        try check(transactions[2].changes?.contains { $0.changeType == .delete } == true)
        try check(transactions.map(\.transactionNumber) == transactions.map(\.transactionNumber).sorted())
    },
    Idiom("the current token, and history after it") {
        let container = try tracked()
        try Library.fill(container.viewContext)
        let token = try unwrap(container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil))
        Book(context: container.viewContext).title = "after"
        try container.viewContext.save()
        let context = container.newBackgroundContext()
        let changes = try context.performAndWait { () -> Int in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            request.resultType = .changesOnly
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return (result?.result as? [NSPersistentHistoryChange])?.count ?? -1
        }
        try check(changes == 1)
    },
    Idiom("a property object-trump policy keeps the other side's other values") {
        let container = try Library.container()
        let context = container.viewContext
        context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        let book = try Library.fill(context)[0]
        let id = book.objectID
        try await container.performBackgroundTask { other in
            let same = other.object(with: id) as! Book
            same.title = "Theirs"
            same.genre = "theirs"
            try other.save()
        }
        book.title = "Mine"
        try context.save()
        context.refresh(book, mergeChanges: false)
        try check(book.title == "Mine" && book.genre == "theirs")
    },
    Idiom("setValuesForKeys of a dictionary of JSON") {
        let context = try Library.container().viewContext
        let object = try JSONSerialization.jsonObject(
            with: Data(#"{"title": "Emma", "pages": 474, "genre": null}"#.utf8))
        let book = Book(context: context)
        book.genre = "novel"
        book.setValuesForKeys(object as! [String: Any])
        try context.save()
        try check(book.title == "Emma" && book.pages == 474 && book.genre == nil)
    },
]
