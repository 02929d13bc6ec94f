import CoreData
import Foundation

@MainActor
private func tracked() throws -> NSPersistentContainer {
    try Library.container { $0.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey) }
}

extension NSManagedObjectContext {
    fileprivate func history(_ request: NSPersistentHistoryChangeRequest) throws -> [NSPersistentHistoryTransaction] {
        try performAndWait {
            let result = try execute(request) as? NSPersistentHistoryResult
            return result?.result as? [NSPersistentHistoryTransaction] ?? []
        }
    }
}

/// Where targets of an app keep how far they have read, as the usual kits do it.
private struct Timestamps {
    let defaults: UserDefaults
    private func key(_ author: String) -> String { "HistoryTracker.lastToken.date.\(author)" }

    func last(_ author: String) -> Date? { defaults.object(forKey: key(author)) as? Date }
    func update(_ author: String, to date: Date?) { defaults.set(date, forKey: key(author)) }
    func lastCommon(_ authors: [String]) -> Date? {
        let dates = authors.compactMap(last)
        return dates.count == authors.count ? dates.min() : nil
    }
}

let histories: [Idiom] = [
    Idiom("transactions after a token that was archived, by others") {
        let container = try tracked()
        let context = container.newBackgroundContext()
        context.transactionAuthor = "app"
        let token = container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
        let data = try NSKeyedArchiver.archivedData(withRootObject: unwrap(token), requiringSecureCoding: true)
        let restored = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
        for (author, count) in [("app", 1), ("widget", 2), ("app", 3)] {
            try context.performAndWait {
                context.transactionAuthor = author
                for _ in 0..<count { Book(context: context).title = author }
                try context.save()
            }
        }
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: restored)
        let fetch = try unwrap(NSPersistentHistoryTransaction.fetchRequest)
        fetch.predicate = NSPredicate(format: "%K != %@", "author", "app")
        request.fetchRequest = fetch
        let found = try context.history(request)
        try check(found.map(\.author) == ["widget"] && found.first?.changes?.count == 2)
        try check(
            found[0].token != restored && found[0].timestamp <= Date()
                && found[0].storeID == container.persistentStoreCoordinator.persistentStores[0].identifier)
    },
    Idiom("clean up to what the slowest reader has read") {
        let container = try tracked()
        let context = container.newBackgroundContext()
        let defaults = try unwrap(UserDefaults(suiteName: UUID().uuidString))
        let timestamps = Timestamps(defaults: defaults)
        for title in ["a", "b", "c"] {
            try context.performAndWait {
                Book(context: context).title = title
                try context.save()
            }
        }
        let all = try context.history(.fetchHistory(after: Date.distantPast))
        timestamps.update("app", to: all[2].timestamp)
        try check(all.count == 3 && timestamps.lastCommon(["app", "widget"]) == nil)
        timestamps.update("widget", to: all[1].timestamp)
        let date = try unwrap(timestamps.lastCommon(["app", "widget"]))
        let deletion = NSPersistentHistoryChangeRequest.deleteHistory(before: date)
        try context.performAndWait {
            let result = try context.execute(deletion) as? NSPersistentHistoryResult
            try check(result?.resultType == .statusOnly && result?.result as? Bool == true)
        }
        try check(context.history(.fetchHistory(after: Date.distantPast)).count == 2)
    },
    Idiom("which properties of which objects changed") {
        let container = try tracked()
        let context = container.viewContext
        let books = try Library.fill(context)
        let token = container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
        books[0].title = "new title"
        books[0].pages = 5
        books[1].author = nil
        context.delete(books[2])
        try context.save()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.resultType = .changesOnly
        let changes = try unwrap(
            (context.execute(request) as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryChange])
        func properties(_ id: NSManagedObjectID) -> Set<String>? {
            changes.first { $0.changedObjectID == id && $0.changeType == .update }?.updatedProperties.map {
                Set($0.map(\.name))
            }
        }
        try check(properties(books[0].objectID) == ["title", "pages"] && properties(books[1].objectID) == ["author"])
        try check(
            changes.contains {
                $0.changeType == .delete && $0.changedObjectID == books[2].objectID && $0.tombstone == nil
            })
        try check(changes.allSatisfy { $0.changeID > 0 })
    },
    Idiom("changes of one entity, asked of the store") {
        let container = try tracked()
        let context = container.viewContext
        try Library.fill(context)
        let entity = try unwrap(NSPersistentHistoryChange.entityDescription(with: context))
        let fetch = NSFetchRequest<NSFetchRequestResult>()
        fetch.entity = entity
        fetch.predicate = NSPredicate(format: "changedEntity = %@", Author.entity())
        let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        request.resultType = .changesOnly
        let changes =
            (try context.execute(request) as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryChange]
        try check(changes?.count == 2 && changes?.allSatisfy { $0.changeType == .insert } == true)
    },
    Idiom("another context follows by the notification of each transaction") {
        let container = try tracked()
        let view = container.viewContext
        let books = try Library.fill(view)
        let token = container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
        let ids = books.map(\.objectID)
        let background = container.newBackgroundContext()
        background.automaticallyMergesChangesFromParent = false
        try background.performAndWait {
            (background.object(with: ids[0]) as! Book).title = "followed"
            background.delete(background.object(with: ids[1]))
            Book(context: background).title = "third"
            try background.save()
        }
        let changed = Counter()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: view, queue: nil
        ) { note in
            for key in [NSInsertedObjectsKey, NSRefreshedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] {
                changed.add((note.userInfo?[key] as? Set<NSManagedObject>)?.count ?? 0)
            }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        for transaction in try background.history(.fetchHistory(after: token)) {
            let note = transaction.objectIDNotification()
            try check((note.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID>)?.count == 1)
            view.mergeChanges(fromContextDidSave: note)
        }
        try check(books[0].title == "followed" && changed.value >= 3 && !view.updatedObjects.contains(books[0]))
        try check(view.count(for: Book.fetchRequest()) == 12)
    },
    Idiom("batches are in the history, and are merged from there") {
        let container = try tracked()
        let view = container.viewContext
        let books = try Library.fill(view)
        let token = container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
        let background = container.newBackgroundContext()
        background.transactionAuthor = "batch"
        try background.performAndWait {
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.predicate = NSPredicate(format: "genre == 'poetry'")
            update.propertiesToUpdate = ["pages": 1]
            try background.execute(update)
            let insert = NSBatchInsertRequest(
                entityName: "Item", objects: [["timestamp": Date()], ["timestamp": Date()]])
            try background.execute(insert)
            let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
            request.predicate = NSPredicate(format: "genre == 'novel'")
            try background.execute(NSBatchDeleteRequest(fetchRequest: request))
        }
        let found = try background.history(.fetchHistory(after: token))
        try check(found.map { $0.changes?.count } == [4, 2, 4] && found.allSatisfy { $0.author == "batch" })
        for transaction in found { view.mergeChanges(fromContextDidSave: transaction.objectIDNotification()) }
        try check(books.filter { $0.genre == "poetry" && !$0.isDeleted }.allSatisfy { $0.pages == 1 })
        try check(view.count(for: Book.fetchRequest()) == 8)
    },
]
