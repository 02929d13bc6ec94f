import OpenCoreDataKit

func rename(_ id: NSManagedObjectID, to title: String, in database: Database) async throws -> Bool {
    let draft = database.draft()
    try await draft.perform { context in
        guard let book = try context.existingObject(with: id) as? Book else { return }
        book.title = title
    }
    return try await draft.commit() == .saved
}
