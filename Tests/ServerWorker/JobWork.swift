#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataKit
import OpenCoreDataPostgreSQL
import TestSupport

/// Takes jobs from a queue, in four tasks: a job is a book without an author, and done when it has one, which has the book's
/// title as its name.
///
/// Says `done TITLE` after each job, and `empty COUNT` when there are no more.
struct JobWork: Sendable {
    private let database: Database

    init(_ url: URL) async throws {
        database = try await Database.open(
            Database.Configuration(
                name: "Library", model: .value(LibraryModel.make()), stores: [.postgreSQL(url, watched: false)]))
    }

    func run() async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 { group.addTask { try await work() } }
            return try await group.reduce(0, +)
        }
    }

    private func work() async throws -> Int {
        var count = 0
        while true {
            let title = try await database.write(locking: .rows) { context -> String? in
                let waiting = Query(Book.self).filter(NSPredicate(format: "author == nil"))
                    .sorted(NSSortDescriptor(key: "pages", ascending: true))
                guard let book = try context.first(waiting.locked(.skippingLocked)) else { return nil }
                let author = try context.create(Author.self)
                author.name = book.title
                // The work, during which the job is this one's.
                Thread.sleep(forTimeInterval: 0.002)
                book.author = author
                return book.title
            }
            if let title {
                count += 1
                Line.write("done \(title)")
            } else if try await database.read({ try $0.count(Self.open) }) == 0 {
                return count
            } else {
                // Others have locked what is left.
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    private static let open = Query(Book.self).filter(NSPredicate(format: "author == nil"))
}
#endif
