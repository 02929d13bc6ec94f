import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Predicates and expressions that are meant to be subclassed, used without a subclass.
struct PlainPredicateTests {
    private final class Undecided: NSPredicate, @unchecked Sendable {}

    private final class Empty: NSExpression, @unchecked Sendable {}

    @Test func aPlainPredicateMatchesNothing() {
        #expect(!NSPredicate().evaluate(with: "a"))
        #expect(!Undecided().evaluate(with: "a", substitutionVariables: ["a": 1]))
        #expect(NSCompoundPredicate(notPredicateWithSubpredicate: Undecided()).evaluate(with: "a"))
    }

    @Test func aPlainExpressionHasNoValue() {
        #expect(NSExpression(expressionType: .constantValue).expressionValue(with: "a", context: nil) == nil)
        #expect(Empty(expressionType: .block).expressionValue(with: "a", context: nil) == nil)
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func aFetchSaysThatAPlainPredicateHasNoCondition(type: String) throws {
        try TestStack(type: type).inContext { context in
            _ = Book(context: context)
            try context.save()
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate()
            #expect(throws: CocoaError.self) { try context.fetch(request) }
        }
    }
}
