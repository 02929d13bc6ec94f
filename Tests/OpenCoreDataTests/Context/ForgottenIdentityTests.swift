import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import CoreDataEngine

/// A context that lives long doesn't keep the temporary identities of all that was saved through it, but those that its
/// children and their rows need.
struct ForgottenIdentityTests {
    private let stack: TestStack
    private let parent: NSManagedObjectContext
    private let child: NSManagedObjectContext
    private static let many = 3 * PermanentIdentities.recentCount

    init() throws {
        stack = try TestStack()
        parent = stack.context()
        child = Self.childContext(of: parent)
    }

    private static func childContext(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        return child
    }

    private static func note(_ text: String, in context: NSManagedObjectContext) {
        NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue(text, forKey: "text")
    }

    private func saveParent() throws { try parent.performAndWait { try parent.save() } }

    /// Has objects inserted, saved and let go by a child of a context, and saved by its ancestors.
    private func insertMany(below context: NSManagedObjectContext) throws {
        let draft = Self.childContext(of: context)
        for _ in 0..<(Self.many / 512) {
            try draft.performAndWait {
                for number in 0..<512 { Self.note("\(number)", in: draft) }
                try draft.save()
            }
            var ancestor: NSManagedObjectContext? = context
            while let next = ancestor {
                try next.performAndWait { try next.save() }
                ancestor = next.parent
            }
            draft.performAndWait { draft.reset() }
        }
    }

    private func kept(_ context: NSManagedObjectContext) -> Int {
        context.performAndWait { context.identities.byReference.count }
    }

    @Test func whatNobodyNeedsIsForgotten() throws {
        try insertMany(below: child)
        #expect(kept(parent) <= 2 * PermanentIdentities.recentCount)
        #expect(kept(child) <= 2 * PermanentIdentities.recentCount)
        #expect(try stack.sqlite("SELECT count(*) FROM ZNOTE") == "\(Self.many)")
    }

    @Test func aChildThatAsksLateGetsAllOfThem() throws {
        let books = try child.performAndWait {
            let books = (0..<Self.many).map { number in
                let book = Book(context: child)
                book.title = "\(number)"
                return book
            }
            try child.save()
            return SendableBox(books)
        }.value
        try saveParent()
        try insertMany(below: parent)
        try child.performAndWait {
            let found = try child.fetch(NSFetchRequest<Book>(entityName: "Book"))
            #expect(found.count == books.count && Set(found) == Set(books))
            #expect(books.allSatisfy { !$0.objectID.isTemporaryID })
            #expect(child.registeredObjects.count == books.count)
        }
        // Once the child has asked, they aren't needed any longer.
        try insertMany(below: parent)
        #expect(kept(parent) <= 2 * PermanentIdentities.recentCount)
    }

    @Test func rowsOfTheChildStillLeadToWhatTheyNamed() throws {
        let book = try child.performAndWait {
            let book = Book(context: child)
            book.title = "Emma"
            book.author = Author(context: child)
            book.author?.name = "Jane Austen"
            try child.save()
            child.refresh(book, mergeChanges: false)
            #expect(book.title == "Emma")
            return SendableBox(book)
        }.value
        try saveParent()
        // The child learns of the identities of others, too.
        try insertMany(below: child)
        try insertMany(below: parent)
        child.performAndWait {
            #expect(book.author?.name == "Jane Austen" && book.author?.objectID.isTemporaryID == false)
            #expect(book.author?.books == [book])
        }
    }

    @Test func rowsReadBeforeTheParentSavedStillLeadToWhatTheyNamed() throws {
        try parent.performAndWait {
            let book = Book(context: parent)
            book.title = "Emma"
            try parent.save()
            book.author = Author(context: parent)
            book.author?.name = "Jane Austen"
        }
        let book = try child.performAndWait {
            SendableBox(try #require(try child.fetch(NSFetchRequest<Book>(entityName: "Book")).first))
        }.value
        #expect(child.performAndWait { book.title } == "Emma")
        try saveParent()
        try insertMany(below: parent)
        child.performAndWait {
            #expect(book.author?.name == "Jane Austen" && book.author?.objectID.isTemporaryID == false)
        }
    }

    @Test func whatAChildGaveUpIsForgotten() throws {
        for _ in 0..<4 {
            try child.performAndWait {
                for _ in 0..<PermanentIdentities.recentCount { Self.note("gone", in: child) }
                try child.save()
                child.reset()
            }
            parent.performAndWait { parent.rollback() }
        }
        try child.performAndWait {
            _ = try child.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
            _ = try child.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
            #expect(child.identities.borrowed.count <= PermanentIdentities.recentCount)
        }
    }
}
