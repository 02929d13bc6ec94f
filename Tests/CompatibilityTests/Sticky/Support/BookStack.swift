import Sticky
import TestSupport
import Testing

/// Where the tests' objects are kept.
enum StoreKind: CaseIterable, Sendable {
    case database, memory
}

/// A container of books in a folder of its own.
struct BookStack {
    let folder: TemporaryFolder
    let spy: ContainerSpy
    let container: PersistentContainer

    /// - Parameters:
    ///   - folder: A folder of another stack, to open its files again.
    ///   - files: The files of the stores; all of them keep books.
    init(
        _ kind: StoreKind = .database, in folder: TemporaryFolder? = nil, files: [String] = ["Books.sqlite"],
        model: NSManagedObjectModel = BookModel.make(), fileManager: any FileManagerProtocol = FileManager.default
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        let inner = KitContainer(name: "Books", managedObjectModel: model)
        inner.persistentStoreDescriptions = files.map { NSPersistentStoreDescription(url: folder.file($0)) }
        self.folder = folder
        spy = ContainerSpy(inner, in: folder)
        container = PersistentContainer(
            nsPersistentContainer: spy, inMemory: kind == .memory, fileManager: fileManager)
    }

    var file: URL { folder.file("Books.sqlite") }

    /// The files of the stores that are there, companions included.
    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    /// Starts without waiting, as a function that can't wait does.
    @discardableResult func start() throws -> PersistentContainer.ContextProvider { try container.start() }
}

extension ContextProviding {
    /// Adds books and saves.
    func add(_ titles: String..., genre: String? = nil) throws {
        try newBackgroundContext().performAndWait { context in
            for title in titles {
                let book = try context.create(Book.self)
                book.title = title
                book.genre = genre
            }
            try context.save()
        }
    }

    /// The titles that a new context finds, in alphabetical order.
    var titles: [String] {
        get throws {
            try newBackgroundContext().performAndWait { context in
                try context.fetch(Book.self).map(\.title).sorted()
            }
        }
    }
}
