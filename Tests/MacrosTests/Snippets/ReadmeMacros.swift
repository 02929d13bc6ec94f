// As the page has it, without the indentation inside of the condition.
// swift-format-ignore-file

#if Macros
import OpenCoreDataKit
import OpenCoreDataMacros

@ManagedObject
final class Song: NSManagedObject {
    @Attribute(.unique) var title: String = ""
    var plays: Int = 0
    var album: Album?
}

@ManagedObject
final class Album: NSManagedObject {
    var name: String = ""
    @Relationship(deleteRule: .cascade) var songs: [Song]
}

func listen(in folder: URL) async throws -> [String] {
    let model = try NSManagedObjectModel(for: Song.self, Album.self)
    let music = try await Database.open(.init(name: "Music", model: .value(model), stores: [.sqlite(in: .at(folder))]))

    try await music.write { context in
        let album = try context.create(Album.self)
        album.name = "Kind of Blue"
        for (title, plays) in [("So What", 7), ("Blue in Green", 31), ("All Blues", 12)] {
            let song = try context.create(Song.self)
            song.title = title
            song.plays = plays
            song.album = album
        }
    }
    return try await music.read { context in
        let often = Query(Song.self).filter(#Predicate { $0.plays > 10 }).sorted(SortDescriptor(\.title))
        return try context.all(often).map(\.title)
    }
}
#endif
