import Foundation
import SwiftData

extension Book {
    /// What a list of books shows.
    public static func list(
        matching search: String = "", in genre: Genre? = nil, limit: Int? = nil
    ) -> FetchDescriptor<Book> {
        var descriptor = FetchDescriptor<Book>(
            predicate: #Predicate<Book> { book in
                (search.isEmpty || book.title.localizedStandardContains(search))
                    && (genre == nil || book.genre == genre!)
            },
            sortBy: [SortDescriptor(\.title), SortDescriptor(\.added, order: .reverse)])
        descriptor.fetchLimit = limit
        descriptor.relationshipKeyPathsForPrefetching = [\.notes]
        return descriptor
    }

    static var withNotes: Predicate<Book> {
        #Predicate { $0.notes.contains { $0.page != nil } || $0.notes.count > 2 }
    }

    static func on(_ shelf: Shelf) -> Predicate<Book> {
        let id = shelf.persistentModelID
        return #Predicate { $0.shelf?.persistentModelID == id }
    }

    static func published(after year: Int) -> Predicate<Book> {
        #Predicate { book in
            if let edition = book.edition { edition.year > year } else { false }
        }
    }
}
