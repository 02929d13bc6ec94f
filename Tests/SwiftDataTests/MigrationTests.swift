#if Macros
import Foundation
@testable import SwiftData
import TestSupport
import Testing

import class CoreDataEngine.ValueTransformer
import struct CoreDataEngine.NSValueTransformerName

private enum BooksV1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Book.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }

    @Model final class Book {
        var title: String
        var pages: Int
        init(title: String, pages: Int) {
            self.title = title
            self.pages = pages
        }
    }
}

private enum BooksV2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Book.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }

    @Model final class Book {
        @Attribute(originalName: "title") var name: String
        var pages: Int
        var language: String = "en"
        init(name: String, pages: Int) {
            self.name = name
            self.pages = pages
        }
    }
}

private enum BooksV3: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Book.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }

    @Model final class Book {
        @Attribute(.unique) var name: String
        var pages: Int
        var language: String = "en"
        var isLong: Bool = false
        init(name: String, pages: Int) {
            self.name = name
            self.pages = pages
        }
    }
}

/// What the first version's books get that had nothing of the kind.
private enum BooksWithMore {
    enum Genre: String, Codable { case novel, poem }
    enum State: Codable { case new, worn }
    struct Shelf: Codable, Equatable {
        var room: String
        var number: Int?
    }

    @Model final class Book {
        var title: String
        var pages: Int
        var tags: [String] = ["old"]
        var counts: [Int] = []
        var genre: Genre = Genre.poem
        var state = State.worn
        var shelf = Shelf(room: "Attic", number: 7)
        init(title: String, pages: Int) {
            self.title = title
            self.pages = pages
        }
    }
}

/// A structure that may be missing, and a list with a form of its own, in a store of two versions.
private enum Shelves {
    enum Before {
        struct Shelf: Codable, Equatable { var room: String? }

        @Model final class Volume {
            var title: String
            var shelf: Shelf?
            init(title: String) { self.title = title }
        }
    }

    enum After {
        struct Shelf: Codable, Equatable {
            var room: String?
            var number: Int?
        }

        @Model final class Volume {
            var title: String
            var shelf: Shelf? = Shelf(room: "Attic", number: 7)
            @Attribute(.transformable(by: NumbersTransformer.self)) var numbers: [Int] = [1, 2]
            init(title: String) { self.title = title }
        }
    }

    final class NumbersTransformer: ValueTransformer, @unchecked Sendable {
        override class func allowsReverseTransformation() -> Bool { true }
        override func transformedValue(_ value: Any?) -> Any? {
            (value as? [Int]).map { Data($0.map { UInt8($0) }) }
        }
        override func reverseTransformedValue(_ value: Any?) -> Any? { (value as? Data).map { $0.map { Int($0) } } }
    }
}

private enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [BooksV1.self, BooksV2.self, BooksV3.self] }
    static var stages: [MigrationStage] {
        [
            .lightweight(fromVersion: BooksV1.self, toVersion: BooksV2.self),
            .custom(
                fromVersion: BooksV2.self, toVersion: BooksV3.self,
                willMigrate: { context in
                    // Names become unique: the second one of a name goes.
                    var known: Set<String> = []
                    let order = [SortDescriptor(\BooksV2.Book.pages)]
                    for book in try context.fetch(FetchDescriptor<BooksV2.Book>(sortBy: order)) {
                        if !known.insert(book.name).inserted { context.delete(book) }
                    }
                    try context.save()
                },
                didMigrate: { context in
                    for book in try context.fetch(FetchDescriptor<BooksV3.Book>()) {
                        book.isLong = book.pages > 500
                    }
                    try context.save()
                }),
        ]
    }
}

private enum ShortPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [BooksV1.self, BooksV2.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: BooksV1.self, toVersion: BooksV2.self)] }
}

