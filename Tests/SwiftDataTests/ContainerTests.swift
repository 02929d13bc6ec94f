#if Macros
import CoreDataEngine
import Foundation
@testable import SwiftData
import TestSupport
import Testing

private enum Kitchen {
    @Model final class Recipe {
        @Attribute(.unique) var title: String
        var minutes: Int = 0
        init(title: String) { self.title = title }
    }

    @Model final class Comment {
        var text: String
        init(text: String) { self.text = text }
    }
}

private enum KitchenV1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Recipe.self, Comment.self, Draft.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }

    @Model final class Recipe {
        var title: String
        init(title: String) { self.title = title }
    }
    @Model final class Comment {
        var text: String
        init(text: String) { self.text = text }
    }
    /// Gone in the next version.
    @Model final class Draft {
        var text: String = ""
        init() {}
    }
}

private enum KitchenV2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Recipe.self, Comment.self, Step.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }

    @Model final class Recipe {
        @Attribute(originalName: "title") var name: String
        var minutes: Int = 7
        @Relationship(deleteRule: .cascade, inverse: \Step.recipe) var steps: [Step] = []
        init(name: String) { self.name = name }
    }
    @Model final class Comment {
        var text: String
        var stars: Int = 3
        init(text: String) { self.text = text }
    }
    @Model final class Step {
        var text: String
        var recipe: Recipe?
        init(text: String) { self.text = text }
    }
}

private enum KitchenPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [KitchenV1.self, KitchenV2.self] }
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: KitchenV1.self, toVersion: KitchenV2.self,
                willMigrate: { context in
                    // A store has the entities of its configuration alone.
                    guard let recipes = try? context.fetch(FetchDescriptor<KitchenV1.Recipe>()) else { return }
                    for recipe in recipes { recipe.title += "!" }
                }, didMigrate: nil)
        ]
    }
}

/// Several stores of a container, and how long a container lives.
struct ContainerTests {
    private typealias Recipe = Kitchen.Recipe
    private typealias Comment = Kitchen.Comment

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func tables(_ file: String) throws -> [String] {
        try SQLiteShell.run(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('ZRECIPE', 'ZCOMMENT', 'ZSTEP', 'ZDRAFT') "
                + "ORDER BY name", on: folder.file(file)
        ).split(separator: "\n").map(String.init)
    }

    // MARK: Configurations

