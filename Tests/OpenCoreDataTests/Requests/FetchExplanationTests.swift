import Foundation
import OpenCoreData
import TestSupport
import Testing

/// `explain(_:)`: the statement of a fetch, its plan and its cost.
@Suite struct FetchExplanationTests {
    private func stack() throws -> TestStack {
        let stack = try TestStack()
        try stack.inContext { context in
            let books: [[String: Any]] = (0..<300).map { ["title": "B\($0)", "pages": $0] }
            _ = try context.execute(NSBatchInsertRequest(entityName: "Book", objects: books))
            let labels: [[String: Any]] = (0..<300).map { ["name": "L\($0)"] }
            _ = try context.execute(NSBatchInsertRequest(entityName: "Label", objects: labels))
        }
        return stack
    }

    @Test func aScanIsToldFromASearch() throws {
        let stack = try stack()
        try stack.inContext { context in
            let books = NSFetchRequest<Book>(entityName: "Book")
            books.predicate = NSPredicate(format: "title = 'B7' AND pages < %d", 100)
            books.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
            let scan = try #require(try context.explain(books).statements.first)
            #expect(scan.rowsReturned == 1 && scan.rowsScanned >= 299 && scan.sorts == 1 && scan.boundValueCount == 2)
            #expect(scan.plan.contains { $0.detail.hasPrefix("SCAN") })
            #expect(scan.sql.contains("ZTITLE") && !scan.sql.contains("B7"))
            let shell = try stack.sqlite("EXPLAIN QUERY PLAN \(scan.sql)")
            #expect(scan.plan.allSatisfy { shell.contains($0.detail) })

            let labels = NSFetchRequest<Label>(entityName: "Label")
            labels.predicate = NSPredicate(format: "name = 'L7'")
            let explanation = try context.explain(labels)
            let search = try #require(explanation.statements.first)
            #expect(search.rowsReturned == 1 && search.rowsScanned == 0 && search.sorts == 0)
            #expect(search.plan.contains { $0.detail.hasPrefix("SEARCH") && $0.detail.contains("INDEX") })
            #expect(search.instructions > 0 && search.instructions < scan.instructions)
            #expect(search.storeURL == stack.url)
            #expect(context.registeredObjects.isEmpty)
            let string = "\(explanation)"
            #expect(string.contains("A fetch of Label") && string.contains(search.sql) && string.contains("SEARCH"))
        }
    }

    @Test func everyResultTypeAndStoreIsExplained() throws {
        let stack = try stack()
        try stack.inContext { context in
            let count = NSFetchRequest<NSNumber>(entityName: "Book")
            count.resultType = .countResultType
            let counted = try context.explain(count)
            #expect(counted.statements.first?.sql.contains("COUNT(*)") == true)
            let rows = NSFetchRequest<[String: Any]>(entityName: "Book")
            rows.resultType = .dictionaryResultType
            rows.propertiesToFetch = ["title"]
            let columns = try context.explain(rows)
            #expect(columns.statements.first?.rowsReturned == 300)
            let wrong = NSFetchRequest<Book>(entityName: "Book")
            wrong.predicate = NSPredicate(format: "nothing = 1")
            #expect(throws: (any Error).self) { try context.explain(wrong) }
        }
        let memory = try TestStack(type: NSInMemoryStoreType)
        try memory.inContext { context in
            let explanation = try context.explain(NSFetchRequest<Book>(entityName: "Book"))
            #expect(explanation.statements.isEmpty && "\(explanation)".contains("executed in SQL"))
        }
    }
}
