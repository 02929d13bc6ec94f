#if Macros
    import OpenCoreDataKit
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

        @Test func theExampleOfTheReadmeRuns() async throws {
            let folder = try TemporaryFolder()
            #expect(try await listen(in: folder.url) == ["All Blues", "Blue in Green"])
        }
    }
#endif
