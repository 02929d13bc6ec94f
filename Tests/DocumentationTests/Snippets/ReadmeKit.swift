import OpenCoreDataKit

// Define: a class for each kind of object, and a model that names its properties.
final class Track: NSManagedObject {
    static let titleProperty = ManagedProperty<String>("title")
    static let playsProperty = ManagedProperty<Int64>("plays")

    var title: String {
        get { self[Track.titleProperty] }
        set { self[Track.titleProperty] = newValue }
    }

    var plays: Int64 {
        get { self[Track.playsProperty] }
        set { self[Track.playsProperty] = newValue }
    }
}

func listen(in folder: URL, to model: NSManagedObjectModel) async throws -> [String] {
    // Open: a file in a folder, made when it is missing, migrated when it is of an older model.
    let music = try await Database.open(
        .init(name: "Music", model: .value(model), stores: [.sqlite(in: .at(folder))]))
    let commits = music.commits

    // Write: all of it is in the file when this returns, or nothing has changed.
    try await music.write { context in
        for (title, plays) in [("Blue in Green", 31), ("Idioteque", 12), ("So What", 7)] {
            let track = try context.create(Track.self)
            track.title = title
            track.plays = Int64(plays)
        }
    }

    // Read, with Swift's own predicates.
    let titles = try await music.read { context in
        let often = Query(Track.self).filter(#Predicate { $0.plays > 10 }).sorted(SortDescriptor(\.title))
        return try context.all(often).map(\.title)
    }

    // Watch: every change that reaches the file. `LiveResults` keeps a list current in the same way.
    for await commit in commits {
        print("\(commit.inserted.count) new tracks")
        break
    }
    return titles
}
