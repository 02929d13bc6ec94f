import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Uniqueness constraints under each merge policy, on SQLite.
@Suite(.serialized) struct UniquenessTests {
    private func stackWithStoredLabel() throws -> (TestStack, NSManagedObjectID) {
        let stack = try TestStack()
        let id = try stack.inContext { context in
            let label = Label(context: context)
            label.name = "classic"
            let book = Book(context: context)
            book.title = "stored"
            label.books = [book]
            try context.save()
            return label.objectID
        }
        return (stack, id)
    }

    // Behaviour 5.8
    @Test(arguments: [1, 2, 3] as [UInt]) func anInsertCollapsesOntoTheStoredRow(policy: UInt) throws {
        let (stack, id) = try stackWithStoredLabel()
        let merge = try #require(NSMergePolicyType(rawValue: policy))
        try stack.inContext { context in
            context.mergePolicy = NSMergePolicy(merge: merge)
            let label = Label(context: context)
            label.name = "classic"
            let book = Book(context: context)
            book.title = "new"
            book.tags = [label]
            try context.save()
            #expect(!context.hasChanges)
            #expect(book.tags.map(\.objectID) == [id])
        }
        try stack.inContext { context in
            let labels = try context.fetch(NSFetchRequest<Label>(entityName: "Label"))
            #expect(labels.count == 1)
            #expect(Set(labels.first?.books.map(\.title) ?? []) == ["stored", "new"])
        }
    }

    // Behaviour 5.8
    @Test func rollbackDropsTheInsert() throws {
        let (stack, _) = try stackWithStoredLabel()
        try stack.inContext { context in
            context.mergePolicy = NSRollbackMergePolicy
            let label = Label(context: context)
            label.name = "classic"
            Book(context: context).title = "unrelated"
            try context.save()
            #expect(!context.hasChanges && label.managedObjectContext == nil)
        }
        #expect(try stack.sqlite("SELECT count(*) FROM ZLABEL; SELECT count(*) FROM ZBOOK") == "1\n2")
    }

    // Behaviour 4.11
    @Test func twoNewObjectsWithOneValueClashToo() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            for _ in 0..<2 { Label(context: context).name = "twin" }
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSManagedObjectConstraintMergeError)
            context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            try context.save()
            #expect(!context.hasChanges)
        }
        #expect(try stack.sqlite("SELECT count(*) FROM ZLABEL") == "1")
    }

    @Test(arguments: [0, 1, 2, 3, 4] as [UInt]) func anUpdateToATakenValue(policy: UInt) throws {
        let (stack, _) = try stackWithStoredLabel()
        let merge = try #require(NSMergePolicyType(rawValue: policy))
        try stack.inContext { context in
            context.mergePolicy = NSMergePolicy(merge: merge)
            let label = Label(context: context)
            label.name = "modern"
            try context.save()
            label.name = "classic"
            if merge == .errorMergePolicyType {
                let error = #expect(throws: CocoaError.self) { try context.save() }
                #expect(error?.code.rawValue == NSManagedObjectConstraintMergeError)
                return
            }
            try context.save()
            #expect(!context.hasChanges)
        }
        let names = try stack.sqlite("SELECT ZNAME FROM ZLABEL ORDER BY 1")
        let overwrites = merge == .overwriteMergePolicyType || merge == .mergeByPropertyObjectTrumpMergePolicyType
        #expect(names == (overwrites ? "classic" : "classic\nmodern"))
    }

    @Test func valuesMayBeSwappedInOneSave() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let (one, two) = (Label(context: context), Label(context: context))
            one.name = "a"
            two.name = "b"
            try context.save()
            one.name = "b"
            two.name = "a"
            try context.save()
            context.delete(one)
            Label(context: context).name = "b"
            try context.save()
        }
        #expect(
            try stack.sqlite("SELECT group_concat(ZNAME) FROM (SELECT ZNAME FROM ZLABEL ORDER BY ZNAME) AS t") == "a,b")
    }
}
