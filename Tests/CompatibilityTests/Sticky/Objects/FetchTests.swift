import Sticky
import TestSupport
import Testing

/// Fetching objects by class.
@Suite struct FetchTests {
    // Feature STICKY-17
    @Test(arguments: StoreKind.allCases, [0, 1, 5]) func allObjectsAreFetched(_ kind: StoreKind, _ count: Int) throws {
        let provider = try BookStack(kind).start()
        for number in 0..<count { try provider.add("Book \(number)") }
        #expect(try provider.titles == (0..<count).map { "Book \($0)" })
    }

    // Feature STICKY-17
    @Test func unsavedObjectsAreAmongThem() throws {
        let provider = try BookStack().start()
        try provider.add("Momo")
        try provider.newBackgroundContext().performAndWait { context in
            try context.create(Book.self).title = "Emil"
            #expect(try context.fetch(Book.self).map(\.title).sorted() == ["Emil", "Momo"])
        }
        #expect(try provider.titles == ["Momo"])
    }

    // Feature STICKY-17
    @Test func aClassWithoutEntityCantBeFetched() throws {
        try BookStack(.memory).start().newBackgroundContext().performAndWait { context in
            #expect(throws: EntityError.self) { try context.fetch(Orphan.self) }
            #expect(!context.hasChanges)
        }
    }

    // Feature STICKY-18
    @Test(arguments: StoreKind.allCases) func aBlockSaysWhichAndHow(_ kind: StoreKind) throws {
        let provider = try BookStack(kind).start()
        try provider.add("Momo", "Emil", "Ronja", "Pippi", genre: "children")
        try provider.add("SPQR", genre: "history")
        try provider.newBackgroundContext().performAndWait { context in
            let histories = try context.fetch(Book.self) { request in
                request.predicate = NSPredicate(format: "genre = %@", "history")
            }
            #expect(histories.map(\.title) == ["SPQR"])
            let some = try context.fetch(Book.self) { (request: NSFetchRequest<Book>) in
                request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
                request.fetchLimit = 3
                request.fetchOffset = 1
            }
            #expect(some.map(\.title) == ["Ronja", "Pippi", "Momo"])
        }
    }

    // Feature STICKY-18
    @Test func theBlockCantChangeTheEntity() throws {
        let model = BookModel.make()
        let other = NSEntityDescription()
        other.name = "Note"
        model.entities.append(other)
        let provider = try BookStack(model: model).start()
        try provider.add("Momo")
        try provider.newBackgroundContext().performAndWait { context in
            let books = try context.fetch(Book.self) { $0.entity = model.entitiesByName["Note"] }
            #expect(books.map(\.title) == ["Momo"])
        }
    }

    // Feature STICKY-18
    @Test(arguments: ["genre == history", "publisher == 'Suhrkamp'"])
    func anUnknownKeyIsAnError(_ format: String) throws {
        let provider = try BookStack().start()
        try provider.add("SPQR", genre: "history")
        provider.newBackgroundContext().performAndWait { context in
            #expect(!context.hasChanges)
            #expect {
                try context.fetch(Book.self) { $0.predicate = NSPredicate(format: format) }
            } throws: { error in
                guard case DatabaseError.invalidQuery("Book", let reason) = error else { return false }
                return reason.contains(format.contains("history") ? "history" : "publisher")
            }
        }
    }
}
