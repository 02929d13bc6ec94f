#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Owners whose row stays as it is when nothing but a to-many relationship changed.
@Suite(.needsServer) struct UncheckedOwnerTests {
    /// The library, whose authors' versions are left alone when they get books.
    private static func model(_ answer: String = "excluded") throws -> NSManagedObjectModel {
        let model = LibraryModel.make()
        let author = try #require(model.entitiesByName["Author"])
        author.relationshipsByName["books"]?.userInfo = ["optimisticLock": answer]
        return model
    }

    private static func unchecked() -> [AnyHashable: Any] {
        var options = PostgreSQLOptions()
        options.checksOwners = false
        return [PostgreSQLStore.optionsOption: PostgreSQLOptionsBox(options)]
    }

    @discardableResult
    private func insert(
        _ title: String, by author: NSManagedObject?, in context: NSManagedObjectContext
    ) -> NSManagedObject {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(title, forKey: "title")
        book.setValue(author, forKey: "author")
        return book
    }

    private func insertAuthor(in context: NSManagedObjectContext) throws -> NSManagedObject {
        let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
        author.setValue("Jane", forKey: "name")
        try context.save()
        return author
    }

    private func author(in context: NSManagedObjectContext) throws -> NSManagedObject {
        try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")).first)
    }

    private func titles(of author: NSManagedObject) -> [String] {
        (author.value(forKey: "books") as? Set<NSManagedObject> ?? []).compactMap {
            $0.value(forKey: "title") as? String
        }
        .sorted()
    }

    /// Saves, which conflicts with what others did to the object, and to no other.
    private func expectConflict(of object: NSManagedObject, in context: NSManagedObjectContext) throws {
        let error = try #require(throws: CocoaError.self) { try context.save() }
        #expect(error.code.rawValue == NSManagedObjectMergeError)
        let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        #expect(conflicts?.map(\.sourceObject.objectID) == [object.objectID], "\(error)")
    }

    /// A context's author with the books that were read. The context keeps it no longer than the caller does.
    private func authorWithBooks(in context: NSManagedObjectContext) throws -> NSManagedObject {
        try context.performAndWait {
            let author = try author(in: context)
            _ = titles(of: author)
            return author
        }
    }

    @Test func manyWritersGiveOneOwnerMembersWithoutConflict() throws {
        try ServerStack.with(model: Self.model()) { stack in
            try stack.inContext { _ = try insertAuthor(in: $0) }
            let (first, second) = (stack.context(), stack.context())
            _ = try authorWithBooks(in: first)
            try second.performAndWait {
                let author = try author(in: second)
                insert("Emma", by: author, in: second)
                try second.save()
                author.setValue("Jane Austen", forKey: "name")
                try second.save()
                insert("Lady Susan", by: author, in: second)
                try second.save()
                #expect(titles(of: author) == ["Emma", "Lady Susan"])
            }
            try first.performAndWait {
                let author = try author(in: first)
                insert("Persuasion", by: author, in: first)
                try first.save()
                #expect(!author.hasChanges)
                first.refreshAllObjects()
                #expect(titles(of: author) == ["Emma", "Lady Susan", "Persuasion"])
                #expect(author.value(forKey: "name") as? String == "Jane Austen")
            }
            #expect(try stack.rows("SELECT z_opt::text FROM author") == [["2"]])
        }
    }

    /// The same as Apple's framework, where neither the relationship nor the program says something else.
    @Test(arguments: [true, false])
    func theOwnerIsCheckedUnlessToldOtherwise(_ isTold: Bool) throws {
        let options = isTold ? Self.unchecked() : [:]
        try ServerStack.with(model: isTold ? Self.model("checked") : LibraryModel.make(), options: options) {
            stack in
            try stack.inContext { context in
                let author = try insertAuthor(in: context)
                insert("Emma", by: author, in: context)
                try context.save()
            }
            #expect(try stack.rows("SELECT z_opt::text FROM author") == [["2"]])
        }
    }

