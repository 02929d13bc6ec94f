// As the page has it, without the indentation inside of the condition.
// swift-format-ignore-file

#if Macros
import OpenCoreDataKit
import OpenCoreDataMacros

@ManagedObject
final class Album: NSManagedObject {
    @Attribute(.unique) var number: Int = 0
    var title: String = ""
    var artist: String = ""
    var year: Int = 0
}

extension Album: Keyed {
    typealias Key = Int
    static var keyAttribute: String { "number" }
}

func openAlbums(in folder: URL) async throws -> Database {
    try await Database.open(name: "Albums", model: NSManagedObjectModel(for: Album.self), in: .at(folder))
}

struct AlbumRecord: Codable, Identifiable, Sendable {
    var id: Int
    var title: String
    var artist: String
    var year: Int
}

func importAlbums(_ json: Data, into database: Database) async throws -> UpsertOutcome {
    let records = try JSONDecoder().decode([AlbumRecord].self, from: json)
    return try await database.write { context in
        try context.upsert(records, into: Album.self) { record, album in
            album.title = record.title
            album.artist = record.artist
            album.year = record.year
        }
    }
}

func exportAlbums(of database: Database) async throws -> Data {
    let records = try await database.read { context in
        try context.all(Query(Album.self).sorted(by: \.number)).map {
            AlbumRecord(id: $0.number, title: $0.title, artist: $0.artist, year: $0.year)
        }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(records)
}

func findAlbums(_ words: String, in database: Database) async throws -> [String] {
    try await database.read { context in
        let found = Query(Album.self).filter("title CONTAINS[cd] %@ OR artist CONTAINS[cd] %@", words, words)
        return try context.all(found.sorted(by: \.title)).map { "\($0.title), by \($0.artist)" }
    }
}

@MainActor func showAlbums(of database: Database) async throws {
    for await albums in try LiveResults(Query(Album.self).sorted(by: \.year), in: database) {
        print("\(albums.count) albums: \(albums.map(\.title).joined(separator: ", "))")
    }
}

@MainActor func renameAlbum(_ number: Int, to title: String, in database: Database) async throws {
    let context = database.main
    if context.undoManager == nil { context.undoManager = UndoManager() }
    try context.object(Album.self, key: number)?.title = title
    try await context.saveToStore()
}

@MainActor func undo(in database: Database) async throws {
    database.main.undo()
    try await database.main.saveToStore()
}

@MainActor func runAlbums(in folder: URL) async throws {
    let database = try await openAlbums(in: folder)
    let list = Task { try await showAlbums(of: database) }
    // Waits beside the main actor, so that the list is printed in the meantime.
    while let line = await Task.detached(operation: { readLine() }).value {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        switch (words.first, words.count) {
        case ("import", 2):
            print(try await importAlbums(Data(contentsOf: URL(fileURLWithPath: words[1])), into: database))
        case ("find", 2...): print(try await findAlbums(words[1], in: database))
        case ("rename", 3): try await renameAlbum(Int(words[1]) ?? 0, to: words[2], in: database)
        case ("undo", _): try await undo(in: database)
        case ("export", _): print(String(decoding: try await exportAlbums(of: database), as: UTF8.self))
        default: print("import FILE, find WORD, rename NUMBER TITLE, undo, export")
        }
    }
    list.cancel()
    try await database.close()
}
#endif
