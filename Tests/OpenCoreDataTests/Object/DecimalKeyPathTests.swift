import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Decimals that key paths collect in sets: off Apple's systems the hash of Foundation's never returns.
@Suite struct DecimalKeyPathTests {
    private static let storeTypes = [NSSQLiteStoreType, NSInMemoryStoreType]

    @Test(arguments: storeTypes) func keyPathsOverSetsGiveDistinctDecimals(type: String) throws {
        try TestStack(type: type).inContext { context in
            let author = Author(context: context)
            for number in 0..<4 {
                let book = Book(context: context)
                book.setValue(NSDecimalNumber(string: "\(number % 2).5"), forKey: "cost")
                book.author = author
            }
            try context.save()
            context.refreshAllObjects()
            for path in ["books.cost", "books.@distinctUnionOfObjects.cost"] {
                let decimals = author.value(forKeyPath: path) as? Set<Decimal>
                #expect(decimals == [0.5, 1.5], "\(path)")
                let objects = (author.value(forKeyPath: path) as? Set<AnyHashable>)?.compactMap {
                    $0 as? NSDecimalNumber
                }
                #expect(objects?.count == 2)
            }
            #expect(author.value(forKeyPath: "books.@sum.cost") as? NSDecimalNumber == 4)
            let books = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
            #expect(NSSet(array: books).value(forKey: "cost") as? Set<Decimal> == [0.5, 1.5])
            let ordered = NSOrderedSet(array: books.sorted { $0.objectID.description < $1.objectID.description })
            for list in [ordered.value(forKey: "cost"), ordered.value(forKeyPath: "cost")] {
                #expect((list as? [NSDecimalNumber])?.map(\.stringValue).sorted() == ["0.5", "1.5"])
            }
        }
    }
}
