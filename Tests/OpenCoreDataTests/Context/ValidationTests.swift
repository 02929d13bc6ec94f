import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Section 4 of the observed behavior.
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
            let string = error?.localizedDescription ?? ""
            #expect(
                string.contains("\"pages\"") && string.contains("NSNumber") && string.contains("String"), "\(string)")
            #expect(error?.userInfo[NSValidationValueErrorKey] as? String == "many")
            #expect(book.pages == 5)
        }
    }

    // The count asks for members, not that the relationship is mandatory.
    @Test(arguments: [(0, 0, true), (1, 0, false), (1, 1, true), (2, 1, false)])
    func aMandatoryToManyNeedsAsManyAsItsCountSays(least: Int, members: Int, isSaved: Bool) throws {
        let model = LibraryModel.make()
        let books = try #require(model.entitiesByName["Author"]?.relationshipsByName["books"])
        (books.isOptional, books.minCount) = (false, least)
        let stack = try TestStack(model: model)
        try stack.inContext { context in
            let author = Author(context: context)
            author.books = Set((0..<members).map { _ in Book(context: context) })
            guard !isSaved else { return try context.save() }
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSValidationRelationshipLacksMinimumCountError)
            #expect(error?.validationKey == "books")
        }
    }
}
