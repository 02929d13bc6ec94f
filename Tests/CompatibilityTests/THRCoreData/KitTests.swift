import OpenCoreDataKit
import THRCoreData
import TestSupport
import Testing

extension Album: Keyed {
    typealias Key = Int
    static var keyAttribute: String { "number" }
}

/// What the library's successor added, the kit has: it works on a manager's contexts.
@MainActor struct KitTests {
    // Feature THR-37
    @Test(arguments: StoreKind.usual) func theKitWorksOnAManagersContexts(_ kind: StoreKind) async throws {
        let studio = try Studio(kind)
        let (main, background) = (studio.main, studio.background)
        try await studio.fill(["a"])
        let song = try #require(Song.fetchObject(withUniqueKeyValue: "a", inContext: main))
        var titles = song.values(for: \.title).makeAsyncIterator()
        var changes = main.changes(of: Song.self).makeAsyncIterator()
        #expect(await titles.next() == "The song a")

        let outcome = try await background.perform {
            Song.fetchObject(withUniqueKeyValue: "a", inContext: background)?.title = "Other"
            try background.upsert([3, 4, 3], into: Album.self, key: { $0 }, { _, _ in })
            return try background.upsert([4, 5], into: Album.self, key: { $0 }, { _, _ in })
        }
        #expect(outcome.inserted == 1 && outcome.updated == 1)
        #expect(try await background.saveToStore() == .saved)
        #expect(await titles.next() == "Other")
        #expect(await changes.next()?.updated == [song])
        #expect(Album.count(inContext: main) == 3)

        #expect(try main.batchUpdate(Query(Song.self), set: ["rank": 9]) == 1)
        #expect(song.rank == 9)
        #expect(try main.batchDelete(Query(Album.self).filter(NSPredicate(format: "number > 3"))) == 2)
        #expect(Album.fetch(inContext: main).map(\.uniqueIDValue) == [3])
    }
}
