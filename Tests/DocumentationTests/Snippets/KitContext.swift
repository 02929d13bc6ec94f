import OpenCoreDataKit

@MainActor
func addPages(_ count: Int32, to book: Book, in database: Database) async throws {
    let here = try database.main.local(book)
    here.pages += count
    try await database.main.saveToStore()
}
