#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// What batch requests do to derived attributes: those of the rows that they touched follow, others stay as they are.
@Suite(.needsServer) struct DerivedBatchTests {
    private static func model() -> NSManagedObjectModel {
        func derived(_ name: String, _ type: NSAttributeType, _ format: String) -> NSPropertyDescription {
            let attribute = NSDerivedAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            attribute.derivationExpression = NSExpression(format: format)
            return attribute
        }
        let model = LibraryModel.make()
        model.entitiesByName["Author"]?.properties += [
            derived("bookCount", .integer64AttributeType, "books.@count"),
            derived("pageSum", .integer64AttributeType, "books.@sum.pages"),
            derived("shouted", .stringAttributeType, "uppercase:(name)"),
        ]
        model.entitiesByName["Book"]?.properties += [
            derived("authorName", .stringAttributeType, "author.shouted"),
            derived("modified", .dateAttributeType, "now()"),
            derived("tagCount", .integer64AttributeType, "tags.@count"),
        ]
        return model
    }

    /// Two authors with two books each, of 10, 20, 30 and 40 pages, the first two of which have a tag.
    private func withBooks(_ body: (ServerStack, NSManagedObjectContext, [NSManagedObject]) throws -> Void) throws {
        try ServerStack.with(model: Self.model()) { stack in
            try stack.inContext { context in
                func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
                    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                    object.setValuesForKeys(values)
                    return object
                }
                let authors = ["jane", "emma"].map { make("Author", ["name": $0]) }
                let tag = make("Label", ["name": "old"])
                for number in 1...4 {
                    let book = make(
                        "Book", ["title": "\(number)", "pages": number * 10, "author": authors[(number - 1) / 2]])
                    if number < 3 { book.setValue(Set([tag]), forKey: "tags") }
                }
                try context.save()
                try body(stack, context, authors)
            }
        }
    }

    private func authors(_ stack: ServerStack) throws -> [[String]] {
        try stack.rows("SELECT name, book_count::text, page_sum::text, shouted FROM author ORDER BY z_pk")
    }

    private func update(
        _ context: NSManagedObjectContext, _ entity: String, _ format: String, _ values: [String: Any]
    ) throws {
        let request = NSBatchUpdateRequest(entityName: entity)
        request.predicate = NSPredicate(format: format)
        request.propertiesToUpdate = values
        _ = try context.execute(request)
    }

    @Test func theTimeOfARowChangesWithTheRowOnly() throws {
        try withBooks { stack, context, _ in
            func times() throws -> [[String]] { try stack.rows("SELECT modified::text FROM book ORDER BY z_pk") }
            let first = try times()
            _ = try context.execute(NSBatchInsertRequest(entityName: "Label", objects: [["name": "new"]]))
            try update(context, "Author", "name == 'jane'", ["name": "anne"])
            #expect(try times() == first)
            try update(context, "Book", "title == '2'", ["price": 3])
            let second = try times()
            #expect(second[1] != first[1] && second[0] == first[0] && second[2...] == first[2...])
            // What loses its object by a delete keeps its version, and so its time.
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")
            request.predicate = NSPredicate(format: "name == 'emma'")
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
            #expect(try times().prefix(2) == second.prefix(2))
        }
    }

    @Test func theStatementsNameTheRowsThatWereTouched() throws {
        try withBooks { stack, context, _ in
            _ = stack.statements.take()
            _ = try context.execute(NSBatchInsertRequest(entityName: "Label", objects: [["name": "new"]]))
            let sent = stack.statements.take().filter { $0.contains("IS DISTINCT FROM x.v") }
            // No book has the new tag, but the server is only asked about books with that very tag.
            #expect(sent.allSatisfy { $0.contains("tag_count") && $0.contains("ANY($") })
            try update(context, "Book", "title == '1'", ["isbn": "x"])
            let names = stack.statements.take().filter { $0.contains("IS DISTINCT FROM x.v") }
            #expect(names.count == 1 && names[0].contains("modified"))
        }
    }

    @Test func countsAndSumsFollowWhatABatchInserts() throws {
        try withBooks { stack, context, _ in
            _ = try context.execute(
                NSBatchInsertRequest(entityName: "Author", objects: [["name": "mary"], ["name": "ann"]]))
            #expect(
                try authors(stack) == [
                    ["jane", "2", "30", "JANE"], ["emma", "2", "70", "EMMA"], ["mary", "0", "0", "MARY"],
                    ["ann", "0", "0", "ANN"],
                ])
            _ = try context.execute(
                NSBatchInsertRequest(entityName: "Book", objects: [["title": "5", "pages": 50]]))
            #expect(
                try stack.rows("SELECT tag_count::text, author_name, modified IS NULL FROM book WHERE title = '5'")
                    .map { $0.prefix(2) } == [["0", "NULL"]])
        }
    }

    @Test func whatDependsOnChangedRowsFollows() throws {
        try withBooks { stack, context, authors in
            try update(context, "Book", "pages > 30", ["pages": 100])
            // The name in capitals is derived itself.
            try update(context, "Author", "name == 'jane'", ["name": "anne"])
            #expect(try self.authors(stack) == [["anne", "2", "30", "ANNE"], ["emma", "2", "130", "EMMA"]])
            #expect(
                try stack.rows("SELECT author_name FROM book ORDER BY z_pk")
                    == [["ANNE"], ["ANNE"], ["EMMA"], ["EMMA"]])
            // The author who loses a book is touched as well as the one who gets it.
            try update(context, "Book", "title == '1'", ["author": authors[1]])
            #expect(try self.authors(stack) == [["anne", "1", "20", "ANNE"], ["emma", "3", "140", "EMMA"]])
            #expect(try stack.rows("SELECT author_name FROM book WHERE title = '1'") == [["EMMA"]])
        }
    }

    @Test func whatLosesRowsFollows() throws {
        try withBooks { stack, context, _ in
            func delete(_ entity: String, _ format: String) throws {
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
                request.predicate = NSPredicate(format: format)
                _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
            }
            try delete("Book", "title == '4'")
            #expect(try authors(stack) == [["jane", "2", "30", "JANE"], ["emma", "1", "30", "EMMA"]])
            try delete("Label", "name == 'old'")
            #expect(try stack.rows("SELECT DISTINCT tag_count::text FROM book") == [["0"]])
        }
    }

    @Test func whatAnOverwrittenRowWasAMemberOfFollows() throws {
        func derived(_ name: String, _ format: String) -> NSPropertyDescription {
            let attribute = NSDerivedAttributeDescription()
            attribute.name = name
            attribute.attributeType = .integer64AttributeType
            attribute.isOptional = true
            attribute.derivationExpression = NSExpression(format: format)
            return attribute
        }
        let model = LibraryModel.make()
        model.entitiesByName["Author"]?.properties.append(derived("pageSum", "books.@sum.pages"))
        model.entitiesByName["Book"]?.uniquenessConstraints = [["isbn"]]
        try ServerStack.with(model: model) { stack in
            try stack.inContext { context in
                context.mergePolicy = NSMergePolicy.overwrite
                let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValuesForKeys(["title": "t", "isbn": "1", "pages": 10, "author": author])
                try context.save()
                _ = try context.execute(
                    NSBatchInsertRequest(entityName: "Book", objects: [["title": "t", "isbn": "1", "pages": 25]]))
            }
            let pages = try stack.rows("SELECT COALESCE(sum(pages), 0)::text FROM book WHERE author IS NOT NULL")
            #expect(try stack.rows("SELECT page_sum::text FROM author") == pages)
        }
    }
}
#endif
