#if Macros
import CoreDataEngine
import Foundation
@testable import SwiftData
import TestSupport
import Testing

@Suite(.enabled(if: Fixtures.available && SQLiteShell.isAvailable))
struct FixtureTests {
    private static let path = "swiftdata/PreloadedCocktails.store"
    private let folder: TemporaryFolder
    private let store: URL

    init() throws {
        folder = try TemporaryFolder()
        store = try Fixtures.copy(Self.path, into: folder)
    }

    private func configuration(_ url: URL) -> ModelConfiguration { ModelConfiguration(url: url) }

    @Test func theClassesHaveTheHashesOfAppleStore() throws {
        let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: [Bar.Cocktail.self]))
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: store, options: nil)
        let hashes = try #require(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
        #expect(model.entityVersionHashesByName == hashes)
    }

    @Test func aNewStoreHasTheStatementsOfAppleStore() throws {
        let url = folder.file("new.store")
        _ = try ModelContainer(for: Bar.Cocktail.self, configurations: configuration(url))
        let question =
            "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY rowid"
        let expected = try SQLiteShell.run(question, on: store)
        #expect(try SQLiteShell.run(question, on: url) == expected)
        #expect(expected.split(separator: "\n").count == 28)
    }

    @Test func allRowsAreRead() throws {
        let container = try ModelContainer(for: Bar.Cocktail.self, configurations: configuration(store))
        let context = ModelContext(container)
        let cocktails = try context.fetch(FetchDescriptor<Bar.Cocktail>())
        #expect(cocktails.count == 416)
        #expect(try context.fetchCount(FetchDescriptor<Bar.Ingredient>()) == 1893)
        #expect(try context.fetchCount(FetchDescriptor<Bar.Garnish>()) == 78)
        #expect(try context.fetchCount(FetchDescriptor<Bar.IngredientBase>()) == 396)
        func count(_ column: String) throws -> Int? {
            Int(try SQLiteShell.run("SELECT COUNT(\(column)) FROM ZCOCKTAIL", on: store))
        }
        #expect(cocktails.filter { $0.ice != nil }.count == (try count("ZICE")))
        #expect(cocktails.filter { $0.variation != nil }.count == (try count("ZVARIATION")))
        #expect(cocktails.filter { $0.collection != nil }.count == (try count("ZCOLLECTION")))
        #expect(cocktails.filter { $0.author != nil }.count == (try count("ZID")))
        #expect(cocktails.filter { $0.buildOrder != nil }.count == (try count("ZINSTRUCTIONS")))
        #expect(cocktails.filter { $0.compiledTags.booze != nil }.count == (try count("ZBOOZE")))
        #expect(cocktails.filter { $0.historicSpec == .hotToddy }.count == (try count("ZHOTTODDY")))
        #expect(cocktails.filter { $0.historicSpec == .algonquin }.count == (try count("ZALGONQUIN")))
        let ingredients = cocktails.reduce(0) { $0 + $1.spec.count }
        #expect(ingredients == 1893)
        #expect(cocktails.allSatisfy { $0.spec.allSatisfy { !$0.ingredientBase.name.isEmpty } })
    }

    @Test func whatIsEditedIsSavedAndTheCheckFindsNothing() throws {
        let name: String
        do {
            let container = try ModelContainer(for: Bar.Cocktail.self, configurations: configuration(store))
            let context = ModelContext(container)
            var descriptor = FetchDescriptor<Bar.Cocktail>(sortBy: [SortDescriptor(\.cocktailName)])
            descriptor.fetchLimit = 1
            let first = try #require(try context.fetch(descriptor).first)
            name = first.cocktailName
            first.historicSpec = .gimlet
            first.author = Bar.Author(person: "Ada")
            first.garnish.append(Bar.Garnish(name: "A new one"))
            try context.save()
        }
        let row = try SQLiteShell.run(
            "SELECT ZGIMLET, ZALASKA, ZPERSON FROM ZCOCKTAIL WHERE ZCOCKTAILNAME = '\(name)'", on: store)
        #expect(row == "gimlet||Ada")
        let problems = try StoreChecker.findings(
            inStoreAt: store,
            model: try #require(NSManagedObjectModel.makeManagedObjectModel(for: [Bar.Cocktail.self])))
        #expect(problems.isEmpty)
    }
}
#endif