    @Test func theProgramsAnswerHoldsWhereTheRelationshipHasNone() throws {
        try ServerStack.with(options: Self.unchecked()) { stack in
            try stack.inContext { context in
                let author = try insertAuthor(in: context)
                _ = stack.statements.take()
                insert("Emma", by: author, in: context)
                try context.save()
                #expect(!stack.statements.take().contains { $0.contains("UPDATE") && $0.contains("\"author\"") })
                context.refreshAllObjects()
                #expect(titles(of: author) == ["Emma"])
            }
            #expect(try stack.rows("SELECT z_opt::text FROM author") == [["1"]])
        }
    }

    /// Gives the author another name, in a context of its own.
    private func rename(to name: String, in stack: ServerStack) throws {
        try stack.inContext { context in
            try author(in: context).setValue(name, forKey: "name")
            try context.save()
        }
    }

    @Test func anAttributeThatChangesTooIsChecked() throws {
        try ServerStack.with(model: Self.model()) { stack in
            try stack.inContext { _ = try insertAuthor(in: $0) }
            try stack.inContext { context in
                let found = try author(in: context)
                _ = found.value(forKey: "name")
                try rename(to: "Austen", in: stack)
                found.setValue("J. Austen", forKey: "name")
                insert("Emma", by: found, in: context)
                let error = try #require(throws: CocoaError.self) { try context.save() }
                #expect(error.code.rawValue == NSManagedObjectMergeError)
            }
            #expect(try stack.rows("SELECT name FROM author") == [["Austen"]])
        }
    }

    @Test func anOwnerThatTheProgramWantsComparedIsChecked() throws {
        try ServerStack.with(model: Self.model()) { stack in
            try stack.inContext { _ = try insertAuthor(in: $0) }
            try stack.inContext { context in
                let found = try author(in: context)
                _ = found.value(forKey: "name")
                try rename(to: "Austen", in: stack)
                insert("Emma", by: found, in: context)
                context.detectConflicts(for: found)
                #expect(throws: CocoaError.self) { try context.save() }
            }
            #expect(try stack.rows("SELECT count(*)::text FROM book") == [["0"]])
        }
    }

    @Test func anOwnerThatIsGoneIsAConflict() throws {
        try ServerStack.with(model: Self.model()) { stack in
            try stack.inContext { _ = try insertAuthor(in: $0) }
            let (first, second) = (stack.context(), stack.context())
            let held = try authorWithBooks(in: first)
            try second.performAndWait {
                second.delete(try author(in: second))
                try second.save()
            }
            try first.performAndWait {
                insert("Emma", by: held, in: first)
                try expectConflict(of: held, in: first)
                #expect(try stack.rows("SELECT count(*)::text FROM book") == [["0"]])
                first.rollback()
                insert("Emma", by: nil, in: first)
                try first.save()
            }
            #expect(try stack.rows("SELECT title FROM book") == [["Emma"]])
        }
    }

    @Test func anOwnerThatWasGivenMembersMeanwhileIsAConflictOfItsDeletion() throws {
        try ServerStack.with(model: Self.model()) { stack in
            try stack.inContext { _ = try insertAuthor(in: $0) }
            let (first, second) = (stack.context(), stack.context())
            let held = try authorWithBooks(in: first)
            try second.performAndWait {
                insert("Emma", by: try author(in: second), in: second)
                try second.save()
            }
            try first.performAndWait {
                first.delete(held)
                try expectConflict(of: held, in: first)
                #expect(try stack.rows("SELECT count(*)::text FROM author") == [["1"]])
                first.rollback()
                first.refreshAllObjects()
                first.delete(held)
                try first.save()
            }
            #expect(try stack.rows("SELECT author::text FROM book") == [["NULL"]])
        }
    }

    @Test func theHistoryNamesTheOwner() throws {
        try ServerStack.with(
            model: Self.model(), options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)]
        ) { stack in
            try stack.inContext { context in
                let author = try insertAuthor(in: context)
                insert("Emma", by: author, in: context)
                try context.save()
            }
            #expect(
                try stack.rows(
                    "SELECT e.name, c.type::text, COALESCE(c.columns, '') FROM ocd_change c "
                        + "JOIN ocd_entity e ON e.number = c.entity ORDER BY c.number, c.ordinal") == [
                        ["Author", "0", ""], ["Book", "0", ""], ["Author", "1", "books"],
                    ])
        }
    }
}
#endif