struct MigrationTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("books.store")
        let first = try ModelContainer(
            for: Schema(versionedSchema: BooksV1.self), configurations: ModelConfiguration(url: url))
        let context = ModelContext(first)
        for (title, pages) in [("Emma", 400), ("Emma", 410), ("Ulysses", 730)] {
            context.insert(BooksV1.Book(title: title, pages: pages))
        }
        try context.save()
    }

    private func open(_ plan: (any SchemaMigrationPlan.Type)?, _ version: any VersionedSchema.Type) throws
        -> ModelContext
    {
        ModelContext(
            try ModelContainer(
                for: Schema(versionedSchema: version), migrationPlan: plan,
                configurations: ModelConfiguration(url: url)))
    }

    @Test func aPlanRunsItsStagesWithOldAndNewClasses() throws {
        let context = try open(Plan.self, BooksV3.self)
        let books = try context.fetch(FetchDescriptor<BooksV3.Book>(sortBy: [SortDescriptor(\.name)]))
        #expect(books.map(\.name) == ["Emma", "Ulysses"])
        #expect(books.map(\.isLong) == [false, true])
        #expect(books.map(\.language) == ["en", "en"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).allSatisfy {
                !$0.contains("migration")
            })
    }

    @Test func withoutAPlanARenamedPropertyKeepsItsValues() throws {
        let context = try open(nil, BooksV2.self)
        let books = try context.fetch(FetchDescriptor<BooksV2.Book>(sortBy: [SortDescriptor(\.pages)]))
        #expect(books.map(\.name) == ["Emma", "Emma", "Ulysses"])
    }

    @Test func aStoreThatIsNewerThanThePlanIsRefused() throws {
        _ = try open(Plan.self, BooksV3.self)
        #expect(throws: SwiftDataError.backwardMigration) { try open(ShortPlan.self, BooksV2.self) }
    }

    @Test func migratedModelsHaveTheInitialValuesOfEveryKind() throws {
        typealias Book = BooksWithMore.Book
        let container = try ModelContainer(for: Book.self, configurations: ModelConfiguration(url: url))
        let context = ModelContext(container)
        let books = try context.fetch(FetchDescriptor<Book>())
        #expect(books.count == 3)
        for book in books {
            #expect(book.tags == ["old"] && book.counts == [] && book.genre == .poem && book.state == .worn)
            #expect(book.shelf == BooksWithMore.Shelf(room: "Attic", number: 7))
        }
        let (poem, worn) = (BooksWithMore.Genre.poem, BooksWithMore.State.worn)
        let condition = #Predicate<Book> { $0.genre == poem && $0.state == worn && $0.shelf.room == "Attic" }
        #expect(try context.fetchCount(FetchDescriptor<Book>(predicate: condition)) == 3)
        books[0].title = "Changed"
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Book>()) == 3)
    }

    @Test func aMissingStructureStaysMissingWhenItGetsAMember() throws {
        ValueTransformer.setValueTransformer(
            Shelves.NumbersTransformer(), forName: NSValueTransformerName("NumbersTransformer"))
        let url = folder.file("volumes.store")
        do {
            let context = ModelContext(
                try ModelContainer(for: Shelves.Before.Volume.self, configurations: ModelConfiguration(url: url)))
            for (title, room) in [("Emma", "Hall"), ("Ulysses", nil)] {
                let volume = Shelves.Before.Volume(title: title)
                volume.shelf = room.map { Shelves.Before.Shelf(room: $0) }
                context.insert(volume)
            }
            try context.save()
        }
        let context = ModelContext(
            try ModelContainer(for: Shelves.After.Volume.self, configurations: ModelConfiguration(url: url)))
        let order = [SortDescriptor(\Shelves.After.Volume.title)]
        let volumes = try context.fetch(FetchDescriptor<Shelves.After.Volume>(sortBy: order))
        #expect(volumes.map(\.shelf) == [Shelves.After.Shelf(room: "Hall", number: 7), nil])
        let missing = #Predicate<Shelves.After.Volume> { $0.shelf == nil }
        #expect(try context.fetchCount(FetchDescriptor(predicate: missing)) == 1)
        #expect(volumes.map(\.numbers) == [[1, 2], [1, 2]])
    }

    @Test func aStoreThatIsNewerThanTheClassesIsRefused() throws {
        _ = try open(Plan.self, BooksV3.self)
        #expect(throws: SwiftDataError.backwardMigration) { try open(Plan.self, BooksV2.self) }
        #expect(try open(nil, BooksV3.self).fetchCount(FetchDescriptor<BooksV3.Book>()) == 2)
    }

    @Test func aStoreIsBroughtToTheVersionOfTheClasses() throws {
        let books = try open(Plan.self, BooksV2.self).fetch(FetchDescriptor<BooksV2.Book>())
        #expect(books.map(\.name).sorted() == ["Emma", "Emma", "Ulysses"])
        #expect(try open(Plan.self, BooksV3.self).fetchCount(FetchDescriptor<BooksV3.Book>()) == 2)
    }

    @Test func theErrorOfAnUnknownVersionNamesTheEntityAndTheNearestVersion() throws {
        enum Later: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [BooksV2.self, BooksV3.self] }
            static var stages: [MigrationStage] { [] }
        }
        do {
            _ = try open(Later.self, BooksV3.self)
            Issue.record("A store of no version was opened")
        } catch let error as SwiftDataError {
            #expect(error == .unknownSchema)
            let reason = try #require(error.reason)
            #expect(reason.contains("differs from the nearest, 2.0.0, in Book") && reason.contains(url.path))
        }
        #expect(try open(nil, BooksV1.self).fetchCount(FetchDescriptor<BooksV1.Book>()) == 3)
    }

    @Test func aStageThatThrowsLeavesTheStoreAsItWas() throws {
        enum Failing: SchemaMigrationPlan {
            struct Refusal: Error {}
            static var schemas: [any VersionedSchema.Type] { [BooksV1.self, BooksV2.self] }
            static var stages: [MigrationStage] {
                [
                    .custom(
                        fromVersion: BooksV1.self, toVersion: BooksV2.self, willMigrate: nil,
                        didMigrate: { _ in throw Refusal() })
                ]
            }
        }
        #expect(throws: Failing.Refusal.self) { try open(Failing.self, BooksV2.self) }
        #expect(try open(nil, BooksV1.self).fetchCount(FetchDescriptor<BooksV1.Book>()) == 3)
    }
}
#endif
