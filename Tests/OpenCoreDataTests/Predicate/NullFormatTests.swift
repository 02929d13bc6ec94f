import Foundation
import OpenCoreData
import TestSupport
import Testing

/// `NSNull` in predicates: printed as Apple's framework prints it, and nil otherwise.
@Suite struct NullFormatTests {
    @Test func nullIsPrintedInAngleBrackets() {
        #expect(NSPredicate(format: "a == %@", argumentArray: [NSNull()]).predicateFormat == "a == <null>")
        #expect(NSPredicate(format: "a == %@ AND b == 1", NSNull()).predicateFormat == "a == <null> AND b == 1")
        #expect(NSPredicate(format: "a == nil").predicateFormat == "a == nil")
        #expect(NSExpression(forConstantValue: NSNull()).description == "<null>")
        #expect(NSExpression(forConstantValue: nil).description == "nil")
    }

    @Test func nullReadsBackAndIsNil() throws {
        let null = NSPredicate(format: "isbn == %@", argumentArray: [NSNull()])
        #expect(NSPredicate(format: null.predicateFormat) == null)
        #expect(NSPredicate(format: null.predicateFormat).predicateFormat == null.predicateFormat)
        #expect(null == NSPredicate(format: "isbn == nil"))
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            try context.save()
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = null
            #expect(try context.fetch(request) == [book] && null.evaluate(with: book))
        }
    }
}
