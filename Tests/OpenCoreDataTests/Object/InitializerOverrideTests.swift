import Dispatch
import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Does something when an object is made for a row.
class Eager: NSManagedObject {
    /// What an initializer does, with the object and how deep it was called by others.
    @TaskLocal static var action: (@Sendable (SendableBox<NSManagedObject>, Int) -> Void)?
    @TaskLocal static var depth = 0
    let label = "made"

    override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        guard isFault else { return }
        let box = SendableBox(self as NSManagedObject)
        Eager.$depth.withValue(Eager.depth + 1) { Eager.action?(box, Eager.depth) }
    }
}

final class EagerAuthor: Eager {}
final class EagerBook: Eager {}

/// Classes whose `init(entity:insertInto:)` uses the context that the object is being made for.
@Suite(.timeLimit(.minutes(5))) struct InitializerOverrideTests {
    /// 200 authors of two books each.
    private func makeStack(type: String = NSSQLiteStoreType) throws -> TestStack {
        let model = LibraryModel.make()
        model.entitiesByName["Author"]?.managedObjectClassName = NSStringFromClass(EagerAuthor.self)
        model.entitiesByName["Book"]?.managedObjectClassName = NSStringFromClass(EagerBook.self)
        let stack = try TestStack(model: model, type: type)
        try stack.inContext { context in
            for number in 0..<200 {
                let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                author.setValue("\(number)", forKey: "name")
                for index in 0..<2 {
                    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                    book.setValue("\(number).\(index)", forKey: "title")
                    book.setValue(author, forKey: "author")
                }
            }
            try context.save()
        }
        return stack
    }

    private func authors(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request)
    }

    /// Whether each object is the only one with its identifier, and all of them are right.
    private func check(_ authors: [NSManagedObject], _ context: NSManagedObjectContext) {
        #expect(authors.count == 200)
        #expect(authors.map { $0.value(forKey: "name") as? String } == (0..<200).map { "\($0)" }.sorted())
        for author in authors {
            #expect(context.object(with: author.objectID) === author)
            let books = author.value(forKey: "books") as? Set<NSManagedObject> ?? []
            #expect(books.count == 2)
            for book in books {
                #expect(book.value(forKey: "author") as? NSManagedObject === author)
                #expect(context.object(with: book.objectID) === book)
            }
        }
        let known = context.registeredObjects
        #expect(Set(known.map(\.objectID)).count == known.count)
    }

    @Test func anInitializerMayReadARelationship() throws {
        let stack = try makeStack()
        try stack.inContext { context in
            try Eager.$action.withValue({ box, _ in
                guard box.value is EagerAuthor else { return }
                let books = box.value.value(forKey: "books") as? Set<NSManagedObject> ?? []
                for book in books { #expect(book.value(forKey: "author") as? NSManagedObject === box.value) }
            }) {
                check(try authors(context), context)
            }
        }
    }

    @Test func anInitializerMayLookUpOthersOfItsTable() throws {
        let stack = try makeStack()
        let ids = try stack.inContext { context in try authors(context).map(\.objectID) }
        try stack.inContext { context in
            let held = Held()
            try Eager.$action.withValue({ box, depth in
                guard box.value is EagerAuthor, depth < 3, let context = box.value.managedObjectContext else { return }
                // Itself, one that was made before, and one that comes later.
                let index = ids.firstIndex(of: box.value.objectID) ?? 0
                #expect(context.object(with: box.value.objectID) === box.value)
                #expect(context.registeredObject(for: box.value.objectID) === box.value)
                for other in [index / 2, (index + 150) % 200, (index + 1) % 200] {
                    held.objects.append(context.object(with: ids[other]))
                }
            }) {
                let found = try authors(context)
                check(found, context)
                for object in held.objects { #expect(found.contains { $0 === object }) }
                #expect(!held.objects.isEmpty)
            }
        }
    }

    /// Used on one context's queue.
    private final class Held: @unchecked Sendable {
        var objects: [NSManagedObject] = []
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType]) func anInitializerMayFetch(type: String) throws {
        let stack = try makeStack(type: type)
        try stack.inContext { context in
            let held = Held()
            try Eager.$action.withValue({ box, depth in
                guard box.value is EagerAuthor, depth < 3, let context = box.value.managedObjectContext else { return }
                let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
                request.fetchLimit = 90
                request.fetchOffset = depth * 30
                held.objects += (try? context.fetch(request)) ?? []
            }) {
                let found = try authors(context)
                check(found, context)
                let known = Set(found.map(ObjectIdentifier.init))
                #expect(held.objects.allSatisfy { known.contains(ObjectIdentifier($0)) })
            }
        }
    }

    @Test func anInitializerMayMakeNewObjectsAndKeyPaths() throws {
        let stack = try makeStack()
        try stack.inContext { context in
            try Eager.$action.withValue({ box, _ in
                guard box.value is EagerAuthor, let context = box.value.managedObjectContext else { return }
                _ = NSSortDescriptor(keyPath: \Book.title, ascending: true)
                let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                note.setValue(box.value, forKey: "author")
            }) {
                check(try authors(context), context)
            }
            #expect(context.insertedObjects.count == 200)
            try context.save()
        }
        #expect(try stack.sqlite("SELECT count(DISTINCT ZAUTHOR) FROM ZNOTE") == "200")
    }

    @Test func aSingleFaultMayLookItselfUp() throws {
        let stack = try makeStack()
        let id = try stack.inContext { context in try authors(context)[0].objectID }
        stack.inContext { context in
            Eager.$action.withValue({ box, _ in
                let context = box.value.managedObjectContext
                #expect(context?.object(with: box.value.objectID) === box.value)
                _ = box.value.value(forKey: "books")
            }) {
                let author = context.object(with: id)
                #expect(context.object(with: id) === author)
                #expect(context.registeredObject(for: id) === author)
            }
        }
    }

    @Test func contextsOnSeveralThreadsMayDoSoAtOnce() throws {
        let stack = SendableBox(try makeStack())
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            stack.value.inContext { context in
                Eager.$action.withValue({ box, depth in
                    guard depth < 3, let context = box.value.managedObjectContext else { return }
                    _ = box.value.value(forKey: box.value is EagerAuthor ? "books" : "author")
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
                    request.fetchLimit = 5
                    _ = try? context.fetch(request)
                }) {
                    for _ in 0..<3 {
                        guard let found = try? authors(context) else {
                            Issue.record("The fetch failed.")
                            continue
                        }
                        check(found, context)
                    }
                }
            }
        }
    }
}
