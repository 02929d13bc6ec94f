import OpenCoreData
import TestSupport

extension TestStack {
    /// Saves books in a context of its own.
    func savedBooks(_ titles: [String]) throws -> [NSManagedObjectID] {
        try inContext { context in
            let books = titles.map { title in
                let book = Book(context: context)
                book.title = title
                return book
            }
            try context.save()
            return books.map(\.objectID)
        }
    }
}
