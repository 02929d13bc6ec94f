import CoreData
import Foundation

/// One idiom, with what it has to give.
public struct Idiom: Sendable {
    public let name: String
    public let run: @MainActor @Sendable () async throws -> Void

    public init(_ name: String, _ run: @escaping @MainActor @Sendable () async throws -> Void) {
        self.name = name
        self.run = run
    }
}

/// What an idiom gave instead of what it gives on Apple's systems.
public struct IdiomFailure: Error, CustomStringConvertible {
    public let description: String
}

public func check(_ holds: Bool, _ what: String = "", line: UInt = #line) throws {
    if !holds { throw IdiomFailure(description: "line \(line): \(what)") }
}

/// A value that has to be there.
public func unwrap<T>(_ value: T?, line: UInt = #line) throws -> T {
    guard let value else { throw IdiomFailure(description: "line \(line): nil") }
    return value
}

/// Waits until something has come about.
@MainActor public func wait(line: UInt = #line, until holds: () -> Bool) async throws {
    let end = Date().addingTimeInterval(60)
    while !holds() {
        try check(Date() < end, "waited in vain", line: line)
        try await Task.sleep(nanoseconds: 2_000_000)
    }
}

/// What several threads count together.
public final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0

    public init() {}

    public func add(_ count: Int = 1) { lock.withLock { number += count } }
    public var value: Int { lock.withLock { number } }
}

public enum Library {
    /// The model of the module, read once: two would have two descriptions of each class.
    public static let model: NSManagedObjectModel = {
        guard let url = Bundle.module.url(forResource: "Library", withExtension: "xcdatamodeld"),
            let model = NSManagedObjectModel(contentsOf: url)
        else { fatalError("The model is not in the bundle.") }
        return model
    }()

    public static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Idioms-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// A container over a new store on the disk.
    public static func container(_ prepare: (NSPersistentStoreDescription) -> Void = { _ in }) throws
        -> NSPersistentContainer
    {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: try folder().appendingPathComponent("Library.sqlite"))
        prepare(description)
        container.persistentStoreDescriptions = [description]
        var failure: Error?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    /// Books of two authors, in three genres.
    @discardableResult
    public static func fill(_ context: NSManagedObjectContext) throws -> [Book] {
        let authors = ["Ann", "Bob"].map { name in
            let author = Author(context: context)
            author.name = name
            return author
        }
        let books = (1...12).map { number in
            let book = Book(context: context)
            book.title = "Book \(number)"
            book.pages = Int32(number * 10)
            book.genre = ["novel", "poetry", "science"][number % 3]
            book.rating = Double(number % 5)
            book.price = NSDecimalNumber(value: number)
            book.identifier = UUID()
            book.published = Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)
            book.author = authors[number % 2]
            return book
        }
        try context.save()
        return books
    }
}
