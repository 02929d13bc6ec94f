import OpenCoreDataKit

@MainActor
func addPages(_ count: Int32, to book: Book, in database: Database) async throws {
    let here = try database.main.local(book)
    here.pages += count
    try await database.main.saveToStore()
}

@MainActor
func addPages(_ count: Int32, to book: Book, inBackgroundOf database: Database) async throws {
    let reference = ObjectReference(book)
    try await database.write { context in try context.local(reference).pages += count }
    try await database.write(book) { _, book in book.pages += count }
}
