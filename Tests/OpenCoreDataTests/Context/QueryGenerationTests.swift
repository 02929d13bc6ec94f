import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite struct QueryGenerationTests {
    private let stack: TestStack
    private let authorID: NSManagedObjectID

    init() throws {
        let stack = try TestStack()
        self.stack = stack
        authorID = try stack.inContext { context in
            let author = Author(context: context)
            author.name = "Ada"
            for title in ["Emma", "Ulysses"] {
                let book = Book(context: context)
                book.title = title
                book.author = author
            }
            try context.save()
            return author.objectID
        }
    }

    private func write(_ change: (NSManagedObjectContext) throws -> Void) throws {
        try stack.inContext { context in
            try change(context)
            try context.save()
        }
    }

    /// Renames the author, adds a book, deletes another and changes the rest.
    private func overwrite() throws {
        try write { context in
            let author = try #require(context.existingObject(with: authorID) as? Author)
            author.name = "Eve"
            for book in author.books {
                if book.title == "Emma" { context.delete(book) } else { book.title = "Dubliners" }
            }
            let book = Book(context: context)
            book.title = "Persuasion"
            book.author = author
        }
    }

    private func titles(_ context: NSManagedObjectContext) throws -> [String] {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        return try context.fetch(request).map(\.title)
    }

    private func count(_ context: NSManagedObjectContext, _ predicate: NSPredicate? = nil) throws -> Int {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.predicate = predicate
        return try context.count(for: request)
    }

    @Test func aPinnedContextReadsOneStateWhileOthersWrite() throws {
        let context = stack.context()
        try context.performAndWait {
            #expect(context.queryGenerationToken == nil)
            try context.setQueryGenerationFrom(.current)
            #expect(context.queryGenerationToken == .current)
            #expect(try count(context) == 2)
            let token = try #require(context.queryGenerationToken)
            #expect(token != .current)
            try overwrite()
            #expect(try titles(context) == ["Emma", "Ulysses"])
            #expect(try count(context, NSPredicate(format: "title == %@", "Persuasion")) == 0)
            #expect(try count(context, NSPredicate(format: "author.name == %@", "Ada")) == 2)
            let author = try #require(context.existingObject(with: authorID) as? Author)
            #expect(author.name == "Ada")
            #expect(Set(author.books.map(\.title)) == ["Emma", "Ulysses"])
            let names = NSFetchRequest<NSDictionary>(entityName: "Author")
            names.resultType = .dictionaryResultType
            names.propertiesToFetch = ["name"]
            #expect(try context.fetch(names).map { $0["name"] as? String } == ["Ada"])
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            ids.resultType = .managedObjectIDResultType
            #expect(try context.fetch(ids).count == 2)
            #expect(context.queryGenerationToken == token)
            #expect(try stack.inContext { try titles($0) } == ["Dubliners", "Persuasion"])

            try context.setQueryGenerationFrom(nil)
            #expect(context.queryGenerationToken == nil)
            context.refreshAllObjects()
            #expect(try titles(context) == ["Dubliners", "Persuasion"])
            #expect(author.name == "Eve")
        }
    }

    @Test func faultsFireInTheGenerationTheyWereFetchedIn() throws {
        let context = stack.context()
        try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.includesPropertyValues = false
            let books = try context.fetch(request)
            #expect(books.count { $0.isFault } == 2)
            try overwrite()
            #expect(Set(books.map(\.title)) == ["Emma", "Ulysses"])
            #expect(books.first?.author?.name == "Ada")
        }
    }

    @Test func aGenerationCanBeShared() throws {
        let (first, second) = (stack.context(), stack.context())
        let token = try first.performAndWait { () throws -> NSQueryGenerationToken in
            try first.setQueryGenerationFrom(.current)
            #expect(try count(first) == 2)
            return try #require(first.queryGenerationToken)
        }
        try overwrite()
        try second.performAndWait {
            #expect(try titles(second) == ["Dubliners", "Persuasion"])
            try second.setQueryGenerationFrom(token)
            #expect(second.queryGenerationToken == token)
            // Objects that have their values keep them until they are refreshed.
            second.refreshAllObjects()
            #expect(try titles(second) == ["Emma", "Ulysses"])
        }
        let third = stack.context()
        try third.performAndWait {
            try third.setQueryGenerationFrom(token)
            #expect(try titles(third) == ["Emma", "Ulysses"])
        }
        let still = try first.performAndWait { try titles(first) }
        #expect(still == ["Emma", "Ulysses"])
    }

    // Behaviour 1.8
    @Test func savingMovesTheContextOnAndTellsTheGeneration() throws {
        let context = stack.context()
        try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            #expect(try count(context) == 2)
            let before = try #require(context.queryGenerationToken)
            try write { Book(context: $0).title = "Persuasion" }
            #expect(try count(context) == 2)
            let log = NotificationLog(context)
            Book(context: context).title = "Middlemarch"
            try context.save()
            let info = try #require(log.entries(.NSManagedObjectContextDidSave).first?.notification.userInfo)
            let told = info[NSManagedObjectContext.NotificationKey.queryGeneration.rawValue] as? NSQueryGenerationToken
            #expect(told != nil)
            #expect(told == context.queryGenerationToken)
            #expect(told != before)
            #expect(try titles(context) == ["Emma", "Middlemarch", "Persuasion", "Ulysses"])
        }
    }

    // Behaviour 1.8
    @Test func inMemoryStoresHaveNoGenerations() throws {
        let memory = try TestStack(type: NSInMemoryStoreType)
        try memory.inContext { (context: NSManagedObjectContext) throws -> Void in
            try context.setQueryGenerationFrom(.current)
            #expect(context.queryGenerationToken == nil)
            let log = NotificationLog(context)
            Book(context: context).title = "Emma"
            try context.save()
            let info = try #require(log.entries(.NSManagedObjectContextDidSave).first?.notification.userInfo)
            #expect(info[NSManagedObjectContextQueryGenerationKey] == nil)
            try memory.inContext { other in
                Book(context: other).title = "Ulysses"
                try other.save()
            }
            #expect(try count(context) == 2)
        }
    }

    @Test func unpinnedSavesTellNoGeneration() throws {
        try stack.inContext { context in
            let log = NotificationLog(context)
            Book(context: context).title = "Emma"
            try context.save()
            let info = try #require(log.entries(.NSManagedObjectContextDidSave).first?.notification.userInfo)
            #expect(info[NSManagedObjectContextQueryGenerationKey] == nil)
        }
    }

    @Test func mergingAndResettingMoveTheContextOn() throws {
        let context = stack.context()
        try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            let author = try #require(context.existingObject(with: authorID) as? Author)
            #expect(author.name == "Ada")
            try stack.inContext { other in
                let log = NotificationLog(other)
                try #require(other.existingObject(with: authorID) as? Author).name = "Eve"
                try other.save()
                let saved = try #require(log.entries(.NSManagedObjectContextDidSave).first?.notification)
                context.mergeChanges(fromContextDidSave: saved)
            }
            #expect(author.name == "Eve")
            #expect(try count(context) == 2)
            try write { Book(context: $0).title = "Persuasion" }
            #expect(try count(context) == 2)
            context.reset()
            #expect(try count(context) == 3)
        }
    }

    @Test func childrenReadWhatTheParentReads() throws {
        let parent = stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        try parent.performAndWait {
            try parent.setQueryGenerationFrom(.current)
            #expect(try count(parent) == 2)
        }
        try overwrite()
        try child.performAndWait { () throws -> Void in
            #expect(child.queryGenerationToken == nil)
            #expect(try titles(child) == ["Emma", "Ulysses"])
            #expect(throws: CocoaError.self) { try child.setQueryGenerationFrom(.current) }
        }
    }

    @Test func aGenerationEndsWithItsLastHolder() throws {
        func logSize() throws -> Int {
            let path = stack.url.path + "-wal"
            return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        }
        /// Whether all of the log could be moved into the file.
        func canTruncate() throws -> Bool {
            try stack.sqlite("PRAGMA wal_checkpoint(TRUNCATE)").hasPrefix("0|")
        }
        var context: NSManagedObjectContext? = stack.context()
        try context?.performAndWait {
            try context?.setQueryGenerationFrom(.current)
            #expect(try context.map { try count($0) } == 2)
        }
        try overwrite()
        #expect(try !canTruncate())
        #expect(try logSize() > 0)
        context = nil
        #expect(try canTruncate())
        #expect(try logSize() == 0)
    }

    @Test func aGenerationOfARemovedStoreIsRefused() throws {
        let context = stack.context()
        let token = try context.performAndWait { () throws -> NSQueryGenerationToken in
            try context.setQueryGenerationFrom(.current)
            #expect(try count(context) == 2)
            return try #require(context.queryGenerationToken)
        }
        try stack.coordinator.remove(try #require(stack.coordinator.persistentStores.first))
        let other = stack.context()
        other.performAndWait {
            _ = #expect(throws: CocoaError.self) { try other.setQueryGenerationFrom(token) }
        }
        context.performAndWait {
            _ = #expect(throws: CocoaError.self) { try count(context) }
        }
    }

    @Test func tokensSurviveAnArchiveWhileTheGenerationLives() throws {
        var context: NSManagedObjectContext? = stack.context()
        let data = try context?.performAndWait { () throws -> Data in
            try context?.setQueryGenerationFrom(.current)
            #expect(try context.map { try count($0) } == 2)
            let token = try #require(context?.queryGenerationToken)
            let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
            let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: data)
            #expect(read == token)
            return data
        }
        context = nil
        let archived = try #require(data)
        let gone = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: archived)
        #expect(gone == nil)
        let current = try NSKeyedArchiver.archivedData(
            withRootObject: NSQueryGenerationToken.current, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: current) == .current)
    }

    @Test func pinnedRowsStayOutOfOtherContexts() throws {
        let context = stack.context()
        try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            let pinned = try #require(context.existingObject(with: authorID) as? Author)
            #expect(pinned.name == "Ada")
            try overwrite()
            context.refresh(pinned, mergeChanges: false)
            #expect(pinned.name == "Ada")
            try stack.inContext { other in
                let author = try #require(other.existingObject(with: authorID) as? Author)
                #expect(author.name == "Eve")
            }
        }
    }

    // MARK: Batched and asynchronous fetches, controllers

    @Test(arguments: [false, true]) func batchesAreReadInTheGenerationOfTheContext(asCollection: Bool) throws {
        let context = stack.context()
        try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            request.fetchBatchSize = 1
            if asCollection {
                let books = try context.fetchInBatches(request)
                try overwrite()
                #expect(books.map(\.title) == ["Emma", "Ulysses"])
                #expect(books.first?.author?.name == "Ada")
            } else {
                let books = try context.fetch(request)
                try overwrite()
                #expect(books.map(\.title) == ["Emma", "Ulysses"])
                #expect(books.first?.author?.name == "Ada")
            }
            #expect(try stack.inContext { try titles($0) } == ["Dubliners", "Persuasion"])
        }
    }

    @Test func anAsynchronousFetchReadsTheGenerationOfItsContext() async throws {
        let context = stack.context()
        try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            #expect(try count(context) == 2)
        }
        try overwrite()
        let found = try await withCheckedThrowingContinuation { (done: CheckedContinuation<[String], any Error>) in
            context.performAndWait {
                let request = NSFetchRequest<Book>(entityName: "Book")
                request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
                    // The rows may come later than the result; they are those of the generation too.
                    done.resume(returning: (result.finalResult ?? []).map { "\($0.title) \($0.author?.name ?? "")" })
                }
                do {
                    try context.execute(asynchronous)
                } catch {
                    done.resume(throwing: error)
                }
            }
        }
        #expect(found == ["Emma Ada", "Ulysses Ada"])
    }

    private final class Listener: NSObject, NSFetchedResultsControllerDelegate {}

    @Test func aControllerOfAPinnedContextKeepsWhatItsGenerationHas() throws {
        let context = stack.context()
        let listener = Listener()
        try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            request.predicate = NSPredicate(format: "inPrint == YES")
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            controller.delegate = listener
            for book in try context.fetch(NSFetchRequest<Book>(entityName: "Book")) {
                book.setValue(true, forKey: "inPrint")
            }
            try context.save()
            try controller.performFetch()
            var shown: [String] { controller.fetchedObjects?.map(\.title) ?? [] }
            #expect(shown == ["Emma", "Ulysses"])
            let emma = try #require(controller.fetchedObjects?.first)
            // It leaves by a change here, others delete its row, and the change is taken back: in the generation that the
            // context reads the row is still there, and so is the object.
            emma.setValue(false, forKey: "inPrint")
            context.processPendingChanges()
            #expect(shown == ["Ulysses"])
            try overwrite()
            context.refresh(emma, mergeChanges: false)
            context.processPendingChanges()
            #expect(shown == ["Emma", "Ulysses"])
            // The newest state has other books.
            try context.setQueryGenerationFrom(nil)
            context.refreshAllObjects()
            try controller.performFetch()
            #expect(shown == ["Dubliners", "Persuasion"])
        }
    }

    @Test(arguments: ["without a log", "for reading"]) func storesWithoutALogOfTheirOwnHaveNoGenerations(how: String)
        throws
    {
        let options: [AnyHashable: Any] =
            how == "for reading"
            ? [NSReadOnlyPersistentStoreOption: true] : [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
        let folder = how == "for reading" ? stack.folder : nil
        let other = try TestStack(folder: folder, options: options)
        try other.inContext { (context: NSManagedObjectContext) throws -> Void in
            try context.setQueryGenerationFrom(.current)
            let books = try count(context)
            #expect(books == (folder == nil ? 0 : 2))
            #expect(context.queryGenerationToken == nil)
        }
    }
}
