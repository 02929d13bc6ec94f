#if Macros
import Foundation
@testable import SwiftData
import TestSupport
import Testing

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
