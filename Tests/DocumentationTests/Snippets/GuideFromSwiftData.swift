import OpenCoreDataKit

func titlesOfLongBooks(in database: Database) async throws -> [String] {
    try await database.read { context in
        let long = Query(Book.self).filter(#Predicate { $0.pages > 300 })
        return try context.all(long.sorted(SortDescriptor(\.title))).map(\.title)
    }
}
