import Foundation
import OpenCoreData
import TestSupport
import Testing

/// `performTransaction`: saves and batch requests that reach the stores together, or not at all.
@Suite struct CoordinatorTransactionTests {
    private struct Stop: Error {}

    private static let types = [NSSQLiteStoreType, NSInMemoryStoreType, NSBinaryStoreType, NSXMLStoreType]

    private func names(_ context: NSManagedObjectContext) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
    }

    private func seen(_ context: NSManagedObjectContext) throws -> [String] {
        try context.performAndWait { try names(context) }
    }

    private func name(_ id: NSManagedObjectID, _ context: NSManagedObjectContext) throws -> String? {
        try context.performAndWait { try context.existingObject(with: id).value(forKey: "name") as? String }
    }

    @discardableResult
    private func insert(_ name: String, _ context: NSManagedObjectContext) -> NSManagedObject {
        let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
        author.setValue(name, forKey: "name")
        return author
    }

    @Test(arguments: types) func othersSeeItAtItsEnd(_ type: String) throws {
        let stack = try TestStack(type: type)
        let context = stack.context()
        let other = stack.context()
        try context.performAndWait {
            try context.performTransaction {
                insert("a", context)
                try context.save()
                insert("b", context)
                try context.save()
                #expect(try names(context) == ["a", "b"])
                try onAnotherThread {
                    let names = try seen(other)
                    #expect(names == [])
                }
                insert("c", context)
            }
            #expect(!context.hasChanges)
        }
        #expect(try seen(other) == ["a", "b", "c"])
        let again = try type == NSInMemoryStoreType ? stack : TestStack(type: type, folder: stack.folder)
        #expect(try seen(again.context()) == ["a", "b", "c"])
    }

    @Test(arguments: types) func aThrowLeavesTheStoreAndTheContextsAsTheyWere(_ type: String) throws {
        let stack = try TestStack(type: type)
        let id = try stack.inContext { context in
            let author = insert("before", context)
            try context.save()
            return author.objectID
        }
        let (context, other) = (stack.context(), stack.context())
        let held = try other.performAndWait { try other.existingObject(with: id) }
        try context.performAndWait {
            let author = try context.existingObject(with: id)
            #expect(throws: Stop.self) {
                try context.performTransaction {
                    author.setValue("changed", forKey: "name")
                    try context.save()
                    try other.performAndWait {
                        insert("other", other)
                        try other.save()
                    }
                    insert("unsaved", context)
                    throw Stop()
                }
            }
            #expect(!context.hasChanges)
            #expect(try names(context) == ["before"])
            #expect(try context.existingObject(with: id).value(forKey: "name") as? String == "before")
        }
        try other.performAndWait {
            #expect(try names(other) == ["before"])
            // Its objects are not what is in the store.
            #expect(held.managedObjectContext == nil)
            insert("later", other)
            try other.save()
        }
        #expect(try seen(stack.context()) == ["before", "later"])
    }

    @Test func notificationsAndMergesComeWithTheCommit() throws {
        let stack = try TestStack()
        let (context, follower) = (stack.context(), stack.context())
        follower.automaticallyMergesChangesFromParent = true
        let ids = try context.performAndWait {
            let authors = ["a", "b"].map { insert($0, context) }
            try context.save()
            return authors.map(\.objectID)
        }
        let shown = try follower.performAndWait { try ids.map { try follower.existingObject(with: $0) } }
        let log = NotificationLog(context, [.NSManagedObjectContextDidSaveObjectIDs])
        func ages() -> [String?] {
            follower.performAndWait { shown.map { $0.isDeleted ? nil : $0.value(forKey: "name") as? String } }
        }
        try context.performAndWait {
            #expect(throws: Stop.self) {
                try context.performTransaction {
                    try context.existingObject(with: ids[0]).setValue("x", forKey: "name")
                    try context.save()
                    throw Stop()
                }
            }
            #expect(log.entries.isEmpty && ages() == ["a", "b"])
            try context.performTransaction {
                try context.existingObject(with: ids[0]).setValue("y", forKey: "name")
                try context.save()
                #expect(log.entries.isEmpty && ages() == ["a", "b"])
                let update = NSBatchUpdateRequest(entityName: "Author")
                update.predicate = NSPredicate(format: "name == 'b'")
                update.propertiesToUpdate = ["name": "z"]
                try context.execute(update)
            }
            #expect(log.entries.count == 1)
        }
        #expect(ages() == ["y", "z"])
    }

    @Test func rowsThatOthersHaveInMemoryAreThoseOfTheStore() throws {
        let stack = try TestStack()
        let (context, other) = (stack.context(), stack.context())
        let id = try context.performAndWait {
            let author = insert("a", context)
            try context.save()
            return author.objectID
        }
        #expect(try name(id, other) == "a")
        #expect(throws: Stop.self) {
            try context.performAndWait {
                try context.performTransaction {
                    try context.existingObject(with: id).setValue("x", forKey: "name")
                    try context.save()
                    let other = stack.context()
                    try onAnotherThread {
                        let name = try name(id, other)
                        #expect(name == "a")
                    }
                    throw Stop()
                }
            }
        }
        #expect(try name(id, stack.context()) == "a")
        try context.performAndWait {
            try context.performTransaction { try context.existingObject(with: id).setValue("y", forKey: "name") }
        }
        #expect(try name(id, stack.context()) == "y")
    }

    @Test(arguments: types) func anInnerOneIsPartOfTheOuter(_ type: String) throws {
        let stack = try TestStack(type: type)
        let context = stack.context()
        try context.performAndWait {
            try context.performTransaction {
                try context.performTransaction { insert("a", context) }
                insert("b", context)
            }
            #expect(try names(context) == ["a", "b"])
            // What the inner one has undone can't be told from the rest.
            #expect(throws: Stop.self) {
                try context.performTransaction {
                    insert("c", context)
                    try? context.performTransaction { throw Stop() }
                }
            }
            #expect(try names(context) == ["a", "b"])
        }
    }

    @Test func aChildCantBeginOne() throws {
        let stack = try TestStack()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context()
        #expect(throws: CocoaError.self) { try child.performAndWait { try child.performTransaction {} } }
    }

    @Test func severalStoresChangeTogether() throws {
        let model = LibraryModel.make()
        model.setEntities(
            model.entities.filter { $0.name == "Author" || $0.name == "Book" || $0.name == "Tag" },
            forConfigurationName: "One")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let folder = try TemporaryFolder()
        for name in ["x", "y"] {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("\(name).sqlite"))
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        #expect(throws: Stop.self) { try insertIntoAll(1, context, thenThrow: true) }
        #expect(try seen(context) == [])
        try insertIntoAll(2, context, thenThrow: false)
        #expect(try seen(context) == ["2-0", "2-1"])
    }

    private func insertIntoAll(_ round: Int, _ context: NSManagedObjectContext, thenThrow: Bool) throws {
        let stores = context.persistentStoreCoordinator?.persistentStores ?? []
        try context.performAndWait {
            try context.performTransaction {
                for (index, store) in stores.enumerated() {
                    context.assign(insert("\(round)-\(index)", context), to: store)
                }
                try context.save()
                if thenThrow { throw Stop() }
            }
        }
    }

    @Test func transactionsOfSeveralThreadsFollowEachOther() throws {
        let stack = try TestStack()
        let id = try stack.inContext { context in
            let author = insert("0", context)
            try context.save()
            return author.objectID
        }
        DispatchQueue.concurrentPerform(iterations: 40) { _ in
            do {
                try stack.inContext { context in
                    try context.performTransaction {
                        let author = try context.existingObject(with: id)
                        let number = Int(author.value(forKey: "name") as? String ?? "") ?? 0
                        author.setValue("\(number + 1)", forKey: "name")
                    }
                }
            } catch {
                Issue.record("\(error)")
            }
        }
        #expect(try seen(stack.context()) == ["40"])
    }

    private func onAnotherThread(_ body: @escaping () throws -> Void) throws {
        let box = SendableBox(body)
        let done = DispatchSemaphore(value: 0)
        let failures = Noted<any Error>()
        Thread.detachNewThread {
            do { try box.value() } catch { failures.note(error) }
            done.signal()
        }
        done.wait()
        if let error = failures.all.first { throw error }
    }
}
