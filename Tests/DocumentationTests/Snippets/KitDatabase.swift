import OpenCoreDataKit

func openLibrary(in folder: URL, model: NSManagedObjectModel) async throws -> Database {
    try await Database.open(
        Database.Configuration(
            name: "Library", model: .value(model), stores: [.sqlite(in: .at(folder))]))
}

func addBook(_ title: String, pages: Int32, to database: Database) async throws -> NSManagedObjectID {
    try await database.write { context in
        let book = try context.create(Book.self)
        book.title = title
        book.pages = pages
        return book.objectID
    }
}

func storedTitles(in database: Database) async throws -> [String] {
    try await database.read { context in
        try context.all(Query(Book.self).sorted(SortDescriptor(\.title))).map(\.title)
    }
}

@MainActor
func shownTitles(in database: Database) throws -> [String] {
    try database.main.all(Query(Book.self).sorted(SortDescriptor(\.title))).map(\.title)
}

func importBooks(_ titles: [String], into database: Database) async throws {
    try await database.importing { context in
        for title in titles { try context.create(Book.self).title = title }
    }
}

func printCommits(of database: Database) async {
    for await commit in database.changes {
        print("\(commit.inserted.count) new, \(commit.updated.count) changed, \(commit.deleted.count) gone")
    }
}

func printTitles(of database: Database) async throws {
    for try await titles in database.observe({ try $0.all(Query(Book.self).sorted(by: \.title)).map(\.title) }) {
        print(titles)
    }
}

func startOver(_ database: Database) async throws {
    try await database.erase()
}

func backUp(_ database: Database, to file: URL) async throws -> Int64 {
    try await database.backup(to: file, replacesExisting: true).databaseBytes
}

func describe(_ database: Database) -> [String] {
    database.statistics.map { store in
        "log \(store.logBytes) bytes, \(store.readersInUse) of \(store.maximumReaders) readers in use, "
            + "\(store.waitingReaders) waiting, \(store.pinnedGenerations) generations pinned"
    }
}
