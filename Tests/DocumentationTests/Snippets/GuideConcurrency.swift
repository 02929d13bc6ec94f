import OpenCoreDataKit

func markAsRead(_ id: NSManagedObjectID, in container: NSPersistentContainer) async throws {
    let context = container.newBackgroundContext()
    try await context.perform {
        guard let book = try context.existingObject(with: id) as? Book else { return }
        book.pages += 1
        try context.save()
    }
}

struct BookSummary: Codable, Sendable, Equatable {
    let title: String
    let pages: Int
}

func summaries(in database: Database) async throws -> [BookSummary] {
    try await database.read { context in
        try context.all(Query(Book.self).sorted(SortDescriptor(\.title)))
            .map { BookSummary(title: $0.title, pages: Int($0.pages)) }
    }
}

func replaceBooks(by titles: [String], in container: NSPersistentContainer) async throws {
    let context = container.newBackgroundContext()
    try await context.perform {
        try context.performTransaction {
            try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Book>(entityName: "Book")))
            for title in titles { Book(context: context).title = title }
        }
    }
}

actor Importer {
    private let context: NSManagedObjectContext

    init(_ container: NSPersistentContainer) {
        context = container.newBackgroundContext()
        context.transactionAuthor = "importer"
    }

    func add(_ titles: [String]) async throws {
        try await context.perform { [context] in
            for title in titles { Book(context: context).title = title }
            do {
                try context.save()
            } catch {
                context.rollback()
                throw error
            }
        }
    }
}

@MainActor
func shareOneCoordinator(_ container: NSPersistentContainer) {
    container.viewContext.automaticallyMergesChangesFromParent = true
    container.viewContext.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
}
