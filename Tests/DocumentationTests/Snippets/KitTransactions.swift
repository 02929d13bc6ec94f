import OpenCoreDataKit

func move(
    _ pages: Int32, from one: NSManagedObjectID, to other: NSManagedObjectID, in database: Database
) async throws {
    try await database.write { context in
        guard let giver = try context.object(Book.self, one), let taker = try context.object(Book.self, other)
        else { return }
        giver.pages -= pages
        taker.pages += pages
    }
}
