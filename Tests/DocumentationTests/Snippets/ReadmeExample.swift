import OpenCoreData

final class Book: NSManagedObject {
    static let titleProperty = ManagedProperty<String>("title")
    static let pagesProperty = ManagedProperty<Int32>("pages")

    var title: String {
        get { self[Book.titleProperty] }
        set { self[Book.titleProperty] = newValue }
    }

    var pages: Int32 {
        get { self[Book.pagesProperty] }
        set { self[Book.pagesProperty] = newValue }
    }
}

func makeModel() -> NSManagedObjectModel {
    let title = NSAttributeDescription()
    title.name = "title"
    title.type = .string
    title.isOptional = false

    let pages = NSAttributeDescription()
    pages.name = "pages"
    pages.type = .integer32

    let book = NSEntityDescription()
    book.name = "Book"
    book.managedObjectClassName = NSStringFromClass(Book.self)
    book.properties = [title, pages]

    let model = NSManagedObjectModel()
    model.entities = [book]
    return model
}

func run(in folder: URL) throws -> [String] {
    let container = NSPersistentContainer(name: "Shelf", managedObjectModel: makeModel())
    let store = NSPersistentStoreDescription(url: folder.appendingPathComponent("Shelf.sqlite"))
    container.persistentStoreDescriptions = [store]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }

    let context = container.newBackgroundContext()
    return try context.performAndWait {
        for (title, pages) in [("Solaris", 204), ("The Name of the Rose", 536), ("Ficciones", 174)] {
            let book = Book(context: context)
            book.title = title
            book.pages = Int32(pages)
        }
        try context.save()

        let request = NSFetchRequest<Book>(entityName: "Book")
        request.predicate = NSPredicate(format: "pages > %d AND title CONTAINS[cd] %@", 180, "o")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        return try context.fetch(request).map(\.title)
    }
}
