import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Decimals with more digits than a column of Apple's SQLite stores keeps.
@Suite struct RoundedDecimalTests {
    private static let values = [
        "0.1", "123456789012345", "1234567890.12345", "0.12345678901234567890123456789", "1234567890123456789.5",
        "12345678901234567890123456789012345678", "-0.33333333333333333333333333333333333333", "100000000000000000000",
    ]

    @Test(.enabled(if: !TestStack.isOnServer), arguments: values)
    func aSavedObjectHasWhatAFetchGives(text: String) throws {
        let value = try #require(Decimal(string: text))
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            book.setValue(value, forKey: "cost")
            try context.save()
            let saved = try #require(book.value(forKey: "cost") as? NSDecimalNumber)
            let fetched = try stack.inContext { other in
                try #require(try other.existingObject(with: book.objectID).value(forKey: "cost") as? NSDecimalNumber)
            }
            #expect(saved.decimalValue == fetched.decimalValue)
            let difference = abs((saved.decimalValue - value) / value)
            #expect(difference < Decimal(sign: .plus, exponent: -15, significand: 1))
            if text.count < 17 { #expect(saved.decimalValue == value) }
            // The same for a change.
            book.setValue(value + 1, forKey: "cost")
            try context.save()
            let changed = (book.value(forKey: "cost") as? NSDecimalNumber)?.decimalValue
            context.refresh(book, mergeChanges: false)
            #expect(changed == (book.value(forKey: "cost") as? NSDecimalNumber)?.decimalValue)
            #expect(!context.hasChanges)
        }
    }

    @Test(arguments: [NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType], values)
    func otherStoresKeepAllDigits(type: String, text: String) throws {
        let value = try #require(Decimal(string: text))
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let book = Book(context: context)
            book.setValue(value, forKey: "cost")
            try context.save()
            context.reset()
            let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")).first
            #expect((found?.value(forKey: "cost") as? NSDecimalNumber)?.decimalValue == value)
        }
    }
}
