import Bookshelf
import Foundation
import OpenCoreData

/// One open store of the workload.
final class EngineStack {
    private static let model = BookshelfModel.make()
    private static let cascadingModel = BookshelfModel.make(cascades: true)

    private let container: NSPersistentContainer

    /// Opens the SQLite store at `url`, or makes it.
    convenience init(url: URL) throws {
        let description = NSPersistentStoreDescription(url: url)
        description.type = NSSQLiteStoreType
        try self.init(description)
    }

    /// Opens the store, or makes it.
    init(_ description: NSPersistentStoreDescription, cascades: Bool = false) throws {
        container = NSPersistentContainer(
            name: "Bookshelf", managedObjectModel: cascades ? Self.cascadingModel : Self.model)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// A context with no object registered, on a queue of its own.
    func freshContext() -> NSManagedObjectContext {
        container.newBackgroundContext()
    }

    /// Closes the store.
    func close() throws {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// The object ID of each book, by book number; the title ends with the number.
    func bookIDs() throws -> [NSManagedObjectID] {
        let context = freshContext()
        return try context.performAndWait {
            try Self.byNumber(context.fetch(NSFetchRequest<Book>(entityName: "Book")), \.title)
        }
    }

    /// The object ID of each author, by author number; the name ends with the number.
    func authorIDs() throws -> [NSManagedObjectID] {
        let context = freshContext()
        return try context.performAndWait {
            try Self.byNumber(context.fetch(NSFetchRequest<Author>(entityName: "Author")), \.name)
        }
    }

    private static func byNumber<Object: NSManagedObject>(
        _ objects: [Object], _ text: (Object) -> String
    ) -> [NSManagedObjectID] {
        objects
            .map { object in (Int(text(object).split(separator: " ").last ?? "") ?? 0, object.objectID) }
            .sorted { $0.0 < $1.0 }
            .map(\.1)
    }
}
