import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Section 5, facts 1 to 8: conflicts and how policies settle them. Numbers are section.fact.
@Suite(.serialized) struct SaveConflictTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    /// Saves a book, lets `theirs` change it in a second context while a first one has read it, then `ours` in the first.
    private func conflict(
        _ stack: TestStack, policy: NSMergePolicy, theirs: (Book, NSManagedObjectContext) -> Void,
        ours: (Book, NSManagedObjectContext) -> Void, after: (Book, NSManagedObjectContext, (any Error)?) throws -> Void
    ) throws {
        let id = try stack.inContext { context in
            let book = Book(context: context)
            book.title = "first"
            book.pages = 1
            book.price = 1
            try context.save()
            return book.objectID
        }
        try stack.inContext { context in
            context.mergePolicy = policy
            let book = try #require(context.object(with: id) as? Book)
            #expect(book.title == "first")
            try stack.inContext { other in
                let book = try #require(other.object(with: id) as? Book)
                theirs(book, other)
                try other.save()
            }
            ours(book, context)
            do {
                try context.save()
                try after(book, context, nil)
            } catch let error as CocoaError {
                try after(book, context, error)
            }
        }
    }

    private func stored(_ stack: TestStack) throws -> [String] {
        try stack.inContext { context in
            try context.fetch(NSFetchRequest<Book>(entityName: "Book")).map { "\($0.title) \($0.pages) \($0.price)" }
        }
    }

    // Behaviour 5.1
    @Test func theDefaultPolicyIsTheErrorPolicy() throws {
        let stack = try TestStack()
        let context = stack.context()
        context.performAndWait {
            #expect((context.mergePolicy as? NSMergePolicy)?.mergeType == .errorMergePolicyType)
        }
    }

    // After a failed save the change waits; once refreshed the context saves again.
    // Behaviour 5.1
    @Test(arguments: storeTypes) func theErrorPolicyFailsTheSaveAndKeepsTheChange(type: String) throws {
        let stack = try TestStack(type: type)
        try conflict(stack, policy: .error) { book, _ in
            book.title = "theirs"
        } ours: { book, _ in
            book.title = "ours"
        } after: { book, context, error in
            #expect((error as? CocoaError)?.code.rawValue == NSManagedObjectMergeError)
            #expect(book.title == "ours" && book.hasChanges)
            context.refresh(book, mergeChanges: true)
            #expect(book.title == "ours")
            try context.save()
        }
        #expect(try stored(stack) == ["ours 1 1.0"])
    }

    // Behaviour 5.2
    @Test(arguments: storeTypes) func storeTrumpTakesTheStoredValueOfWhatBothChanged(type: String) throws {
        let stack = try TestStack(type: type)
        try conflict(stack, policy: .mergeByPropertyStoreTrump) { book, _ in
            book.title = "theirs"
            book.price = 2
        } ours: { book, _ in
            book.title = "ours"
            book.pages = 2
        } after: { book, context, error in
            #expect(error == nil && !context.hasChanges)
            #expect(book.title == "theirs" && book.pages == 2 && book.price == 2)
        }
        #expect(try stored(stack) == ["theirs 2 2.0"])
    }

    // Behaviour 5.3
    @Test(arguments: storeTypes) func objectTrumpTakesTheLocalValueOfWhatBothChanged(type: String) throws {
        let stack = try TestStack(type: type)
        try conflict(stack, policy: .mergeByPropertyObjectTrump) { book, _ in
            book.title = "theirs"
            book.price = 2
        } ours: { book, _ in
            book.title = "ours"
            book.pages = 2
        } after: { book, _, error in
            #expect(error == nil)
            #expect(book.title == "ours" && book.pages == 2 && book.price == 2)
        }
        #expect(try stored(stack) == ["ours 2 2.0"])
    }

    // Behaviour 5.4
    @Test(arguments: storeTypes) func overwriteWritesTheWholeObject(type: String) throws {
        let stack = try TestStack(type: type)
        try conflict(stack, policy: .overwrite) { book, _ in
            book.title = "theirs"
            book.price = 2
        } ours: { book, _ in
            book.pages = 2
        } after: { book, _, error in
            #expect(error == nil)
            #expect(book.title == "first" && book.pages == 2 && book.price == 1)
        }
        #expect(try stored(stack) == ["first 2 1.0"])
    }

    // Behaviour 5.5
    @Test(arguments: storeTypes) func rollbackDropsTheLocalChanges(type: String) throws {
        let stack = try TestStack(type: type)
        try conflict(stack, policy: .rollback) { book, _ in
            book.title = "theirs"
        } ours: { book, _ in
            book.pages = 2
        } after: { book, context, error in
            #expect(error == nil && !context.hasChanges)
            #expect(book.changedValues().isEmpty)
            #expect(book.title == "theirs" && book.pages == 1)
        }
        #expect(try stored(stack) == ["theirs 1 1.0"])
    }

    // Behaviour 5.6
    @Test(arguments: storeTypes) func differentObjectsDoNotConflict(type: String) throws {
        let stack = try TestStack(type: type)
        let ids = try stack.inContext { context in
            let books = [Book(context: context), Book(context: context)]
            try context.save()
            return books.map(\.objectID)
        }
        try stack.inContext { context in
            let book = try #require(context.object(with: ids[0]) as? Book)
            #expect(book.pages == 0)
            try stack.inContext { other in
                (other.object(with: ids[1]) as? Book)?.title = "theirs"
                try other.save()
            }
            book.title = "ours"
            try context.save()
        }
        #expect(Set(try stored(stack)) == ["theirs 0 0.0", "ours 0 0.0"])
    }

    /// Keeps the conflicts and gives the object a value that neither side had.
    private final class JoiningPolicy: NSMergePolicy, @unchecked Sendable {
        // Only used on the queue of the one context that has the policy.
        var calls: [Int] = []

        override func resolve(mergeConflicts list: [Any]) throws {
            calls.append(list.count)
            try super.resolve(mergeConflicts: list)
            for case let conflict as NSMergeConflict in list {
                conflict.sourceObject.setValue("joined", forKey: "title")
            }
        }
    }

    // Behaviour 5.7
    @Test(arguments: storeTypes) func aPolicyOfOnesOwnChangesWhatIsSaved(type: String) throws {
        let stack = try TestStack(type: type)
        let ids = try stack.inContext { context in
            let books = (0..<3).map { _ in Book(context: context) }
            try context.save()
            return books.map(\.objectID)
        }
        let policy = JoiningPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        try stack.inContext { context in
            context.mergePolicy = policy
            let books = ids.compactMap { context.object(with: $0) as? Book }
            for book in books { #expect(book.pages == 0) }
            try stack.inContext { other in
                for id in ids { (other.object(with: id) as? Book)?.title = "theirs" }
                try other.save()
            }
            for book in books { book.title = "ours" }
            try context.save()
            #expect(!context.hasChanges)
        }
        #expect(policy.calls == [3])
        #expect(try stored(stack) == Array(repeating: "joined 0 0.0", count: 3))
    }

    // MARK: Deletions

    /// What becomes of a row that they deleted and we changed.
    @Test(arguments: storeTypes, [0, 1, 2, 3, 4] as [UInt])
    func aRowThatWasDeletedElsewhere(type: String, policy: UInt) throws {
        let stack = try TestStack(type: type)
        let merge = try #require(NSMergePolicyType(rawValue: policy))
        try conflict(stack, policy: NSMergePolicy(merge: merge)) { book, other in
            other.delete(book)
        } ours: { book, _ in
            book.title = "ours"
        } after: { _, context, error in
            #expect((error == nil) == (merge != .errorMergePolicyType))
            if error == nil { #expect(!context.hasChanges) }
        }
        let writes = merge == .overwriteMergePolicyType
        #expect(try stored(stack) == (writes ? ["ours 1 1.0"] : []))
    }

    /// What becomes of a row that they changed and we deleted.
    @Test(arguments: storeTypes, [0, 1, 2, 3, 4] as [UInt])
    func aDeletionOfARowThatChangedElsewhere(type: String, policy: UInt) throws {
        let stack = try TestStack(type: type)
        let merge = try #require(NSMergePolicyType(rawValue: policy))
        try conflict(stack, policy: NSMergePolicy(merge: merge)) { book, _ in
            book.title = "theirs"
        } ours: { book, context in
            context.delete(book)
        } after: { book, context, error in
            #expect((error == nil) == (merge != .errorMergePolicyType))
            if error == nil { #expect(!context.hasChanges && !book.isDeleted) }
        }
        let deletes = merge == .overwriteMergePolicyType || merge == .mergeByPropertyObjectTrumpMergePolicyType
        #expect(try stored(stack) == (deletes ? [] : ["theirs 1 1.0"]))
    }

    @Test(arguments: storeTypes) func bothDeletedIsNoConflict(type: String) throws {
        let stack = try TestStack(type: type)
        try conflict(stack, policy: .error) { book, other in
            other.delete(book)
        } ours: { book, context in
            context.delete(book)
        } after: { _, context, error in
            #expect(error == nil && !context.hasChanges)
        }
        #expect(try stored(stack).isEmpty)
    }

    // MARK: Other coordinators and processes

    @Test func aSecondCoordinatorsSaveIsAConflict() throws {
        let stack = try TestStack()
        let id = try stack.inContext { context in
            let book = Book(context: context)
            try context.save()
            return book.objectID
        }
        let other = try TestStack(folder: stack.folder)
        try stack.inContext { context in
            let book = try #require(context.object(with: id) as? Book)
            #expect(book.pages == 0)
            try other.inContext { context in
                (try context.existingObject(with: id) as? Book)?.title = "theirs"
                try context.save()
            }
            book.title = "ours"
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSManagedObjectMergeError)
            let conflict = (error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])?.first
            #expect(conflict?.persistedSnapshot?["title"] as? String == "theirs")
            #expect(conflict?.cachedSnapshot == nil)
            context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            try context.save()
        }
        #expect(try stored(other) == ["ours 0 0.0"])
    }

    @Test(.enabled(if: SQLiteShell.isAvailable)) func aForeignProcessIsAConflict() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            book.title = "first"
            try context.save()
            _ = try stack.sqlite("UPDATE ZBOOK SET ZPAGES = 9, Z_OPT = Z_OPT + 1")
            book.title = "ours"
            #expect(throws: CocoaError.self) { try context.save() }
            context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            try context.save()
            #expect(book.pages == 9)
        }
        #expect(try stack.sqlite("SELECT ZTITLE, ZPAGES, Z_OPT FROM ZBOOK") == "ours|9|3")
    }

    @Test(arguments: storeTypes) func detectConflictsMeetsTheConflictWithoutAChange(type: String) throws {
        let stack = try TestStack(type: type)
        let id = try stack.inContext { context in
            let book = Book(context: context)
            try context.save()
            return book.objectID
        }
        try stack.inContext { context in
            let book = try #require(context.object(with: id) as? Book)
            #expect(book.pages == 0)
            try stack.inContext { other in
                (other.object(with: id) as? Book)?.title = "theirs"
                try other.save()
            }
            context.detectConflicts(for: book)
            #expect(throws: CocoaError.self) { try context.save() }
        }
    }

    @Test(.enabled(if: SQLiteShell.isAvailable)) func detectConflictsCountsTheVersionUp() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let books = (0..<2).map { _ in Book(context: context) }
            try context.save()
            context.detectConflicts(for: books[0])
            try context.save()
        }
        #expect(try stack.sqlite("SELECT Z_OPT FROM ZBOOK ORDER BY Z_OPT") == "1\n2")
    }
}
