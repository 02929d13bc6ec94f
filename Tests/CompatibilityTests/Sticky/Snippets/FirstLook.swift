import Sticky

func historyTitles(in model: NSManagedObjectModel) async throws -> [String] {
    let container = PersistentContainer(name: "Books", managedObjectModel: model, inMemory: true)
    let provider = try await container.start()

    try await provider.newBackgroundContext().perform { context in
        let book = try context.create(Book.self)
        book.title = "SPQR"
        book.genre = "history"
        try context.save()
    }

    return try await provider.newBackgroundContext().perform { context in
        let books = try context.fetch(Book.self) { request in
            request.predicate = NSPredicate(format: "genre = %@", "history")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        }
        return books.map(\.title)
    }
}
