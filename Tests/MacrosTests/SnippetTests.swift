#if Macros
import OpenCoreDataKit
import OpenCoreDataMacros
import TestSupport
import Testing

/// The examples of the page about macros and of the README do what the pages say.
@Suite struct SnippetTests {
    @Test func theExampleRuns() async throws {
        let folder = try TemporaryFolder()
        let kitchen = try await openKitchen(in: folder.url)
        try await addPancakes(to: kitchen)
        #expect(try await quickDesserts(in: kitchen) == ["Pancakes"])
        let steps = try await kitchen.read { try $0.all(Query(Recipe.self)).flatMap(\.steps).map(\.text) }
        #expect(steps == ["Mix", "Wait", "Fry"])
    }

    @Test func theFiveMinutesRun() async throws {
        let folder = try TemporaryFolder()
        let garden = try await openGarden(in: folder.url)
        let changes = garden.changes
        let ids = try await plant(["Rose", "Tulip", "Sunflower"], in: garden)
        #expect(await waitForNewPlants(3, in: changes) == 3)
        #expect(try await tallPlants(in: garden) == ["Sunflower", "Tulip"])
        #expect(try await averageHeight(in: garden) == 6)
        try await repot(ids[0], as: "Dog rose", in: garden)
        #expect(
            try await garden.read { try $0.count(Query(Plant.self).filter("name == %@", "Dog rose")) } == 1)
        #expect(FileManager.default.fileExists(atPath: folder.file("Garden.sqlite").path))
    }

    @Test @MainActor func aListFollowsTheFiveMinutes() async throws {
        let folder = try TemporaryFolder()
        let garden = try await openGarden(in: folder.url)
        let list = try LiveResults(Query(Plant.self).sorted(by: \.name), in: garden)
        _ = try await plant(["Rose"], in: garden)
        for await plants in list where !plants.isEmpty {
            #expect(plants.map(\.name) == ["Rose"])
            break
        }
    }

    @Test @MainActor func theFirstAppRuns() async throws {
        let folder = try TemporaryFolder()
        let films = try await openFilms(in: folder.url)
        let list = try LiveResults(Query(Film.self).sorted(by: \.year), in: films)
        let json = Data(
            """
            [{"id": 1, "title": "Amélie", "director": "Jean-Pierre Jeunet", "year": 2001},
             {"id": 2, "title": "Playtime", "director": "Jacques Tati", "year": 1967}]
            """.utf8)
        #expect(try await importFilms(json, into: films).inserted == 2)
        #expect(try await importFilms(json, into: films).updated == 2)
        for await found in list where found.count == 2 {
            #expect(found.map(\.title) == ["Playtime", "Amélie"])
            break
        }
        #expect(try await findFilms("amelie", in: films) == ["Amélie, by Jean-Pierre Jeunet"])
        try await renameFilm(1, to: "The fabulous destiny", in: films)
        #expect(try await findFilms("AMÉLIE", in: films).isEmpty)
        try await undo(in: films)
        #expect(try await findFilms("jeunet", in: films) == ["Amélie, by Jean-Pierre Jeunet"])
        let exported = try JSONDecoder().decode([FilmRecord].self, from: try await exportFilms(of: films))
        #expect(exported.map(\.title) == ["Amélie", "Playtime"])
        try await films.close()
    }

    @Test func recordsOfAnotherDatabaseAreImported() async throws {
        let database = try await Database.open(
            Database.Configuration(
                name: "Village", model: .value(NSManagedObjectModel(for: Village.self, Villager.self))
            ).inMemory())
        let json = Data(
            #"[{"number": 1, "name": "Rosie", "village": "Bywater"}, {"number": 2, "name": "Tom"}]"#.utf8)
        #expect(try await importVillagers(json, into: database) == 2)
        #expect(try await importVillagers(json, into: database) == 2)
        let found = try await database.read { context in
            try context.all(Query(Villager.self).sorted(SortDescriptor(\.name))).map { $0.village?.name ?? "–" }
        }
        #expect(found == ["Bywater", "–"])
    }

    @Test func theExampleOfTheReadmeRuns() async throws {
        let folder = try TemporaryFolder()
        #expect(try await listen(in: folder.url) == ["All Blues", "Blue in Green"])
    }
}
#endif
