#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

enum Notes {
    enum State: String, Codable { case open, done }

    struct Extra: Codable, Equatable {
        var words: [String: Int]
    }

    @Model final class Note {
        #Index<Note>(.binary([\.title]), .binary([\.title, \.size]))
        var title: String
        var size: Int = 0
        @Attribute(.ephemeral) var isSelected: Bool = false
        @Attribute(.ephemeral) var state: State?
        @Attribute(.codable) var extra: Extra?
        var book: Book?
        init(title: String, size: Int = 0) {
            self.title = title
            self.size = size
        }
    }

    @Model final class Book {
        @Attribute(originalName: "label", hashModifier: "2") var title: String
        var state: State = State.open
        var codes: [Int] = [1]
        @Relationship(deleteRule: .cascade, inverse: \Note.book) var notes: [Note] = []
        init(title: String) { self.title = title }
    }

    /// Accessors that are written by hand.
    @Model final class Manual {
        var stored: Int = 4
        var doubled: Int {
            get { getValue(forKey: \.stored) * 2 }
            set { setValue(forKey: \.stored, to: newValue / 2) }
        }
        var note: Note?
        init() {}
    }
}

/// What contexts, fetches and schemas offer, on stores on disk.
struct ContextTests {
    private typealias Note = Notes.Note

