#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

@Suite(.needsServer) struct ComputedBatchTests {
    private func update(_ stack: ServerStack, _ properties: [String: Any]) throws -> Int {
        try stack.inContext { context in
            let request = NSBatchUpdateRequest(entityName: "Book")
            request.propertiesToUpdate = properties
            request.resultType = .updatedObjectsCountResultType
            let result = try context.execute(request) as? NSBatchUpdateResult
            return result?.result as? Int ?? -1
        }
    }

    private func fill(_ stack: ServerStack, _ count: Int) throws {
        try stack.inContext { context in
            for number in 0..<count {
                let book = Book(context: context)
                book.title = "book \(number)"
                book.pages = Int32(number)
            }
            try context.save()
        }
    }

    @Test func whatSQLCannotComputeIsEvaluatedOnEachRow() throws {
        try ServerStack.with { stack in
            // More than are evaluated together.
            try fill(stack, 2_300)
            let changed = try update(
                stack,
                ["pages": NSExpression(format: "count:({1, 2, 3} MINUS {pages}) * 100 + pages"), "title": "set"])
            #expect(changed == 2_300)
            let sum = (0..<2_300).reduce(0) { $0 + ((1...3).contains($1) ? 200 : 300) + $1 }
            #expect(
                try stack.rows("SELECT sum(pages)::text, count(DISTINCT title)::text, max(z_opt)::text FROM book")
                    == [["\(sum)", "1", "2"]])
        }
    }

    @Test func aValueThatDoesNotFitChangesNothing() throws {
        try ServerStack.with { stack in
            try fill(stack, 3)
            #expect(throws: CocoaError.self) {
                try update(
                    stack,
                    ["pages": NSExpression(format: "count:({1, 2} MINUS {pages}) * 9000000000"), "title": "set"])
            }
            #expect(try stack.rows("SELECT count(*)::text FROM book WHERE title = 'set' OR z_opt > 1") == [["0"]])
        }
    }

    @Test func aUniqueValueThatIsTakenIsAConstraintError() throws {
        try ServerStack.with(model: UniqueModel.make()) { stack in
            try stack.inContext { context in
                for code in ["a", "b"] {
                    NSEntityDescription.insertNewObject(forEntityName: "Volume", into: context)
                        .setValue(code, forKey: "code")
                }
                try context.save()
                let request = NSBatchUpdateRequest(entityName: "Volume")
                request.propertiesToUpdate = ["code": "same"]
                let error = #expect(throws: CocoaError.self) { try context.execute(request) }
                #expect(error?.code.rawValue == NSManagedObjectConstraintMergeError)
            }
            #expect(try stack.rows("SELECT code FROM volume ORDER BY code") == [["a"], ["b"]])
        }
    }

    private enum UniqueModel {
        static func make() -> NSManagedObjectModel {
            let code = NSAttributeDescription()
            code.name = "code"
            code.attributeType = .stringAttributeType
            let volume = NSEntityDescription()
            volume.name = "Volume"
            volume.properties = [code]
            volume.uniquenessConstraints = [["code"]]
            let model = NSManagedObjectModel()
            model.entities = [volume]
            return model
        }
    }
}
#endif
