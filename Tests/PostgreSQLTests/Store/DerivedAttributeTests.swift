#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

@Suite(.needsServer) struct DerivedAttributeTests {
    private static func derived(_ name: String, _ type: NSAttributeType, _ format: String) -> NSPropertyDescription {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.derivationExpression = NSExpression(format: format)
        return attribute
    }

    private static func model() -> NSManagedObjectModel {
        let model = LibraryModel.make()
        model.entitiesByName["Author"]?.properties += [
            derived("bookCount", .integer64AttributeType, "books.@count"),
            derived("pageSum", .integer64AttributeType, "books.@sum.pages"),
            derived("shouted", .stringAttributeType, "uppercase:(name)"),
        ]
        model.entitiesByName["Book"]?.properties.append(
            derived("authorName", .stringAttributeType, "author.name"))
        return model
    }

    @Test func valuesFollowWhatTheyAreComputedFrom() throws {
        try ServerStack.with(model: Self.model()) { stack in
            try stack.inContext { context in
                let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                author.setValue("jane", forKey: "name")
                let books = (1...3).map { number in
                    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                    book.setValue(number * 10, forKey: "pages")
                    book.setValue(author, forKey: "author")
                    return book
                }
                try context.save()
                func row() throws -> [String] {
                    try stack.rows("SELECT book_count::text, page_sum::text, shouted FROM author").first ?? []
                }
                #expect(try row() == ["3", "60", "JANE"])
                #expect(author.value(forKey: "bookCount") as? Int == 3)
                #expect(books[0].value(forKey: "authorName") as? String == "jane")
                // A book's pages count for its author, who is not changed herself.
                books[0].setValue(100, forKey: "pages")
                try context.save()
                #expect(try row() == ["3", "150", "JANE"])
                author.setValue("emma", forKey: "name")
                context.delete(books[1])
                try context.save()
                #expect(try row() == ["2", "130", "EMMA"])
                #expect(try stack.rows("SELECT DISTINCT author_name FROM book") == [["emma"]])
                let delete = NSBatchDeleteRequest(
                    fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Book"))
                _ = try context.execute(delete)
                #expect(try row() == ["0", "0", "EMMA"])
            }
        }
    }
}
#endif