    private let folder: TemporaryFolder
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        folder = try TemporaryFolder()
        var configuration = ModelConfiguration(url: folder.file("notes.store"))
        configuration.allowsUnverifiedEncodings = true
        container = try ModelContainer(for: Note.self, Notes.Manual.self, configurations: configuration)
        context = ModelContext(container)
    }

    private func fill(_ count: Int) throws {
        for index in 0..<count { context.insert(Note(title: "n\(index)", size: index)) }
        try context.save()
    }

    private let bySize = [SortDescriptor(\Notes.Note.size)]

    // MARK: Fetching

    @Test func aBatchedFetchIsACollection() throws {
        try fill(25)
        let fresh = ModelContext(container)
        let found = try fresh.fetch(FetchDescriptor<Note>(sortBy: bySize), batchSize: 10)
        #expect(found.count == 25)
        #expect(found.map(\.size) == Array(0..<25))
        #expect(found[24].title == "n24")
        #expect(found.reversed().first?.size == 24)
        let ids = try fresh.fetchIdentifiers(FetchDescriptor<Note>(sortBy: bySize), batchSize: 10)
        #expect(Array(ids) == found.map(\.persistentModelID))
        #expect(try fresh.fetchIdentifiers(FetchDescriptor<Note>(sortBy: bySize)) == Array(ids))
        #expect(try fresh.fetchCount(FetchDescriptor<Note>(predicate: #Predicate { $0.size > 20 })) == 4)
    }

    @Test func enumeratingMeetsEachModelAndRefusesForgottenChanges() throws {
        try fill(25)
        var sizes: [Int] = []
        try context.enumerate(FetchDescriptor<Note>(sortBy: bySize), batchSize: 10) { sizes.append($0.size) }
        #expect(sizes == Array(0..<25))
        var met = 0
        #expect(throws: SwiftDataError.self) {
            try context.enumerate(FetchDescriptor<Note>(), batchSize: 10) { note in
                note.size += 1
                met += 1
            }
        }
        #expect(met == 10)
        context.rollback()
        try context.enumerate(FetchDescriptor<Note>(), batchSize: 10, allowEscapingMutations: true) {
            $0.size += 100
        }
        try context.save()
        #expect(
            try ModelContext(container).fetchCount(FetchDescriptor<Note>(predicate: #Predicate { $0.size >= 100 }))
                == 25)
    }

    @Test func descriptorsAreEqualThatAreWrittenAlike() {
        func descriptor(_ size: Int, _ title: String?) -> FetchDescriptor<Note> {
            FetchDescriptor(
                predicate: #Predicate { $0.size > size && ($0.title == title ?? "" || $0.book == nil) },
                sortBy: bySize)
        }
        #expect(descriptor(1, "a") == descriptor(1, "a"))
        #expect(descriptor(1, "a") != descriptor(2, "a"))
        #expect(descriptor(1, "a") != descriptor(1, "b"))
        #expect(FetchDescriptor<Note>() == FetchDescriptor<Note>())
        #expect(FetchDescriptor<Note>() != descriptor(1, nil))
        var limited = descriptor(1, "a")
        limited.fetchLimit = 3
        #expect(limited != descriptor(1, "a"))
    }

    @Test func modelsAreFoundByTheirIdentifiers() throws {
        try fill(2)
        let note = try #require(try context.fetch(FetchDescriptor<Note>(sortBy: bySize)).first)
        let id = note.persistentModelID
        let registered: Note? = context.registeredModel(for: id)
        #expect(registered === note)
        let fresh = ModelContext(container)
        let unknown: Note? = fresh.registeredModel(for: id)
        #expect(unknown == nil)
        #expect((fresh.model(for: id) as? Note)?.title == "n0")
        #expect(note.id == id && id.entityName == "Note" && id.storeIdentifier != nil)
        #expect([id].contains(note.persistentModelID) && Set([id]).contains(id))
        let ids = try fresh.fetchIdentifiers(FetchDescriptor<Note>(sortBy: bySize))
        #expect(ids.sorted() == ids && ids[0] < ids[1])
    }

    @Test func savesAreAnnouncedWithIdentifiers() throws {
        try fill(3)
        let notes = try context.fetch(FetchDescriptor<Note>(sortBy: bySize))
        nonisolated(unsafe) var posted: [(Notification.Name, [String: [PersistentIdentifier]])] = []
        let observers = [ModelContext.willSave, ModelContext.didSave].map { name in
            NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { notification in
                posted.append((name, notification.userInfo as? [String: [PersistentIdentifier]] ?? [:]))
            }
        }
        defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
        let new = Note(title: "new", size: 9)
        context.insert(new)
        notes[0].size = 50
        context.delete(notes[1])
        let deleted = notes[1].persistentModelID
        try context.save()
        #expect(posted.map(\.0) == [ModelContext.willSave, ModelContext.didSave])
        let info = posted.last?.1 ?? [:]
        typealias Key = ModelContext.NotificationKey
        #expect(info[Key.insertedIdentifiers.rawValue] == [new.persistentModelID])
        #expect(info[Key.updatedIdentifiers.rawValue] == [notes[0].persistentModelID])
        #expect(info[Key.deletedIdentifiers.rawValue] == [deleted])
    }

    @Test func modelsAreDeletedByConditionAndTransactionsAreTakenBack() throws {
        try fill(5)
        try context.delete(model: Note.self, where: #Predicate { $0.size < 3 })
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Note>()) == 2)
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try context.transaction {
                context.insert(Note(title: "lost"))
                throw Refusal()
            }
        }
        #expect(!context.hasChanges)
        try context.transaction { context.insert(Note(title: "kept")) }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Note>()) == 3)
        try container.erase()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Note>()) == 0)
    }

    // MARK: Options

    @Test func ephemeralAttributesAreTrackedAndNotSaved() throws {
        let note = Note(title: "a")
        note.isSelected = true
        note.state = .done
        context.insert(note)
        #expect(note.isSelected && note.state == .done)
        try context.save()
        #expect(note.isSelected && note.state == .done)
        nonisolated(unsafe) var count = 0
        withObservationTracking {
            _ = note.isSelected
        } onChange: {
            count += 1
        }
        note.isSelected = false
        #expect(count == 1)
        let found = try #require(try ModelContext(container).fetch(FetchDescriptor<Note>()).first)
        #expect(!found.isSelected && found.state == nil)
        let columns = try SQLiteShell.run(
            "SELECT sql FROM sqlite_master WHERE name = 'ZNOTE'", on: folder.file("notes.store"))
        #expect(!columns.contains("ZISSELECTED") && !columns.contains("ZSTATE"))
    }

    @Test(arguments: [false, true])
    func ephemeralValuesStayWhenTheModelIsFetchedAgain(_ isChangedElsewhere: Bool) throws {
        let note = Note(title: "a")
        context.insert(note)
        try context.save()
        note.isSelected = true
        note.state = .done
        try context.save()
        if isChangedElsewhere {
            let other = ModelContext(container)
            try other.fetch(FetchDescriptor<Note>()).first?.title = "b"
            try other.save()
        }
        let again = try context.fetch(FetchDescriptor<Note>())
        #expect(again == [note])
        #expect(note.isSelected && note.state == .done && note.title == (isChangedElsewhere ? "b" : "a"))
        note.size = 4
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Note>(), batchSize: 1).map(\.size) == [4])
        #expect(note.isSelected && note.state == .done)
        note.state = nil
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Note>()).first?.state == nil && note.isSelected)
    }

    @Test func codableAttributesAreKeptByTheirOwnCoding() throws {
        let note = Note(title: "a")
        note.extra = Notes.Extra(words: ["x": 1])
        context.insert(note)
        context.insert(Note(title: "b"))
        try context.save()
        let found = try ModelContext(container).fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.title)]))
        #expect(found.map(\.extra) == [Notes.Extra(words: ["x": 1]), nil])
        #expect(Schema([Note.self]).entitiesByName["Note"]?.attributesByName["extra"]?.isCodable == true)
        #expect(throws: SwiftDataError.modelValidationFailure) {
            try ModelContainer(
                for: Note.self, configurations: ModelConfiguration(url: folder.file("refused.store")))
        }
    }

    @Test func accessorsByHandReadAndWriteByKeyPath() throws {
        let manual = Notes.Manual()
        #expect(manual.doubled == 8)
        manual.doubled = 20
        #expect(manual.stored == 10)
        context.insert(manual)
        manual.setValue(forKey: \.note, to: Note(title: "n"))
        #expect(manual.getValue(forKey: \.note)?.title == "n")
        try context.save()
        #expect(try ModelContext(container).fetch(FetchDescriptor<Notes.Manual>()).first?.doubled == 20)
    }

    @Test func indexesOfTheKindBinaryAreThoseOfPlainLists() throws {
        let indexes = try SQLiteShell.run(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'ZNOTE' ORDER BY name",
            on: folder.file("notes.store"))
        #expect(indexes.contains("Z_Note_SwiftDataIndexOnBinarytitle\n"))
        #expect(indexes.contains("Z_Note_SwiftDataIndexOnBinarytitlesize"))
    }

    // MARK: Schemas

    @Test func aSchemaIsWrittenAndRead() throws {
        let schema = Schema([Notes.Book.self], version: Schema.Version(2, 1, 0))
        let data = try JSONEncoder().encode(schema)
        let read = try JSONDecoder().decode(Schema.self, from: data)
        #expect(read == schema)
        #expect(read.version == Schema.Version(2, 1, 0))
        #expect(read.entitiesByName.keys.sorted() == ["Book", "Note"])
        let title = try #require(read.entitiesByName["Book"]?.attributesByName["title"])
        #expect(title.originalName == "label" && title.hashModifier == "2")
        #expect(title.valueType == String.self && !title.isOptional)
        let notes = try #require(read.entitiesByName["Book"]?.relationshipsByName["notes"])
        #expect(notes.inverseName == "book" && notes.deleteRule == .cascade && notes.keypath == \Notes.Book.notes)
        #expect(
            (read.entitiesByName["Book"]?.attributesByName["state"] as? Schema.CompositeAttribute)?.properties.count
                == 1)
        let first = try #require(NSManagedObjectModelHashes.of(schema))
        #expect(NSManagedObjectModelHashes.of(read) == first)
    }
}
#endif
