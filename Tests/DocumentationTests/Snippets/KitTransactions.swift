import OpenCoreDataKit

func move(_ pages: Int32, from giver: NSManagedObjectID, to taker: NSManagedObjectID, in database: Database) async throws {
    try await database.write { context in
        guard let giver = try context.object(Book.self, giver), let taker = try context.object(Book.self, taker) else { return }
        giver.pages -= pages
        taker.pages += pages
    }
}