    @Test func configurationsNeedNoNames() throws {
        var recipes = ModelConfiguration(for: Recipe.self)
        recipes.url = folder.file("recipes.store")
        let container = try ModelContainer(
            for: Recipe.self, Comment.self,
            configurations: recipes, ModelConfiguration(for: Comment.self, isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.insert(Recipe(title: "Soup"))
        context.insert(Comment(text: "good"))
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Comment>()) == 1)
        #expect(try tables("recipes.store") == ["ZRECIPE"])
        try container.erase()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Recipe>()) == 0)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Comment>()) == 0)
        let fresh = ModelContext(container)
        fresh.insert(Recipe(title: "Cake"))
        fresh.insert(Comment(text: "sweet"))
        try fresh.save()
        #expect(try tables("recipes.store") == ["ZRECIPE"])
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Comment>()) == 1)
    }

    @Test func configurationsWithoutNamesInMemoryAreTwo() throws {
        let container = try ModelContainer(
            for: Recipe.self, Comment.self,
            configurations: ModelConfiguration(for: Recipe.self, isStoredInMemoryOnly: true),
            ModelConfiguration(for: Comment.self, isStoredInMemoryOnly: true),
            ModelConfiguration("default 2", schema: Schema([Comment.self]), isStoredInMemoryOnly: true))
        #expect(container.stack.coordinator.persistentStores.count == 3)
        let context = ModelContext(container)
        context.insert(Recipe(title: "Soup"))
        context.insert(Comment(text: "good"))
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Recipe>()) == 1)
    }

    @Test func configurationsOfOneNameOrOneFileAreRefused() throws {
        let file = folder.file("a.store")
        for pair in [
            [
                ModelConfiguration("a", schema: Schema([Recipe.self]), url: file),
                ModelConfiguration("a", schema: Schema([Comment.self]), url: folder.file("b.store")),
            ],
            [
                ModelConfiguration(schema: Schema([Recipe.self]), url: file),
                ModelConfiguration(schema: Schema([Comment.self]), url: file),
            ],
            [
                ModelConfiguration("a", schema: Schema([Recipe.self]), url: file),
                ModelConfiguration("b", schema: Schema([Comment.self]), url: folder.file("x/../a.store")),
            ],
        ] {
            #expect(throws: SwiftDataError.duplicateConfiguration) {
                try ModelContainer(for: Schema([Recipe.self, Comment.self]), configurations: pair)
            }
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    // MARK: Migration

    @Test(arguments: [true, false]) func aPlanMigratesEachStoreOfSeveral(_ isNamed: Bool) throws {
        func configurations(
            _ recipes: any PersistentModel.Type..., comments: any PersistentModel.Type...
        ) -> [ModelConfiguration] {
            [
                ModelConfiguration(
                    isNamed ? "recipes" : nil, schema: Schema(recipes), url: folder.file("recipes.store")),
                ModelConfiguration(
                    isNamed ? "comments" : nil, schema: Schema(comments), url: folder.file("comments.store")),
            ]
        }
        do {
            let old = try ModelContainer(
                for: Schema(versionedSchema: KitchenV1.self), migrationPlan: KitchenPlan.self,
                configurations: configurations(
                    KitchenV1.Recipe.self, comments: KitchenV1.Comment.self, KitchenV1.Draft.self))
            let context = ModelContext(old)
            context.insert(KitchenV1.Recipe(title: "Soup"))
            context.insert(KitchenV1.Comment(text: "good"))
            context.insert(KitchenV1.Draft())
            try context.save()
        }
        #expect(try tables("comments.store") == ["ZCOMMENT", "ZDRAFT"])
        let container = try ModelContainer(
            for: Schema(versionedSchema: KitchenV2.self), migrationPlan: KitchenPlan.self,
            configurations: configurations(
                KitchenV2.Recipe.self, KitchenV2.Step.self, comments: KitchenV2.Comment.self))
        let context = ModelContext(container)
        let recipe = try #require(try context.fetch(FetchDescriptor<KitchenV2.Recipe>()).first)
        #expect(recipe.name == "Soup!" && recipe.minutes == 7 && recipe.steps.isEmpty)
        let comment = try #require(try context.fetch(FetchDescriptor<KitchenV2.Comment>()).first)
        #expect(comment.text == "good" && comment.stars == 3)
        recipe.steps.append(KitchenV2.Step(text: "stir"))
        try context.save()
        #expect(try tables("recipes.store") == ["ZRECIPE", "ZSTEP"])
        #expect(try tables("comments.store") == ["ZCOMMENT"])
    }

    // MARK: Life

    @Test @MainActor func containersGoWithTheirMainContext() throws {
        weak var coordinator: NSPersistentStoreCoordinator?
        weak var context: ModelContext?
        for number in 0..<3 {
            let container = try ModelContainer(
                for: Recipe.self, configurations: ModelConfiguration(url: folder.file("\(number).store")))
            container.mainContext.autosaveEnabled = false
            container.mainContext.insert(Recipe(title: "Soup"))
            try container.mainContext.save()
            #expect(try container.mainContext.fetch(FetchDescriptor<Recipe>()).count == 1)
            #expect(container.mainContext === container.mainContext)
            #expect(!container.mainContext.autosaveEnabled)
            #expect(container.mainContext.container === container)
            coordinator = container.stack.coordinator
            context = container.mainContext
        }
        #expect(coordinator == nil && context == nil)
    }

    @Test @MainActor func aMainContextOutlivesItsContainer() throws {
        func makeContext() throws -> ModelContext {
            try ModelContainer(
                for: Recipe.self, configurations: ModelConfiguration(url: folder.file("a.store"))
            ).mainContext
        }
        let context = try makeContext()
        context.insert(Recipe(title: "Soup"))
        try context.save()
        #expect(context.container.mainContext === context)
        #expect(context.container == context.container)
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Recipe>()) == 1)
        let other = ModelContext(context.container)
        #expect(other.container === other.container && other.container.mainContext === context)
    }
}
#endif
