#if Publishers
import Foundation
import OpenCoreData
import TestSupport
import Testing

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

final class OverridingNote: NSManagedObject {
    var calls: [String] = []

    override func willChangeValue(forKey key: String) {
        calls.append(key)
        super.willChangeValue(forKey: key)
    }
}

/// The publisher of an object, with the trait `Publishers`.
@Suite struct ObjectWillChangeTests {
    @Test func itSendsBeforeEachChange() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            var seen: [String] = []
            let subscription = book.objectWillChange.sink { seen.append(book.title) }
            book.title = "one"
            book.setValue("two", forKey: "title")
            book.author = Author(context: context)
            #expect(seen == ["", "one", "two"])
            try context.save()
            book.title = "three"
            book.title = "four"
            #expect(seen == ["", "one", "two", "two", "three"])
            #expect(book.objectWillChange === book.objectWillChange)
            subscription.cancel()
            book.title = "five"
            #expect(seen.count == 5)
        }
    }

    @Test func itSurvivesFaultsAndTellsOfWhatOthersSaved() throws {
        let stack = try TestStack()
        let context = stack.context()
        let book = try context.performAndWait {
            let book = Book(context: context)
            book.title = "old"
            try context.save()
            return book
        }
        context.automaticallyMergesChangesFromParent = false
        let other = stack.context()
        let log = NotificationLog(other)
        try other.performAndWait {
            try (other.existingObject(with: book.objectID) as? Book)?.title = "new"
            try other.save()
        }
        try context.performAndWait {
            var count = 0
            let subscription = book.objectWillChange.sink { count += 1 }
            context.mergeChanges(
                fromContextDidSave: try #require(log.entries(.NSManagedObjectContextDidSave).first).notification)
            #expect(count == 1 && book.title == "new")
            context.refresh(book, mergeChanges: false)
            #expect(count == 2 && book.isFault)
            book.title = "again"
            #expect(count == 3)
            let tag = Label(context: context)
            tag.name = "t"
            book.mutableSetValue(forKey: "tags").add(tag)
            #expect(count == 4)
            subscription.cancel()
        }
    }

    @Test func itSendsBeforeChangesAreRolledBack() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let (book, other) = (Book(context: context), Book(context: context))
            book.title = "saved"
            try context.save()
            book.title = "edited"
            var seen: [String] = []
            let subscriptions = [book, other].map { book in book.objectWillChange.sink { seen.append(book.title) } }
            context.rollback()
            #expect(seen == ["edited"] && book.title == "saved")
            for subscription in subscriptions { subscription.cancel() }
        }
    }

    @Test func aClassThatOverridesWillChangeValueSendsOnceToo() throws {
        let title = NSAttributeDescription()
        title.name = "title"
        title.type = .string
        let next = NSRelationshipDescription()
        next.name = "next"
        next.maxCount = 1
        let note = NSEntityDescription()
        note.name = "Note"
        note.managedObjectClassName = String(reflecting: OverridingNote.self)
        note.properties = [title, next]
        next.destinationEntity = note
        let model = NSManagedObjectModel()
        model.entities = [note]
        let stack = try TestStack(model: model)
        stack.inContext { context in
            let note = OverridingNote(context: context)
            let other = OverridingNote(context: context)
            var count = 0
            let subscription = note.objectWillChange.sink { count += 1 }
            note.setValue("one", forKey: "title")
            #expect(count == 1)
            note.setValue(other, forKey: "next")
            #expect(count == 2)
            note.setValue("two", forKey: "title")
            #expect(count == 3 && note.calls == ["title", "next", "title"])
            subscription.cancel()
        }
    }

    @Test func genericCodeTakesObjectsAsObservable() throws {
        func changes<Object: ObservableObject>(of object: Object, _ body: () -> Void) -> Int
        where Object.ObjectWillChangePublisher == ObservableObjectPublisher {
            var count = 0
            let subscription = object.objectWillChange.sink { count += 1 }
            body()
            subscription.cancel()
            return count
        }
        let stack = try TestStack()
        stack.inContext { context in
            let author = Author(context: context)
            #expect(changes(of: author) { author.name = "n" } == 1)
        }
    }
}
#endif
