import CoreData
import Foundation

/// The history token in a file, as Apple's sample "Synchronizing a local store" keeps it.
final class HistoryReader {
    private let container: NSPersistentContainer
    private let tokenFile: URL

    init(_ container: NSPersistentContainer, _ folder: URL) {
        self.container = container
        tokenFile = folder.appendingPathComponent("token.data", isDirectory: false)
    }

    private var lastToken: NSPersistentHistoryToken? {
        get {
            guard let data = try? Data(contentsOf: tokenFile) else { return nil }
            return try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
        }
        set {
            guard let newValue = newValue,
                let data = try? NSKeyedArchiver.archivedData(withRootObject: newValue, requiringSecureCoding: true)
            else { return }
            try? data.write(to: tokenFile)
        }
    }

    /// The names of changed objects since the last time, by the transactions of others.
    func process(except author: String, into viewContext: NSManagedObjectContext) throws -> Int {
        let taskContext = container.newBackgroundContext()
        let token = lastToken
        let transactions = try taskContext.performAndWait { () -> [NSPersistentHistoryTransaction] in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            if let historyFetchRequest = NSPersistentHistoryTransaction.fetchRequest {
                historyFetchRequest.predicate = NSPredicate(format: "author != %@", author)
                request.fetchRequest = historyFetchRequest
            }
            let result = try taskContext.execute(request) as? NSPersistentHistoryResult
            return result?.result as? [NSPersistentHistoryTransaction] ?? []
        }
        for transaction in transactions {
            viewContext.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
            lastToken = transaction.token
        }
        return transactions.reduce(0) { $0 + ($1.changes?.count ?? 0) }
    }

    func purge(before date: Date) throws {
        let request = NSPersistentHistoryChangeRequest.deleteHistory(before: date)
        let context = container.newBackgroundContext()
        _ = try context.performAndWait { try context.execute(request) }
    }
}

/// Counts what contexts announce.
final class ChangeObserver {
    let inserted = Counter()
    let updated = Counter()
    let saves = Counter()
    private var tokens: [NSObjectProtocol] = []

    init(_ context: NSManagedObjectContext) {
        let center = NotificationCenter.default
        let (inserted, updated, saves) = (inserted, updated, saves)
        tokens.append(
            center.addObserver(forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil) { note in
                guard let userInfo = note.userInfo else { return }
                if let objects = userInfo[NSInsertedObjectsKey] as? Set<NSManagedObject> { inserted.add(objects.count) }
                if let objects = userInfo[NSUpdatedObjectsKey] as? Set<NSManagedObject> { updated.add(objects.count) }
            })
        tokens.append(
            center.addObserver(forName: NSNotification.Name.NSManagedObjectContextDidSave, object: context, queue: nil)
            {
                _ in saves.add()
            })
    }

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }
}

/// A policy that adds up what both sides counted.
final class SummingPolicy: NSMergePolicy, @unchecked Sendable {
    override func resolve(mergeConflicts list: [Any]) throws {
        for case let conflict as NSMergeConflict in list {
            guard let book = conflict.sourceObject as? Book else { continue }
            let stored = conflict.persistedSnapshot ?? conflict.cachedSnapshot
            let theirs = stored?["pages"] as? Int ?? 0
            let base = conflict.objectSnapshot?["pages"] as? Int ?? 0
            let mine = Int(book.pages)
            try super.resolve(mergeConflicts: [conflict])
            book.pages = Int32(theirs + mine - base)
        }
    }
}

private func tracked() throws -> NSPersistentContainer {
    try Library.container { description in
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    }
}

