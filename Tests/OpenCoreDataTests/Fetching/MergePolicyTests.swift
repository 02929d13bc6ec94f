import OpenCoreData
import Testing

/// Two contexts change the same objects; the second to save has the policy.
@Suite struct MergePolicyTests {
    let coordinator: NSPersistentStoreCoordinator
    let mine: NSManagedObjectContext
    let other: NSManagedObjectContext

    init() throws {
        coordinator = try PublishingModel.memoryCoordinator()
        mine = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        mine.persistentStoreCoordinator = coordinator
        other.persistentStoreCoordinator = coordinator
    }

    private static func books(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
    }

    /// The book as the store has it: title, price and pages.
    private func stored() throws -> [String] {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            try Self.books(context).map { book in
                ["title", "price", "pages"].map { "\(book.value(forKey: $0) ?? "-")" }.joined(separator: " ")
            }
        }
    }

    /// The book is "a 1 1". Here the title becomes "mine" and the pages 10, there the title "theirs" and the price 2.
    private func conflict(_ policy: NSMergePolicy) throws {
        try mine.performAndWait {
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: mine)
            book.setValuesForKeys(["title": "a", "price": 1.0, "pages": 1])
            try mine.save()
        }
        try mine.performAndWait {
            let book = try #require(try Self.books(mine).first)
            book.setValue("mine", forKey: "title")
            book.setValue(10, forKey: "pages")
        }
        try other.performAndWait {
            let book = try #require(try Self.books(other).first)
            book.setValue("theirs", forKey: "title")
            book.setValue(2.0, forKey: "price")
            try other.save()
        }
        mine.mergePolicy = policy
        try mine.performAndWait { try mine.save() }
    }

    // Behaviour 5.1, 4.10
    @Test func theErrorPolicyFailsTheSaveWithTheConflicts() throws {
        #expect((mine.mergePolicy as? NSMergePolicy) === NSMergePolicy.error)
        #expect(NSErrorMergePolicy === NSMergePolicy.error)
        let error = #expect(throws: CocoaError.self) { try conflict(.error) }
        #expect(error?.code == .managedObjectMerge)
        let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        #expect(conflicts?.count == 1)
        #expect(conflicts?.first?.objectSnapshot?["title"] as? String == "a")
        #expect(try stored() == ["theirs 2.0 1"])
    }

    // Behaviour 5.2
    @Test func storeTrumpKeepsTheStoresValueOfConflictingPropertiesAndOtherLocalEdits() throws {
        try conflict(.mergeByPropertyStoreTrump)
        #expect(try stored() == ["theirs 2.0 10"])
    }

    // Behaviour 5.3
    @Test func objectTrumpKeepsLocalValuesAndTheOthersOtherChanges() throws {
        try conflict(.mergeByPropertyObjectTrump)
        #expect(try stored() == ["mine 2.0 10"])
    }

    // Behaviour 5.4
    @Test func overwriteWritesTheWholeObject() throws {
        try conflict(.overwrite)
        #expect(try stored() == ["mine 1.0 10"])
    }

    // Behaviour 5.5
    @Test func rollbackDropsLocalChanges() throws {
        try conflict(.rollback)
        #expect(try stored() == ["theirs 2.0 1"])
        try mine.performAndWait {
            let book = try #require(try Self.books(mine).first)
            #expect(book.changedValues().isEmpty)
            #expect(book.value(forKey: "title") as? String == "theirs")
        }
    }

    // Behaviour 5.7
    @Test func aSubclassMayChangeObjectsAfterTheRuleWasApplied() throws {
        let policy = AnnotatingPolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        try conflict(policy)
        #expect(try stored() == ["settled 2.0 10"])
    }

    // MARK: Deleted elsewhere

    private func deletedElsewhere(_ policy: NSMergePolicy) throws {
        try mine.performAndWait {
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: mine)
            book.setValuesForKeys(["title": "a", "price": 1.0, "pages": 1])
            try mine.save()
            book.setValue("mine", forKey: "title")
        }
        try other.performAndWait {
            for book in try Self.books(other) { other.delete(book) }
            try other.save()
        }
        mine.mergePolicy = policy
        try mine.performAndWait { try mine.save() }
    }

    @Test func aRowThatIsGoneStaysGoneWhenTheObjectTrumps() throws {
        try deletedElsewhere(.mergeByPropertyObjectTrump)
        #expect(try stored().isEmpty)
        #expect(try mine.performAndWait { try Self.books(mine).count } == 0)
    }

    @Test func aRowThatIsGoneIsWrittenAgainWhenItIsOverwritten() throws {
        try deletedElsewhere(.overwrite)
        #expect(try stored() == ["mine 1.0 1"])
    }

    @Test func anObjectGoesWithItsRowWhenTheStoreTrumps() throws {
        try deletedElsewhere(.mergeByPropertyStoreTrump)
        #expect(try stored().isEmpty)
        #expect(try mine.performAndWait { try Self.books(mine).count } == 0)
    }

    // MARK: Uniqueness

    /// There is a tag "new" with one book; here another tag "new" with another book is made.
    private func secondTag(_ policy: NSMergePolicy) throws {
        for (context, title) in [(other, "One"), (mine, "Two")] {
            context.mergePolicy = policy
            try context.performAndWait {
                let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
                tag.setValue("new", forKey: "name")
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue(title, forKey: "title")
                book.setValue(NSSet(object: tag), forKey: "tags")
                try context.save()
            }
        }
    }

    private func tagged() throws -> [[String]] {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).map { tag in
                (tag.value(forKey: "books") as? Set<NSManagedObject> ?? [])
                    .compactMap { $0.value(forKey: "title") as? String }.sorted()
            }
        }
    }

    // Behaviour 4.11
    @Test func aUniquenessConflictFailsUnderTheErrorPolicy() throws {
        let error = #expect(throws: CocoaError.self) { try secondTag(.error) }
        #expect(error?.code == .managedObjectConstraintMerge)
        let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
        #expect(conflicts?.first?.constraint == ["name"])
        #expect(conflicts?.first?.constraintValues["name"] as? String == "new")
        #expect(conflicts?.first?.databaseObject != nil)
    }

    // Behaviour 5.8
    @Test(arguments: [
        NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
    ])
    func aNewObjectCollapsesOntoTheStoredOne(_ type: NSMergePolicyType) throws {
        try secondTag(NSMergePolicy(merge: type))
        #expect(try tagged() == [["One", "Two"]])
    }

    @Test func noConflictsAreNoError() throws {
        for policy in [NSMergePolicy.error, .overwrite, .mergeByPropertyObjectTrump] {
            try policy.resolve(optimisticLockingConflicts: [])
            try policy.resolve(constraintConflicts: [])
            try policy.resolve(mergeConflicts: [])
        }
    }

    @Test func rollbackDropsTheNewObject() throws {
        try secondTag(.rollback)
        #expect(try tagged() == [["One"]])
    }

    @Test func newObjectsThatClashWithEachOtherBecomeOne() throws {
        mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try mine.performAndWait {
            for _ in 0..<3 {
                let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: mine)
                tag.setValue("new", forKey: "name")
            }
            try mine.save()
        }
        #expect(try tagged().count == 1)
    }
}

/// Says in the title that it was there.
// @unchecked Sendable because it has no state of its own.
private final class AnnotatingPolicy: NSMergePolicy, @unchecked Sendable {
    override func resolve(mergeConflicts list: [Any]) throws {
        try super.resolve(mergeConflicts: list)
        for case let conflict as NSMergeConflict in list { conflict.sourceObject.setValue("settled", forKey: "title") }
    }
}
