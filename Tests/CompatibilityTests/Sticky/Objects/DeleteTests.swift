import Sticky
import TestSupport
import Testing

/// Deleting objects by class.
@Suite struct DeleteTests {
    // Feature STICKY-19
    @Test(arguments: StoreKind.allCases) func allObjectsAreDeletedWithTheSave(_ kind: StoreKind) throws {
        let provider = try BookStack(kind).start()
        for number in 0..<10 { try provider.add("Book \(number)") }
        let context = provider.newBackgroundContext()
        try context.performAndWait { context in
            try context.delete(Book.self)
            #expect(context.deletedObjects.count == 10)
            #expect(try context.fetch(Book.self).isEmpty)
        }
        #expect(try provider.titles.count == 10)
        try context.performAndWait { try $0.save() }
        #expect(try provider.titles.isEmpty)
    }

    // Feature STICKY-20
    @Test(arguments: StoreKind.allCases) func whatTheRequestFindsIsDeleted(_ kind: StoreKind) throws {
        let provider = try BookStack(kind).start()
        try provider.add("Momo", genre: "children")
        try provider.add("SPQR", genre: "history")
        try provider.newBackgroundContext().performAndWait { context in
            try context.delete(Book.self) { (request) in
                request.predicate = NSPredicate(format: "genre == %@", "history")
            }
            try context.save()
        }
        #expect(try provider.titles == ["Momo"])
    }

    // Feature STICKY-20
    @Test func theLimitCounts() throws {
        let provider = try BookStack().start()
        try provider.add("A", "B", "C")
        try provider.newBackgroundContext().performAndWait { context in
            try context.delete(Book.self) { request in
                request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                request.fetchLimit = 1
            }
            try context.save()
        }
        #expect(try provider.titles == ["B", "C"])
    }

    // Feature STICKY-19, STICKY-20
    @Test func anErrorDeletesNothing() throws {
        let provider = try BookStack().start()
        try provider.add("Momo")
        provider.newBackgroundContext().performAndWait { context in
            #expect(throws: DatabaseError.self) {
                try context.delete(Book.self) { $0.predicate = NSPredicate(format: "genre == history") }
            }
            #expect(throws: EntityError.self) { try context.delete(Orphan.self) }
            #expect(!context.hasChanges)
        }
        #expect(try provider.titles == ["Momo"])
    }
}
