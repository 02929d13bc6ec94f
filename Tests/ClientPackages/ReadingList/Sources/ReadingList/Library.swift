import Foundation
import Observation
import SwiftData

@MainActor
public protocol BookProviding {
    func books(matching search: String) throws -> [Book]
    func add(_ book: Book, to shelf: Shelf?) throws
}

/// What the app's views have, on the main actor.
@MainActor
@Observable
public final class Library: BookProviding {
    public let container: ModelContainer
    public var search = ""
    public private(set) var lastError: (any Error)?

    public init(at url: URL? = nil) throws {
        let schema = Schema([Book.self, Note.self, Shelf.self, Loan.self])
        let configuration =
            url.map { ModelConfiguration(schema: schema, url: $0) }
            ?? ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
        container = try ModelContainer(for: schema, configurations: [configuration])
    }

    private var context: ModelContext { container.mainContext }

    public func books(matching search: String) throws -> [Book] {
        try context.fetch(Book.list(matching: search))
    }

    public func add(_ book: Book, to shelf: Shelf?) throws {
        context.insert(book)
        book.shelf = shelf
        try context.save()
    }

    public func shelves() throws -> [Shelf] {
        try context.fetch(FetchDescriptor<Shelf>()).sorted()
    }

    public func count(on shelf: Shelf) throws -> Int {
        try context.fetchCount(FetchDescriptor(predicate: Book.on(shelf)))
    }

    public func count(publishedAfter year: Int) throws -> Int {
        try context.fetchCount(FetchDescriptor(predicate: Book.published(after: year)))
    }

    public func annotated() throws -> [Book] {
        try context.fetch(FetchDescriptor(predicate: Book.withNotes))
    }

    public func loans() throws -> [String: Int] {
        let loans = try context.fetch(FetchDescriptor<Loan>())
        return Dictionary(uniqueKeysWithValues: loans.map { ($0.borrower, $0.reminders.count) })
    }

    public func initials(_ titled: [any Titled]) -> String { titled.map(\.initial).joined() }

    public func remove(_ book: Book) {
        context.delete(book)
        do { try context.save() } catch { lastError = error }
    }

    /// Each save of the main context.
    public var saves: AsyncStream<Int> {
        AsyncStream { continuation in
            let observer = NotificationCenter.default.addObserver(
                forName: ModelContext.didSave, object: context, queue: nil
            ) { notification in
                let key = ModelContext.NotificationKey.insertedIdentifiers.rawValue
                continuation.yield((notification.userInfo?[key] as? [PersistentIdentifier])?.count ?? 0)
            }
            nonisolated(unsafe) let token = observer
            continuation.onTermination = { _ in NotificationCenter.default.removeObserver(token) }
        }
    }

    /// A container with sample books, as previews have.
    public static let preview: ModelContainer = {
        do {
            let container = try ModelContainer(
                for: Book.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
            container.mainContext.insert(Book(isbn: "0", title: "Sample"))
            return container
        } catch { fatalError("\(error)") }
    }()
}
