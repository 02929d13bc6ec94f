import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Numbers and dates at the end of what attributes can hold, and beyond.
@Suite struct NumberLimitTests {
    private static let notDecimals: [any Sendable & CVarArg] = [
        Double.infinity, -Double.infinity, Double.nan, Float.infinity, Float.nan, 1e300, -1e300,
        Double.leastNonzeroMagnitude,
    ]

    private func saveError(_ value: Any?, _ key: String) throws -> CocoaError? {
        let stack = try TestStack()
        return try stack.inContext { context in
            let book = Book(context: context)
            book.setValue(value, forKey: key)
            #expect(!"\(book)".isEmpty)
            do {
                try context.save()
                return nil
            } catch let error as CocoaError {
                return error
            }
        }
    }

    @Test(arguments: notDecimals.indices) func whatNoDecimalCanBeFailsTheSave(_ index: Int) throws {
        let value = Self.notDecimals[index]
        var forms: [Any] = [value]
        if let number = value as? Double { forms.append(NSNumber(value: number)) }
        if let number = value as? Float { forms.append(NSNumber(value: number)) }
        for form in forms {
            let error = try saveError(form, "cost")
            #expect(error?.code.rawValue == NSManagedObjectValidationError, "\(form)")
            #expect(error?.localizedDescription.contains("\"cost\"") == true)
        }
    }

    @Test func decimalsThatAreNoNumberFailTheSave() throws {
        for value in [Decimal.nan, NSDecimalNumber.notANumber] as [Any] {
            #expect(try saveError(value, "cost")?.code.rawValue == NSManagedObjectValidationError)
        }
    }

    @Test func numbersThatNoIntegerAttributeCanHoldFailTheSave() throws {
        let values: [Any] = [
            Double.nan, Double.infinity, 1e300, 1.5, Float.infinity, NSNumber(value: Double.nan),
            NSNumber(value: Double.infinity), NSNumber(value: 1e300), NSNumber(value: UInt64.max), UInt64.max,
            Decimal.nan, NSDecimalNumber(string: "1e100"),
        ]
        for key in ["pages", "inPrint"] {
            for value in values {
                #expect(try saveError(value, key)?.code.rawValue == NSManagedObjectValidationError, "\(key) \(value)")
            }
        }
    }

    @Test func decimalsOfAnyExponentComeBack() throws {
        let texts = [
            "1e127", "-34028236692093865e149", "1e-127", "0.5", "123456789012345", "99999999999999999999",
        ]
        for string in texts {
            guard let value = Decimal(string: string) else { continue }
            let stack = try TestStack()
            try stack.inContext { context in
                let book = Book(context: context)
                book.setValue(value, forKey: "cost")
                try context.save()
            }
            let read = try stack.inContext { context in
                try context.fetch(NSFetchRequest<Book>(entityName: "Book")).first?.value(forKey: "cost") as? Decimal
            }
            let (expected, found) = (Double(value.description) ?? 0, Double(read?.description ?? "") ?? .nan)
            #expect(abs(expected - found) <= abs(expected) * 1e-15, "\(string): \(String(describing: read))")
        }
    }

    @Test func greatestDecimalComesBack() throws {
        let value = Decimal.greatestFiniteMagnitude
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            book.setValue(value, forKey: "cost")
            try context.save()
        }
        let read = try stack.inContext { context in
            try context.fetch(NSFetchRequest<Book>(entityName: "Book")).first?.value(forKey: "cost") as? Decimal
        }
        #expect(read.map { NSDecimalNumber(decimal: $0).doubleValue } ?? 0 > 3.4e165)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, .greatestFiniteMagnitude])
    func anObjectWithSuchADateCanBeDescribed(_ seconds: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let stack = try TestStack()
        stack.inContext { context in
            let book = Book(context: context)
            book.setValue(date, forKey: "published")
            book.setValue(["when": date, "list": [date]] as [String: Any], forKey: "extra")
            #expect("\(book)".contains("seconds since 2001"))
            #expect(book.debugDescription.contains("published"))
            #expect(String(reflecting: book).contains("published"))
        }
        let predicate = NSPredicate(format: "published == %@", date as NSDate)
        #expect(try NSPredicate(validatingFormat: predicate.predicateFormat) == predicate || seconds.isNaN)
    }
}