let following: [Idiom] = [
    Idiom("history since a token that is kept in a file") {
        let container = try tracked()
        let reader = HistoryReader(container, try Library.folder())
        container.viewContext.transactionAuthor = "app"
        try Library.fill(container.viewContext)
        let context = container.newBackgroundContext()
        context.transactionAuthor = "extension"
        try context.performAndWait {
            Book(context: context).title = "new"
            try context.save()
        }
        try check(reader.process(except: "app", into: container.viewContext) == 1)
        try check(reader.process(except: "app", into: container.viewContext) == 0)
        try reader.purge(before: Date())
    },
    Idiom("remote change notifications") {
        let container = try tracked()
        let heard = Counter()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: container.persistentStoreCoordinator, queue: nil
        ) { note in
            if note.userInfo?[NSPersistentHistoryTokenKey] is NSPersistentHistoryToken { heard.add() }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        Item(context: container.viewContext).timestamp = Date()
        try container.viewContext.save()
        try await wait { heard.value > 0 }
    },
    Idiom("merging a did-save notification into another context") {
        let container = try Library.container()
        let view = container.viewContext
        let book = try Library.fill(view)[0]
        let background = container.newBackgroundContext()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: background, queue: nil
        ) { notification in
            view.perform { view.mergeChanges(fromContextDidSave: notification) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let id = book.objectID
        try await background.perform {
            (try background.existingObject(with: id) as? Book)?.title = "merged"
            try background.save()
        }
        try await wait { book.title == "merged" }
    },
    Idiom("automaticallyMergesChangesFromParent") {
        let container = try Library.container()
        container.viewContext.automaticallyMergesChangesFromParent = true
        container.viewContext.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
        let id = try Library.fill(container.viewContext)[0].objectID
        let book = container.viewContext.object(with: id) as! Book
        try await container.performBackgroundTask { context in
            (context.object(with: id) as! Book).pages = 999
            try context.save()
        }
        try await wait { book.pages == 999 }
    },
    Idiom("observing what changes and saves") {
        let context = try Library.container().viewContext
        let observer = ChangeObserver(context)
        let book = Book(context: context)
        context.processPendingChanges()
        try context.save()
        book.title = "changed"
        try context.save()
        try check(observer.inserted.value == 1 && observer.saves.value == 2 && observer.updated.value >= 1)
    },
    Idiom("the sentence of a save conflict, and a merge policy") {
        let container = try Library.container()
        let id = try Library.fill(container.viewContext)[0].objectID
        let first = container.newBackgroundContext()
        first.automaticallyMergesChangesFromParent = false
        let second = container.viewContext
        second.mergePolicy = NSErrorMergePolicy
        let book = try second.existingObject(with: id) as! Book
        _ = book.pages
        try first.performAndWait {
            (try first.existingObject(with: id) as! Book).pages = 1
            try first.save()
        }
        book.pages = 2
        do {
            try second.save()
            throw IdiomFailure(description: "saved")
        } catch let error as NSError where error.code == NSManagedObjectMergeError {
            let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
            try check(conflicts?.first?.sourceObject === book)
        }
        second.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        try second.save()
        try check(book.pages == 2)
    },
    Idiom("a merge policy of one's own") {
        let container = try Library.container()
        let id = try Library.fill(container.viewContext)[0].objectID
        let view = container.viewContext
        view.mergePolicy = SummingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        let book = try view.existingObject(with: id) as! Book
        try check(book.pages == 10)
        let other = container.newBackgroundContext()
        try other.performAndWait {
            (try other.existingObject(with: id) as! Book).pages = 15
            try other.save()
        }
        book.pages = 17
        try view.save()
        try check(book.pages == 22, "\(book.pages)")
    },
    Idiom("a uniqueness constraint keeps one of two") {
        let container = try Library.container()
        container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        for value in ["1", "2"] {
            let setting = Setting(context: container.viewContext)
            setting.key = "theme"
            setting.value = value
            try container.viewContext.save()
        }
        try check(container.viewContext.fetch(Setting.fetchRequest()).map(\.value) == ["2"])
    },
    Idiom("a pinned query generation") {
        let container = try Library.container()
        try Library.fill(container.viewContext)
        try container.viewContext.setQueryGenerationFrom(.current)
        // It is pinned when something is read for the first time.
        try check(container.viewContext.count(for: Book.fetchRequest()) == 12)
        try await container.performBackgroundTask { context in
            Book(context: context).title = "later"
            try context.save()
        }
        try check(container.viewContext.count(for: Book.fetchRequest()) == 12)
        try container.viewContext.setQueryGenerationFrom(.current)
        try check(container.viewContext.count(for: Book.fetchRequest()) == 13)
    },
    Idiom("the state of an object through its life") {
        let context = try Library.container().viewContext
        let book = Book(context: context)
        try check(book.isInserted && book.objectID.isTemporaryID && book.changedValues().isEmpty)
        book.title = "t"
        try context.save()
        book.title = "u"
        try check(book.isUpdated && book.committedValues(forKeys: ["title"])["title"] as? String == "t")
        try check(book.changedValues()["title"] as? String == "u")
        try context.save()
        context.refresh(book, mergeChanges: false)
        try check(book.isFault && book.title == "u" && !book.isFault)
    },
]
