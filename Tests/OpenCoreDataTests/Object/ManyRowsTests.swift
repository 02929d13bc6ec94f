import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Fetches that fill several blocks of memory, and rows that contexts share while they come and go.
@Suite(.serialized) struct ManyRowsTests {
    private static let count = 3_000

    /// A title whose length differs from book to book; one is longer than a block of texts.
    private static func title(_ number: Int) -> String {
        let length = number == 1_500 ? 300_000 : number % 251
        return "\(number) é" + String(repeating: "x", count: length)
    }

    private func makeBooks(_ stack: TestStack) throws {
        try stack.inContext { context in
            for number in 0..<Self.count {
                let book = number % 3 == 0 ? GraphicNovel(context: context) : Book(context: context)
                book.title = Self.title(number)
                book.pages = Int32(number)
                book.setValue(number % 2 == 0 ? nil : "", forKey: "isbn")
            }
            try context.save()
        }
    }

    private func books(_ context: NSManagedObjectContext, sorted: Bool = false) throws -> [Book] {
        let request = NSFetchRequest<Book>(entityName: "Book")
        if sorted { request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: false)] }
        return try context.fetch(request)
    }

    @Test(arguments: [false, true]) func everyRowReadsAsItWasWritten(sorted: Bool) throws {
        let stack = try TestStack()
        try makeBooks(stack)
        try stack.inContext { context in
            let books = try books(context, sorted: sorted)
            #expect(books.count == Self.count)
            for book in books {
                let number = Int(book.pages)
                #expect(book.title == Self.title(number))
                #expect(book.value(forKey: "isbn") as? String == (number % 2 == 0 ? nil : ""))
                #expect((book is GraphicNovel) == (number % 3 == 0))
            }
            let bytes = books.reduce(0) { $0 + $1.title.utf8.count }
            #expect(try stack.sqlite("SELECT SUM(LENGTH(CAST(ZTITLE AS BLOB))) FROM ZBOOK") == "\(bytes)")
            #expect(Set(books.map(\.pages)) == Set(0..<Int32(Self.count)))
        }
    }

    @Test func destinationsOfManyOwnersKeepTheirRows() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let authors = (0..<40).map { number in
                let author = Author(context: context)
                author.name = "\(number)"
                return author
            }
            for number in 0..<Self.count {
                let book = Book(context: context)
                book.title = Self.title(number)
                book.pages = Int32(number)
                book.author = authors[number % authors.count]
            }
            try context.save()
        }
        try stack.inContext { context in
            for author in try context.fetch(NSFetchRequest<Author>(entityName: "Author")) {
                #expect(author.books.count == Self.count / 40)
                for book in author.books {
                    #expect(book.title == Self.title(Int(book.pages)))
                    #expect("\(Int(book.pages) % 40)" == author.name)
                }
            }
        }
    }

    @Test func newestRowServesOtherContexts() throws {
        let stack = try TestStack()
        try makeBooks(stack)
        let reader = stack.context()
        let held = try reader.performAndWait { SendableBooks(try books(reader)) }
        try stack.inContext { context in
            for book in try books(context) where book.pages % 10 == 0 { book.title = "new \(book.pages)" }
            try context.save()
        }
        // The slabs of the writer are gone; those of the reader are not, and are old for some rows.
        try stack.inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.includesPropertyValues = false
            for book in try context.fetch(request) {
                let number = Int(book.pages)
                #expect(book.title == (number % 10 == 0 ? "new \(number)" : Self.title(number)))
            }
        }
        reader.performAndWait {
            for book in held.books { #expect(book.title == Self.title(Int(book.pages))) }
        }
    }

    @Test func aFaultWithARowAsksAgainOnceItsAgeMatters() throws {
        let stack = try TestStack()
        try makeBooks(stack)
        try stack.inContext { context in
            let book = try #require(try books(context).first { $0.pages == 7 })
            context.refresh(book, mergeChanges: false)
            _ = try stack.sqlite("UPDATE ZBOOK SET ZTITLE='changed' WHERE ZPAGES=7")
            #expect(book.title == Self.title(7))
            context.refresh(book, mergeChanges: false)
            context.stalenessInterval = 0
            #expect(book.title == "changed")
            context.stalenessInterval = -1
            context.refresh(book, mergeChanges: false)
            #expect(book.title == "changed")
        }
    }

    // Behaviour 1.1, 1.5, 1.6
    @Test func aNotificationListsEachObjectOnce() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let kept = Book(context: context)
            let dropped = Book(context: context)
            try context.save()
            let log = NotificationLog(context)
            context.refresh(kept, mergeChanges: true)
            context.refresh(kept, mergeChanges: true)
            kept.title = "one"
            kept.title = "two"
            context.delete(dropped)
            context.delete(dropped)
            let new = Book(context: context)
            new.title = "new"
            try context.save()
            let change = try #require(log.entries.first { $0.name == .NSManagedObjectContextObjectsDidChange })
            #expect(change.elements(NSInsertedObjectsKey) as? [Book] == [new])
            #expect(change.elements(NSUpdatedObjectsKey) as? [Book] == [kept])
            #expect(change.elements(NSRefreshedObjectsKey) as? [Book] == [kept])
            #expect(change.elements(NSDeletedObjectsKey) as? [Book] == [dropped])
            #expect(change.notification.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> == [kept])
            let saved = try #require(log.entries.first { $0.name == .NSManagedObjectContextDidSave })
            #expect(saved.objects(NSInsertedObjectsKey) == [new])
            try context.save()
            let empty = try #require(log.entries.last { $0.name == .NSManagedObjectContextDidSave })
            for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] {
                #expect((empty.notification.userInfo?[key] as? Set<NSManagedObject>)?.isEmpty == true)
            }
        }
    }
}

// @unchecked Sendable because the objects are only used on their context's queue.
private struct SendableBooks: @unchecked Sendable {
    let books: [Book]

    init(_ books: [Book]) { self.books = books }
}
