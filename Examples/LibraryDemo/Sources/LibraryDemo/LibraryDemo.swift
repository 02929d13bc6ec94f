import OpenCoreData

/// Makes a library and uses it as an application would.
struct LibraryDemo {
    let folder: URL

    func run() throws {
        let container = try openContainer()
        let context = container.newBackgroundContext()
        try context.performAndWait {
            var data = LibraryData(context: context)
            data.fill()
            try context.save()
        }
        try context.performAndWait { try ask(context) }
    }

    private func openContainer() throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: LibraryModel.make())
        let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Library.sqlite"))
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    private func ask(_ context: NSManagedObjectContext) throws {
        let long = NSFetchRequest<Book>(entityName: "Book")
        long.predicate = NSPredicate(
            format: "pages > %d AND author.country == %@ AND ANY tags.name IN %@", 800, "Japan", ["poetry", "travel"])
        long.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: false)]
        long.fetchLimit = 3
        print("The longest Japanese poetry and travel books:")
        for book in try context.fetch(long) {
            print("  \(book.title), \(book[Book.pages]) pages, by \(book.author?[Author.name] ?? "nobody")")
        }

        let overdue = NSFetchRequest<Loan>(entityName: "Loan")
        overdue.predicate = NSPredicate(format: "returned == nil")
        print("Books that are lent: \(try context.count(for: overdue))")
    }
}
