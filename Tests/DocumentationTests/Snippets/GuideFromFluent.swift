import OpenCoreDataKit

func page(_ number: Int, of size: Int, in database: Database) async throws -> [BookSummary] {
    try await database.read { context in
        let query = Query(Book.self).sorted(SortDescriptor(\.title)).offset(number * size).limit(size)
        return try context.all(query).map { BookSummary(title: $0.title, pages: Int($0.pages)) }
    }
}
