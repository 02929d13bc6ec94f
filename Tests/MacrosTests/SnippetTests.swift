#if Macros
    import OpenCoreDataKit
    import TestSupport
    import Testing

    /// The example of the page about macros does what the page says.
    @Suite struct SnippetTests {
        @Test func theExampleRuns() async throws {
            let folder = try TemporaryFolder()
            let kitchen = try await openKitchen(in: folder.url)
            try await addPancakes(to: kitchen)
            #expect(try await quickDesserts(in: kitchen) == ["Pancakes"])
            let steps = try await kitchen.read { try $0.all(Query(Recipe.self)).flatMap(\.steps).map(\.text) }
            #expect(steps == ["Mix", "Wait", "Fry"])
        }
    }
#endif
