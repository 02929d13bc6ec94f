import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A property of a hand-written class that is not what the model says, used with an object that is clean and has a row: the
/// next save says so, and rolling back takes back what was written.
struct PropertyMisuseTests {
    private func error(_ body: (Book) -> Void) throws -> String {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            (book.title, book.pages, book.price) = ("Emma", 100, 2.5)
            try context.save()
        }
        return try stack.inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.returnsObjectsAsFaults = false
            let book = try context.fetch(request)[0]
            body(book)
            let error = #expect(throws: CocoaError.self) { try context.save() }
            context.rollback()
            try context.save()
            #expect(book.title == "Emma" && book.pages == 100 && book.price == 2.5)
            #expect(book.author == nil && book.tags.isEmpty)
            return error?.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
        }
    }

    @Test func aPropertyThatTheEntityLacks() throws {
        let said = try error { $0[ManagedProperty<String>("titel")] = "Emma" }
        #expect(said.contains("Book") && said.contains("titel"))
    }

    @Test func aStringOverAnInteger() throws {
        let said = try error { #expect($0[ManagedProperty<String>("pages")].isEmpty) }
        #expect(
            said.contains(
                "The property 'pages' of the class Book has the type String, but the attribute 'pages' of the entity Book "
                    + "is an Integer 32."))
    }

    @Test func anIntegerOverAString() throws {
        let said = try error { #expect($0[ManagedProperty<Int64?>("title")] == nil) }
        #expect(said.contains("has the type Int64?, but the attribute 'title' of the entity Book is a String."))
    }

    @Test func aStringWrittenIntoADouble() throws {
        let said = try error { $0[ManagedProperty<String?>("price")] = "dear" }
        #expect(said.contains("the attribute 'price' of the entity Book is a Double."))
    }

    @Test func aUUIDOverDataAndADecimalOverADouble() throws {
        let said = try error { #expect($0[ManagedProperty<UUID>("cover")].uuid.0 == 0) }
        #expect(said.contains("the attribute 'cover' of the entity Book is Binary Data."))
        let other = try error { $0[ManagedProperty<Decimal>("price")] = 1 }
        #expect(other.contains("has the type Decimal"))
    }

    @Test func anObjectOverAnAttributeAndAnAttributeOverAnObject() throws {
        let said = try error { #expect($0[ManagedProperty<Author?>("title")] == nil) }
        #expect(said.contains("has the type Author?, but the attribute 'title'"))
        let other = try error { #expect($0[ManagedProperty<String?>("author")] == nil) }
        #expect(other.contains("the relationship 'author' of the entity Book is a to-one relationship to Author"))
    }

    @Test func aSetOverAToOne() throws {
        let said = try error { #expect($0[ManagedProperty<Set<Author>>("author")].isEmpty) }
        #expect(said.contains("has the type Set<Author>"))
    }
}
