import OpenCoreDataKit

struct DatabaseKey: StorageKey {
    typealias Value = Database
}

struct CloseDatabase: LifecycleHandler {
    let database: Database

    func shutdownAsync(_ application: Application) async {
        try? await database.close()
    }
}

func configure(_ app: Application, _ database: Database) {
    app.storage[DatabaseKey.self] = database
    app.lifecycle.use(CloseDatabase(database: database))
}

struct BookContent: Content {
    let title: String
    let pages: Int
}

func addRoutes(to app: Application) {
    app.get("books") { request async throws -> [BookContent] in
        guard let database = request.application.storage[DatabaseKey.self] else { throw Abort(.serviceUnavailable) }
        return try await database.read { context in
            try context.all(Query(Book.self).sorted(SortDescriptor(\.title)).limit(50))
                .map { BookContent(title: $0.title, pages: Int($0.pages)) }
        }
    }
    app.post("books") { request async throws -> BookContent in
        let content = try request.content.decode(BookContent.self)
        guard let database = request.application.storage[DatabaseKey.self] else { throw Abort(.serviceUnavailable) }
        try await database.write { context in
            let book = try context.create(Book.self)
            book.title = content.title
            book.pages = Int32(clamping: content.pages)
        }
        return content
    }
}
