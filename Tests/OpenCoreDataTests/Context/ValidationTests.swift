import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Section 4 of the observed behaviour.
@Suite(.serialized) struct ValidationTests {
    // Behaviour 4.1
    @Test func oneMissingValueIsTheErrorItself() throws {
        let stack = try TestStack()
        stack.inContext { context in
            let book = Book(context: context)
            book.setValue(nil, forKey: "title")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSValidationMissingMandatoryPropertyError)
            #expect(error?.validationKey == "title")
            #expect(error?.validationObject as? Book === book)
        }
    }

    // Behaviour 4.2
    @Test func severalFailuresComeTogether() throws {
        let stack = try TestStack()
        stack.inContext { context in
            for _ in 0..<2 {
                Book(context: context).setValue(nil, forKey: "title")
                Label(context: context).setValue(nil, forKey: "name")
            }
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSValidationMultipleErrorsError)
            #expect((error?.userInfo[NSDetailedErrorsKey] as? [any Error])?.count == 4)
        }
    }

    // Behaviour 4.8
    @Test func aCorrectedSaveSucceeds() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            book.setValue(nil, forKey: "title")
            #expect(throws: CocoaError.self) { try context.save() }
            #expect(book.isInserted && book.objectID.isTemporaryID)
            book.title = "Emma"
            try context.save()
            #expect(try stack.sqlite("SELECT count(*) FROM ZBOOK") == "1")
        }
    }

    @Test func aValueOfTheWrongTypeIsReportedBySave() throws {
        let stack = try TestStack()
        stack.inContext { context in
            let book = Book(context: context)
            book.pages = 5
            book.setValue("many", forKey: "pages")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSManagedObjectValidationError)
            #expect(error?.validationKey == "pages")
            let text = error?.localizedDescription ?? ""
            #expect(text.contains("\"pages\"") && text.contains("NSNumber") && text.contains("String"), "\(text)")
            #expect(error?.userInfo[NSValidationValueErrorKey] as? String == "many")
            #expect(book.pages == 5)
        }
    }
}
