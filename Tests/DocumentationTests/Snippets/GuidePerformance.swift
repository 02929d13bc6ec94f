import OpenCoreDataKit

func plan(of title: String, in context: NSManagedObjectContext) throws -> [String] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.predicate = NSPredicate(format: "title == %@", title)
    return try context.explain(request).statements.flatMap { $0.plan.map(\.detail) }
}

func namesOfAuthors(in context: NSManagedObjectContext) throws -> [String] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.relationshipKeyPathsForPrefetching = ["author"]
    return try context.fetch(request).compactMap { $0.value(forKeyPath: "author.name") as? String }
}

func addIndex(to book: NSEntityDescription) {
    guard let title = book.propertiesByName["title"] else { return }
    let element = NSFetchIndexElementDescription(property: title, collationType: .binary)
    book.indexes.append(NSFetchIndexDescription(name: "byTitle", elements: [element]))
}
