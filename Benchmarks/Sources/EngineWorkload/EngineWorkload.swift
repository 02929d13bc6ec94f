public import Bookshelf
public import Foundation
public import OpenCoreData

/// The workload through the engine's public API.
public final class EngineWorkload: Implementation {
    public let name: String
    public let settings: String

    let bookCount: Int
    private let stores: any StoreSupply
    private let description: (URL) -> NSPersistentStoreDescription
    private let library: () -> Library
    /// What `import` brings.
    lazy var importedBooks = library().makeImportedBooks()
    private var sharedStack: EngineStack?
    lazy var lookups = Library.lookups(bookCount: bookCount, order: lookupOrder)
    private let lookupOrder: LookupOrder

    /// The workload on SQLite stores in a folder.
    ///
    /// - Parameter library: makes or answers the generated data; called only by operations that write it.
    public convenience init(
        folder: URL, bookCount: Int, lookupOrder: LookupOrder = .shuffled, library: @escaping () -> Library
    ) throws {
        self.init(
            name: "engine",
            settings: """
                the engine's defaults: page cache 16 MiB, memory map 256 MiB, the log is moved beside other work at 4,000 \
                pages, no mutex; a large table is read by two threads
                """,
            stores: try StoreFolder(url: folder, name: "engine"), bookCount: bookCount, lookupOrder: lookupOrder,
            library: library
        ) { url in
            let description = NSPersistentStoreDescription(url: url)
            description.type = NSSQLiteStoreType
            return description
        }
    }

    /// The workload on stores of any type.
    ///
    /// - Parameters:
    ///   - library: makes or answers the generated data; called only by operations that write it.
    ///   - description: Describes the store at a URL.
    public init(
        name: String, settings: String, stores: any StoreSupply, bookCount: Int, lookupOrder: LookupOrder,
        library: @escaping () -> Library, description: @escaping (URL) -> NSPersistentStoreDescription
    ) {
        self.name = name
        self.settings = settings
        self.stores = stores
        self.bookCount = bookCount
        self.lookupOrder = lookupOrder
        self.library = library
        self.description = description
    }

    public func buildStore() throws {
        guard try !stores.hasFullStore else { return }
        try stores.removeFullStore()
        let stack = try EngineStack(description(stores.fullStore))
        _ = try insert(stack, library(), withTags: true)
        try stack.close()
        try stores.markFullStoreComplete()
    }

    public func run(_ operation: Bookshelf.Operation) throws -> Bookshelf.Measurement {
        let stack = try stack(for: operation)
        defer { if stack !== sharedStack { try? stack.close() } }
        switch operation {
        case .insert: return try insert(stack, library(), withTags: false)
        case .insertTags: return try insert(stack, library(), withTags: true)
        case .fetchTouch: return try fetchTouch(stack)
        case .fetchIDs: return try fetchIDs(stack)
        case .fetchFaults: return try fetchFaults(stack)
        case .byKey: return try byKey(stack)
        case .byIDMiss: return try byID(stack, registered: false)
        case .byIDHit: return try byID(stack, registered: true)
        case .predicate: return try predicate(stack)
        case .traverse: return try traverse(stack, prefetch: false)
        case .traversePrefetch: return try traverse(stack, prefetch: true)
        case .update: return try update(stack)
        case .delete: return try delete(stack)
        case .aggregate: return try aggregate(stack)
        case .saveSmall: return try saveSmall(stack, library().extraBooks)
        case .match: return try match(stack)
        case .import: return try importBooks(stack, library())
        case .screen: return try screen(stack)
        case .walk: return try walk(stack)
        case .merge: return try merge(stack)
        case .cascade: return try cascade(stack)
        }
    }

    /// Opens the store that holds everything.
    func openFullStore() throws -> EngineStack { try EngineStack(description(stores.fullStore)) }

    private func stack(for operation: Bookshelf.Operation) throws -> EngineStack {
        switch operation.storeState {
        case .empty: return try EngineStack(description(stores.emptyScratchStore()))
        case .copy:
            return try EngineStack(
                description(stores.copiedScratchStore()), cascades: operation == .cascade)
        case .shared:
            if let sharedStack { return sharedStack }
            let stack = try EngineStack(description(stores.fullStore))
            sharedStack = stack
            return stack
        }
    }

    /// Runs `body` on the queue of a context with nothing registered.
    func inFreshContext<Result>(
        _ stack: EngineStack, _ body: (NSManagedObjectContext) throws -> Result
    ) rethrows -> Result {
        let context = stack.freshContext()
        return try context.performAndWait { try body(context) }
    }

    /// The measurement of what has passed since `watch` started.
    func measurement(_ times: (wall: Double, cpu: Double), _ result: String) -> Bookshelf.Measurement {
        Bookshelf.Measurement(wall: times.wall, cpu: times.cpu, result: result)
    }

    func count(_ stack: EngineStack) throws -> Int {
        try inFreshContext(stack) { try $0.count(for: NSFetchRequest<Book>(entityName: "Book")) }
    }
}
