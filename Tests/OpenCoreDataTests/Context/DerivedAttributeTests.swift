import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Attributes that the store computes. Numbers are section.fact.
@Suite(.serialized) struct DerivedAttributeTests {
    private func derived(_ name: String, _ type: NSAttributeType, _ expression: NSExpression)
        -> NSDerivedAttributeDescription
    {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.derivationExpression = expression
        return attribute
    }

    /// The library's model; its authors count, sum and fold what they have, and its books know their author's name.
    private func model(optional: Bool = true) throws -> NSManagedObjectModel {
        let model = LibraryModel.make()
        let author = try #require(model.entitiesByName["Author"])
        let book = try #require(model.entitiesByName["Book"])
        author.properties += [
            derived("bookCount", .integer64AttributeType, NSExpression(forKeyPath: "books.@count")),
            derived("pageSum", .integer64AttributeType, NSExpression(forKeyPath: "books.pages.@sum")),
            derived("shout", .stringAttributeType, NSExpression(format: "uppercase:(name)")),
            derived("sortName", .stringAttributeType, NSExpression(format: "canonical:(name)")),
            derived("stamp", .dateAttributeType, NSExpression(format: "now()")),
        ]
        book.properties += [derived("authorName", .stringAttributeType, NSExpression(forKeyPath: "author.name"))]
        if !optional { author.propertiesByName["shout"]?.isOptional = false }
        return model
    }

    // Behaviour 6.16
    @Test func valuesAreThereAfterTheSaveAndARefresh() throws {
        let stack = try TestStack(model: model())
        try stack.inContext { context in
            let author = Author(context: context)
            author.name = "Émile"
            #expect(author.value(forKey: "shout") == nil && author.value(forKey: "bookCount") == nil)
            let book = Book(context: context)
            book.pages = 30
            book.author = author
            try context.save()
            for object in [author, book] { context.refresh(object, mergeChanges: true) }
            #expect(author.value(forKey: "shout") as? String == "ÉMILE")
            #expect(author.value(forKey: "sortName") as? String == "emile")
            #expect(author.value(forKey: "bookCount") as? Int == 1 && author.value(forKey: "pageSum") as? Int == 30)
            #expect(author.value(forKey: "stamp") is Date && book.value(forKey: "authorName") as? String == "Émile")
        }
    }

    /// What adding and subtracting leaves beside a sum of fractions, such as 0.1 + 0.2 - 0.1, is not kept.
    @Test func aSumOfFractionsIsThatOfAllMembers() throws {
        let model = LibraryModel.make()
        let author = try #require(model.entitiesByName["Author"])
        author.properties += [derived("priceSum", .doubleAttributeType, NSExpression(forKeyPath: "books.price.@sum"))]
        let stack = try TestStack(model: model)
        func checkStore() throws {
            let query =
                "SELECT count(*) FROM ZAUTHOR a WHERE ZPRICESUM = "
                + "(SELECT IFNULL(SUM(ZPRICE), 0) FROM ZBOOK WHERE ZAUTHOR = a.Z_PK)"
            if stack.isFile { #expect(try stack.sqlite(query) == "1") }
        }
        func check(_ author: Author) throws {
            try checkStore()
            let stored = try stack.inContext { context in
                try context.fetch(NSFetchRequest<Author>(entityName: "Author")).first?.value(forKey: "priceSum")
            }
            #expect(stored as? Double == author.value(forKey: "priceSum") as? Double)
        }
        try stack.inContext { context in
            let author = Author(context: context)
            var books = (0..<40).map { number in
                let book = Book(context: context)
                book.price = Double(number) / 10
                book.author = author
                return book
            }
            try context.save()
            try check(author)
            for _ in 0..<20 {
                context.delete(books.removeFirst())
                books[5].price += 0.7
                try context.save()
                try check(author)
            }
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.propertiesToUpdate = ["price": NSExpression(format: "price * 1.1")]
            try context.execute(update)
            let delete = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
            delete.predicate = NSPredicate(format: "price > 3")
            try context.execute(NSBatchDeleteRequest(fetchRequest: delete))
            try checkStore()
            let rest = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
            try context.execute(NSBatchDeleteRequest(fetchRequest: rest))
            try checkStore()
        }
    }

    // Behaviour 6.16
    @Test func valuesFollowTheOwnerAndRelatedRows() throws {
        let stack = try TestStack(model: model())
        try stack.inContext { context in
            let author = Author(context: context)
            author.name = "a"
            let books = (1...3).map { index in
                let book = Book(context: context)
                book.pages = Int32(index)
                book.author = author
                return book
            }
            try context.save()
            author.name = "b"
            books[0].pages = 10
            context.delete(books[2])
            try context.save()
            context.refreshAllObjects()
            #expect(author.value(forKey: "shout") as? String == "B" && author.value(forKey: "bookCount") as? Int == 2)
            #expect(author.value(forKey: "pageSum") as? Int == 12)
            #expect(books[0].value(forKey: "authorName") as? String == "b")
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.predicate = NSPredicate(format: "bookCount == 2 AND shout == 'B'")
            request.sortDescriptors = [NSSortDescriptor(key: "pageSum", ascending: false)]
            let found = try context.fetch(request)
            #expect(found == [author])
        }
    }

    // Behaviour 6.16
    @Test func onlySQLiteKeepsThemAndAMandatoryOneFailsTheInsert() throws {
        #expect(throws: CocoaError.self) { try TestStack(model: model(), type: NSInMemoryStoreType) }
        let stack = try TestStack(model: model(optional: false))
        stack.inContext { context in
            Author(context: context).name = "a"
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSValidationMissingMandatoryPropertyError)
            #expect(error?.validationKey == "shout")
        }
    }

    @Test(.enabled(if: SQLiteShell.isAvailable)) func otherProgramsDoNotKnowTheFunctionThatFoldsTexts() throws {
        let stack = try TestStack(model: model())
        try stack.inContext { context in
            Author(context: context).name = "Émile"
            try context.save()
        }
        #expect(try stack.sqlite("SELECT ZSORTNAME FROM ZAUTHOR") == "emile")
        let failure = #expect(throws: SQLiteShell.Failure.self) {
            try stack.sqlite("UPDATE ZAUTHOR SET ZNAME = 'x'; SELECT 1")
        }
        #expect(failure?.description.contains("no such function") == true)
        let triggers = try stack.sqlite(
            "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%ocd!_canonical%' ESCAPE '!'")
        #expect(triggers.contains("ZSORTNAME"))
        #expect(try stack.sqlite("SELECT ZNAME FROM ZAUTHOR") == "Émile")
    }
}
