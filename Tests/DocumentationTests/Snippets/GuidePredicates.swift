import OpenCoreData

func longBooks(about topic: String, in context: NSManagedObjectContext) throws -> [Book] {
    let request = NSFetchRequest<Book>(entityName: "Book")
    let long = #Predicate<Book> { $0.pages > 400 && $0.title.localizedStandardContains(topic) }
    request.predicate = NSPredicate(long)
    return try context.fetch(request)
}
