import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Section 2 of the observed behavior: registration and faults. Numbers are section.fact.
@Suite(.serialized) struct FaultTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    private func savedItem(_ stack: TestStack, name: String = "one") throws -> NSManagedObjectID {
        try stack.inContext { context in
            let item = HookItem(context: context)
            item.name = name
            try context.save()
            return item.objectID
        }
    }

    // Behaviour 2.1
    @Test(arguments: storeTypes) func dirtyObjectsAreKeptAlive(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            do { Book(context: context).title = "Emma" }
            #expect(context.registeredObjects.count == 1)
            try context.save()
            #expect(context.registeredObjects.isEmpty)
            do { try context.fetch(NSFetchRequest<Book>(entityName: "Book")).first?.title = "Persuasion" }
            #expect(context.registeredObjects.count == 1)
            do {
                let book = try #require(context.registeredObjects.first)
                context.delete(book)
            }
            #expect(context.registeredObjects.count == 1)
            try context.save()
            #expect(context.registeredObjects.isEmpty)
        }
    }

    // Behaviour 2.1
    @Test func retainsRegisteredObjectsKeepsCleanObjects() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            context.retainsRegisteredObjects = true
            do { _ = Book(context: context) }
            try context.save()
            #expect(context.registeredObjects.count == 1)
            context.retainsRegisteredObjects = false
            #expect(context.registeredObjects.isEmpty)
        }
    }

    // Behaviour 2.2
    @Test func objectsRelatedBothWaysLeaveAfterARefresh() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            do {
                let (author, book) = (Author(context: context), Book(context: context))
                book.author = author
                try context.save()
            }
            context.refreshAllObjects()
            #expect(context.registeredObjects.isEmpty)
        }
    }

    // Behaviour 2.5, 3.16
    @Test func anObjectWithoutContextHasATemporaryIdentifierAndMayBeDeleted() throws {
        let model = LibraryModel.make()
        let stack = try TestStack(model: model)
        let entity = try #require(model.entitiesByName["Book"])
        let book = Book(entity: entity, insertInto: nil)
        let uri = book.objectID.uriRepresentation()
        #expect(book.managedObjectContext == nil && book.objectID.isTemporaryID)
        #expect(book.objectID.persistentStore == nil)
        #expect(uri.absoluteString.hasPrefix("x-coredata:///Book/t"))
        book.title = "Emma"
        try stack.inContext { context in
            context.delete(book)
            #expect(!context.hasChanges)
            context.insert(book)
            #expect(book.isInserted && book.title == "Emma")
            try context.save()
        }
        #expect(try stack.sqlite("SELECT ZTITLE FROM ZBOOK") == "Emma")
    }

    // Behaviour 2.8
    @Test(arguments: storeTypes) func existingObjectIsRealizedOrTheRegisteredOne(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        let id = try savedItem(stack)
        try stack.inContext { context in
            let found = try context.existingObject(with: id)
            #expect(!found.isFault)
            #expect(try context.existingObject(with: id) === found)
            let new = HookItem(context: context)
            #expect(try context.existingObject(with: new.objectID) === new)
            #expect(context.registeredObject(for: id) === found)
        }
        try stack.inContext { context in
            #expect(context.registeredObject(for: id) == nil)
            let fault = context.object(with: id)
            #expect(fault.isFault)
            let found = try context.existingObject(with: id)
            #expect(found === fault && !fault.isFault)
        }
    }

    // Behaviour 2.9
    @Test(arguments: storeTypes) func realizedResultsIncludePendingObjects(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        _ = try savedItem(stack)
        try stack.inContext { context in
            HookItem(context: context).name = "two"
            let request = NSFetchRequest<HookItem>(entityName: "Item")
            request.returnsObjectsAsFaults = false
            let items = try context.fetch(request)
            #expect(items.count == 2 && items.allSatisfy { !$0.isFault })
        }
    }

    // Behaviour 2.10
    @Test(arguments: storeTypes) func firingAFaultAwakesTheObjectOnce(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        _ = try savedItem(stack)
        try stack.inContext { context in
            let item = try #require(try context.fetch(NSFetchRequest<HookItem>(entityName: "Item")).first)
            #expect(item.isFault && item.calls["awakeFromFetch"] == nil)
            #expect(item.name == "one" && item.amount == 7)
            #expect(!item.isFault && item.calls["awakeFromFetch"] == 1)
            #expect(item.calls["awakeFromInsert"] == nil)
            #expect(!item.hasChanges)
        }
    }

    // Behaviour 2.11
    @Test(arguments: storeTypes) func aNewObjectLosesItsValuesWhenItBecomesAFault(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        stack.inContext { context in
            let item = HookItem(context: context)
            item.name = "pending"
            context.refresh(item, mergeChanges: false)
            #expect(item.isFault)
            #expect(item.name == nil)
            #expect(!item.isFault)
        }
    }

    // Behaviour 2.12
    @Test(arguments: storeTypes) func aHeldObjectIsAFaultWithoutContextAfterReset(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        let id = try savedItem(stack)
        stack.inContext { context in
            let item = context.object(with: id) as? HookItem
            #expect(item?.name == "one")
            context.reset()
            #expect(item?.isFault == true && item?.managedObjectContext == nil)
            #expect(item?.amount == 0 && item?.name == nil)
        }
    }

    // Behaviour 2.13
    @Test(arguments: storeTypes) func refreshAllKeepsEditsAndMakesCleanObjectsFaults(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        let ids = try [savedItem(stack), savedItem(stack, name: "two")]
        try stack.inContext { context in
            let items = ids.compactMap { context.object(with: $0) as? HookItem }
            #expect(items.map(\.name) == ["one", "two"])
            items[0].name = "edited"
            context.refreshAllObjects()
            #expect(!items[0].isFault && items[0].name == "edited" && items[0].hasChanges)
            #expect(items[1].isFault)
            try context.save()
        }
    }

    // Behaviour 2.14
    @Test(arguments: storeTypes) func refreshWithoutMergingTellsTheObjectOnce(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        let id = try savedItem(stack)
        stack.inContext { context in
            guard let item = context.object(with: id) as? HookItem else { return }
            item.name = "edited"
            context.refresh(item, mergeChanges: false)
            #expect(item.isFault && item.calls["willTurnIntoFault"] == 1 && item.calls["didTurnIntoFault"] == 1)
            #expect(item.name == "one" && !context.hasChanges)
        }
    }

    // Behaviour 2.15
    @Test(.enabled(if: SQLiteShell.isAvailable)) func aRefreshReadsTheRowCacheUnlessValuesMayNotBeOld() throws {
        let stack = try TestStack(model: HookItem.model())
        let id = try savedItem(stack)
        try stack.inContext { context in
            guard let item = context.object(with: id) as? HookItem else { return }
            #expect(item.name == "one")
            _ = try stack.sqlite("UPDATE ZITEM SET ZNAME = 'foreign', Z_OPT = Z_OPT + 1")
            context.refresh(item, mergeChanges: false)
            #expect(item.name == "one")
            context.stalenessInterval = 0
            context.refresh(item, mergeChanges: false)
            #expect(item.name == "foreign")
        }
    }

    // We do what the documentation says.
    // Behaviour 2.16
    @Test(arguments: storeTypes) func shouldRefreshRefetchedObjectsTakesTheNewValues(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        let id = try savedItem(stack)
        try stack.inContext { context in
            let item = try #require(context.object(with: id) as? HookItem)
            #expect(item.name == "one")
            try stack.inContext { other in
                (other.object(with: id) as? HookItem)?.name = "newer"
                try other.save()
            }
            let request = NSFetchRequest<HookItem>(entityName: "Item")
            #expect(try context.fetch(request).first?.name == "one")
            request.shouldRefreshRefetchedObjects = true
            #expect(try context.fetch(request).first === item)
            #expect(item.name == "newer")
        }
    }

    // Behaviour 2.18
    @Test func aToManyIsAFaultOfItsOwn() throws {
        let log = StatementLog()
        let stack = try TestStack(options: log.options)
        try stack.inContext { context in
            let author = Author(context: context)
            for _ in 0..<3 { Book(context: context).author = author }
            try context.save()
        }
        try stack.inContext { context in
            let author = try #require(try context.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
            #expect(author.hasFault(forRelationshipNamed: "books"))
            log.clear()
            _ = author.name
            #expect(log.selects.isEmpty)
            #expect(author.books.count == 3)
            #expect(log.selects.count == 1)
            #expect(author.books.count == 3 && author.books.first?.author === author)
            #expect(log.selects.count == 1)
            #expect(!author.hasFault(forRelationshipNamed: "books"))
        }
    }

    @Test(arguments: storeTypes) func aFaultWhoseRowIsGoneHasNoValues(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        let id = try savedItem(stack)
        try stack.inContext { context in
            let fault = try #require(context.object(with: id) as? HookItem)
            try stack.inContext { other in
                other.delete(other.object(with: id))
                try other.save()
            }
            #expect(fault.name == nil && fault.amount == 0)
        }
    }
}
