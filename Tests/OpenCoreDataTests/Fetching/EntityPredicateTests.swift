import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Predicates on `entity`: SQLite keeps a number for it, which no program sees.
@Suite struct EntityPredicateTests {
    @Test(arguments: ["NSNumber", "NSString", "Int", "NSDate", "NSDecimalNumber", "NSUUID", "NSURL"])
    func castsOfAnEntityGiveNothing(_ type: String) throws {
        for store in [NSSQLiteStoreType, NSInMemoryStoreType] {
            let stack = try TestStack(type: store)
            try stack.inContext { context in
                Book(context: context).setValue("Book", forKey: "title")
                try context.save()
                let request = NSFetchRequest<Book>(entityName: "Book")
                request.predicate = NSPredicate(format: "CAST(entity, '\(type)') == nil")
                #expect(try context.count(for: request) == 1, "\(store)")
                request.predicate = NSPredicate(format: "CAST(entity, '\(type)') != nil")
                #expect(try context.count(for: request) == 0, "\(store)")
                request.predicate = NSPredicate(format: "CAST(entity, '\(type)') >= CAST(0, '\(type)')")
                #expect(try context.count(for: request) == 0, "\(store)")
            }
        }
    }
}
