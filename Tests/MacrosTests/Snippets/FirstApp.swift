// As the page has it, without the indentation inside of the condition.
// swift-format-ignore-file

#if Macros
import OpenCoreDataKit
import OpenCoreDataMacros

@ManagedObject
final class Film: NSManagedObject {
    @Attribute(.unique) var number: Int = 0
    var title: String = ""
    var director: String = ""
    var year: Int = 0
}

extension Film: Keyed {
    typealias Key = Int
    static var keyAttribute: String { "number" }
}

func openFilms(in folder: URL) async throws -> Database {
    try await Database.open(name: "Films", model: NSManagedObjectModel(for: Film.self), in: .at(folder))
}

struct FilmRecord: Codable, Identifiable, Sendable {
    var id: Int
    var title: String
    var director: String
    var year: Int
}

func importFilms(_ json: Data, into database: Database) async throws -> UpsertOutcome {
    let records = try JSONDecoder().decode([FilmRecord].self, from: json)
    return try await database.write { context in
        try context.upsert(records, into: Film.self) { record, film in
            film.title = record.title
            film.director = record.director
            film.year = record.year
        }
    }
}

func exportFilms(of database: Database) async throws -> Data {
    let records = try await database.read { context in
        try context.all(Query(Film.self).sorted(by: \.number)).map {
            FilmRecord(id: $0.number, title: $0.title, director: $0.director, year: $0.year)
        }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(records)
}

func findFilms(_ words: String, in database: Database) async throws -> [String] {
    try await database.read { context in
        let found = Query(Film.self).filter("title CONTAINS[cd] %@ OR director CONTAINS[cd] %@", words, words)
        return try context.all(found.sorted(by: \.title)).map { "\($0.title), by \($0.director)" }
    }
}

@MainActor func showFilms(of database: Database) async throws {
    for await films in try LiveResults(Query(Film.self).sorted(by: \.year), in: database) {
        print("\(films.count) films: \(films.map(\.title).joined(separator: ", "))")
    }
}

@MainActor func renameFilm(_ number: Int, to title: String, in database: Database) async throws {
    let context = database.main
    if context.undoManager == nil { context.undoManager = UndoManager() }
    try context.object(Film.self, key: number)?.title = title
    try await context.saveToStore()
}

@MainActor func undo(in database: Database) async throws {
    database.main.undo()
    try await database.main.saveToStore()
}

@MainActor func runFilms(in folder: URL) async throws {
    let database = try await openFilms(in: folder)
    let list = Task { try await showFilms(of: database) }
    // Waits beside the main actor, so that the list is printed in the meantime.
    while let line = await Task.detached(operation: { readLine() }).value {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        switch (words.first, words.count) {
        case ("import", 2):
            print(try await importFilms(Data(contentsOf: URL(fileURLWithPath: words[1])), into: database))
        case ("find", 2...): print(try await findFilms(words[1], in: database))
        case ("rename", 3): try await renameFilm(Int(words[1]) ?? 0, to: words[2], in: database)
        case ("undo", _): try await undo(in: database)
        case ("export", _): print(String(decoding: try await exportFilms(of: database), as: UTF8.self))
        default: print("import FILE, find WORD, rename NUMBER TITLE, undo, export")
        }
    }
    list.cancel()
    try await database.close()
}
#endif
