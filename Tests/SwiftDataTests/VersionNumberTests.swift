#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

/// Versions of which two have the same classes, so that only the store's number tells them apart.
private enum Alike {
    @Model final class Book {
        var title: String
        init(title: String) { self.title = title }
    }

    enum First: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Book.self] }
        static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    }

    enum Second: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Book.self] }
        static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    }

    enum Third: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Book.self] }
        static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }

        @Model final class Book {
            var title: String
            var pages: Int = 1
            init(title: String) { self.title = title }
        }
    }

    enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [First.self, Second.self, Third.self] }
        static var stages: [MigrationStage] {
            [
                .custom(
                    fromVersion: First.self, toVersion: Second.self,
                    willMigrate: { context in
                        for book in try context.fetch(FetchDescriptor<Book>()) { book.title += " 1" }
                    }, didMigrate: nil),
                .custom(
                    fromVersion: Second.self, toVersion: Third.self, willMigrate: nil,
                    didMigrate: { context in
                        for book in try context.fetch(FetchDescriptor<Third.Book>()) { book.title += " 2" }
                    }),
            ]
        }
    }
}

/// Stores of versions that only their numbers tell apart.
struct VersionNumberTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A store of a version with one book.
    private func makeAlike(_ version: any VersionedSchema.Type) throws -> URL {
        let url = folder.file("alike.store")
        let context = ModelContext(
            try ModelContainer(
                for: Schema(versionedSchema: version), configurations: ModelConfiguration(url: url)))
        context.insert(Alike.Book(title: "Emma"))
        try context.save()
        return url
    }

    @Test(arguments: [1, 2])
    func theNumberOfTheStoreTellsVersionsWithTheSameClassesApart(_ number: Int) throws {
        let url = try makeAlike(number == 1 ? Alike.First.self : Alike.Second.self)
        let context = ModelContext(
            try ModelContainer(
                for: Schema(versionedSchema: Alike.Third.self), migrationPlan: Alike.Plan.self,
                configurations: ModelConfiguration(url: url)))
        let books = try context.fetch(FetchDescriptor<Alike.Third.Book>())
        #expect(books.map(\.title) == [number == 1 ? "Emma 1 2" : "Emma 2"] && books.map(\.pages) == [1])
    }

    @Test func aStoreWithTheClassesOfTheContainerGoesThroughNoStage() throws {
        let url = try makeAlike(Alike.First.self)
        for _ in 0..<2 {
            let context = ModelContext(
                try ModelContainer(
                    for: Schema(versionedSchema: Alike.Second.self), migrationPlan: Alike.Plan.self,
                    configurations: ModelConfiguration(url: url)))
            #expect(try context.fetch(FetchDescriptor<Alike.Book>()).map(\.title) == ["Emma"])
        }
    }
}
#endif
