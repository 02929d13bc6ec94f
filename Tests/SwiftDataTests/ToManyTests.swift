#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

private enum Music {
    @Model final class Album {
        var title: String
        @Relationship(deleteRule: .cascade, inverse: \Song.album) var songs: [Song] = []
        var bonus: [Track]? = []
        var fans: [Fan] = []
        init(title: String) { self.title = title }
    }

    @Model final class Song {
        var title: String
        var album: Album?
        init(title: String) { self.title = title }
    }

    @Model final class Track {
        var title: String
        init(title: String) { self.title = title }
    }

    @Model final class Fan {
        var name: String
        @Relationship(inverse: \Album.fans) var albums: [Album] = []
        var friends: [Fan] = []
        init(name: String) { self.name = name }
    }
}

/// Arrays of models that are changed in place.
struct ToManyTests {
    private typealias Album = Music.Album
    private typealias Song = Music.Song

    private let folder: TemporaryFolder
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        folder = try TemporaryFolder()
        container = try ModelContainer(
            for: Music.Album.self, configurations: ModelConfiguration(url: folder.file("music.store")))
        context = ModelContext(container)
    }

    private func album(_ titles: [String] = []) -> Album {
        let album = Album(title: "A")
        context.insert(album)
        for title in titles { album.songs.append(Song(title: title)) }
        return album
    }

    private func saved() throws -> Album {
        try #require(try ModelContext(container).fetch(FetchDescriptor<Album>()).first)
    }

    @Test func everyWayOfChangingAnArrayIsSaved() throws {
        let album = album(["a", "b", "c", "d"])
        #expect(album.songs.map(\.title) == ["a", "b", "c", "d"])
        #expect(album.songs.allSatisfy { $0.album === album })
        let removed = album.songs.remove(at: 1)
        #expect(removed.album == nil)
        #expect(album.songs.map(\.title) == ["a", "c", "d"])
        album.songs[0] = Song(title: "e")
        #expect(Set(album.songs.map(\.title)) == ["c", "d", "e"])
        album.songs.append(contentsOf: [Song(title: "f"), Song(title: "g")])
        album.songs += [Song(title: "h")]
        album.songs.removeAll { $0.title == "f" }
        album.songs.swapAt(0, 1)
        album.songs.insert(Song(title: "i"), at: 0)
        try context.save()
        #expect(Set(album.songs.map(\.title)) == ["c", "d", "e", "g", "h", "i"])
        #expect(try Set(saved().songs.map(\.title)) == ["c", "d", "e", "g", "h", "i"])
        album.songs.removeAll()
        #expect(album.songs.isEmpty)
        try context.save()
        #expect(try saved().songs.isEmpty)
    }

    @Test func anArrayFollowsInversesDeletionsAndRollback() throws {
        let album = album(["a", "b"])
        let song = Song(title: "c")
        song.album = album
        #expect(album.songs.map(\.title) == ["a", "b", "c"])
        try context.save()
        context.delete(song)
        context.processPendingChanges()
        #expect(album.songs.map(\.title) == ["a", "b"])
        album.songs.append(Song(title: "d"))
        context.rollback()
        #expect(album.songs.map(\.title) == ["a", "b", "c"])
        let other = Album(title: "B")
        context.insert(other)
        other.songs.append(album.songs[0])
        #expect(album.songs.map(\.title) == ["b", "c"])
        #expect(other.songs.map(\.title) == ["a"])
    }

    @Test func aMemberThatIsAddedTwiceIsThereOnce() throws {
        let album = album(["a"])
        let song = album.songs[0]
        album.songs.append(song)
        #expect(album.songs.count == 1)
        album.songs.append(contentsOf: [song, Song(title: "b"), song])
        #expect(album.songs.map(\.title) == ["a", "b"])
        try context.save()
        #expect(try saved().songs.count == 2)
    }

    @Test func theOrderIsThatOfTheRowsHoweverMembersWereAdded() throws {
        let songs = (0..<6).map { Song(title: "\($0)") }
        for song in songs { context.insert(song) }
        try context.save()
        let album = album()
        for index in [3, 5, 0, 4] { album.songs.append(songs[index]) }
        #expect(album.songs.map(\.title) == ["0", "3", "4", "5"])
        try context.save()
        #expect(try saved().songs.map(\.title) == ["0", "3", "4", "5"])
    }

    @Test func optionalArraysAndThoseWithoutInverseGrow() throws {
        let album = album()
        for index in 0..<30 { album.bonus?.append(Music.Track(title: "\(index)")) }
        #expect(album.bonus?.count == 30)
        album.bonus?.removeLast()
        try context.save()
        #expect(try saved().bonus?.map(\.title) == (0..<29).map { "\($0)" })
        album.bonus = nil
        try context.save()
        #expect(try saved().bonus?.isEmpty != false)
    }

    @Test func looseModelsAreJoinedByTheirArrays() throws {
        let album = Album(title: "loose")
        for index in 0..<10 { album.songs.append(Song(title: "\(index)")) }
        #expect(album.songs.count == 10)
        #expect(album.modelContext == nil)
        context.insert(album)
        #expect(album.songs.allSatisfy { $0.modelContext === context })
        let late = Album(title: "late")
        late.songs.append(Song(title: "x"))
        late.songs.append(album.songs[0])
        #expect(late.modelContext === context)
        #expect(album.songs.count == 9)
    }

    @Test func modelsThatHaveEachOtherAreReleased() throws {
        weak var album: Album?
        weak var fan: Music.Fan?
        try autoreleasing {
            let context = ModelContext(container)
            let (one, two) = (Album(title: "m"), Music.Fan(name: "f"))
            context.insert(one)
            one.fans.append(two)
            two.albums.append(Album(title: "n"))
            two.friends.append(two)
            _ = (one.fans, two.albums, two.friends)
            (album, fan) = (one, two)
            try context.save()
        }
        #expect(album == nil)
        #expect(fan == nil)
    }

    private func autoreleasing(_ body: () throws -> Void) rethrows { try body() }

    /// The processor's time of appends at the beginning and later; the least of some, as other work disturbs it.
    @Test func addingCostsTheSameHoweverManyThereAre() throws {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        func time(_ count: Int, _ album: Album) -> Double {
            let start = now()
            for index in 0..<count { album.songs.append(Song(title: "\(index)")) }
            return now() - start
        }
        let albums = (0..<3).map { _ in album() }
        let few = try #require(albums.map { time(1_000, $0) }.min())
        let last = albums[2]
        for _ in 0..<6_000 { last.songs.append(Song(title: "x")) }
        let many = try #require((0..<3).map { _ in time(1_000, last) }.min())
        #expect(last.songs.count == 10_000)
        #expect(many < few * 8, "\(few) s for the first 1,000, \(many) s for the last")
    }

    @Test func readersAreNotifiedOfWhatOthersChange() throws {
        let album = album(["a"])
        try context.save()
        /// How often readers are notified of a change that is made after they read.
        func changes(of read: () -> Void, by work: () throws -> Void) rethrows -> Int {
            nonisolated(unsafe) var count = 0
            withObservationTracking(read) { count += 1 }
            try work()
            return count
        }
        let song = Song(title: "b")
        #expect(changes(of: { _ = album.songs }, by: { song.album = album }) == 1)
        #expect(changes(of: { _ = album.title }, by: { Song(title: "c").album = album }) == 0)
        #expect(changes(of: { _ = album.songs }, by: { album.songs.append(Song(title: "d")) }) == 1)
        try context.save()
        let other = ModelContext(container)
        let theirs = try #require(try other.fetch(FetchDescriptor<Album>()).first)
        theirs.title = "B"
        try other.save()
        try #expect(changes(of: { _ = album.title }, by: { _ = try context.fetch(FetchDescriptor<Album>()) }) == 1)
        #expect(album.title == "B")
        context.undoManager = UndoManager()
        album.title = "C"
        context.processPendingChanges()
        #expect(changes(of: { _ = album.title }, by: { context.undoManager?.undo() }) == 1)
        #expect(album.title == "B")
        album.title = "D"
        #expect(changes(of: { _ = album.title }, by: { context.rollback() }) == 1)
    }
}
#endif
