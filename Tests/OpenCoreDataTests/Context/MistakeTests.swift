import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Mistakes in methods that can't throw: the next save does, once, and names the thing.
@Suite struct MistakeTests {
    @Test func anUnknownKeyFailsTheNextSaveOnce() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            context.name = "edits"
            let book = Book(context: context)
            book.setValue("x", forKey: "titel")
            book.setValuesForKeys(["title": "y"])
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.localizedDescription.contains("'titel'") == true)
            #expect(error?.localizedDescription.contains("Book") == true)
            #expect(error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [book])
            #expect(book.title == "y" && context.hasChanges)
            try context.save()
            #expect(try context.count(for: NSFetchRequest<Book>(entityName: "Book")) == 1)
        }
    }

    @Test func anUnknownKeyOfAnUnchangedObjectFailsTheSaveToo() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            try context.save()
            book.setValue(1, forKeyPath: "nothing")
            #expect(throws: CocoaError.self) { try context.save() }
            book.setValue(1, forKey: "nothing")
            context.rollback()
            try context.save()
            book.setValue(1, forKey: "nothing")
            context.reset()
            try context.save()
        }
    }

    @Test func aClassMayHaveKeysOfItsOwn() throws {
        let model = LibraryModel.make()
        model.entitiesByName["Note"]?.managedObjectClassName = NSStringFromClass(OpenNote.self)
        let stack = try TestStack(model: model)
        try stack.inContext { context in
            let note = OpenNote(context: context)
            note.setValue("kept", forKey: "mood")
            #expect(note.value(forKey: "mood") as? String == "kept")
            try context.save()
        }
    }

    @Test func deletingAnObjectOfAnotherContextFailsTheNextSave() throws {
        let stack = try TestStack()
        let (context, other) = (stack.context(), stack.context())
        other.name = "theirs"
        let book = try other.performAndWait {
            let book = Book(context: other)
            try other.save()
            return book
        }
        try context.performAndWait {
            context.delete(book)
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.localizedDescription.contains("another context \"theirs\"") == true)
            #expect(error?.localizedDescription.contains(book.objectID.uriRepresentation().absoluteString) == true)
            context.delete(context.object(with: book.objectID))
            try context.save()
            #expect(try context.count(for: NSFetchRequest<Book>(entityName: "Book")) == 0)
        }
    }

    @Test func deletingAnObjectOfTheParentFailsTheChildsSave() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            try child.performAndWait {
                child.delete(book)
                #expect(throws: CocoaError.self) { try child.save() }
                child.delete(child.object(with: book.objectID))
                try child.save()
            }
            #expect(book.isDeleted || book.managedObjectContext == nil)
        }
    }

    @Test func deletingWhatIsGoneIsNoMistake() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            context.delete(book)
            try context.save()
            context.delete(book)
            try context.save()
        }
    }
}

/// A class that takes any key.
final class OpenNote: NSManagedObject {
    private var others: [String: Any] = [:]

    override func setValue(_ value: Any?, forUndefinedKey key: String) { others[key] = value }
    override func value(forUndefinedKey key: String) -> Any? { others[key] }
}
