#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataKit
import OpenCoreDataPostgreSQL
import TestSupport

/// Adds 1 to the pages of the only book, by blocks of every kind, in eight tasks.
struct IncrementingWork: Sendable {
    private let database: Database

    init(_ database: Database) { self.database = database }

    static func open(_ url: URL) async throws -> Database {
        try await Database.open(
            Database.Configuration(
                name: "Library", model: .value(LibraryModel.make()), stores: [.postgreSQL(url, watched: false)]))
    }

    /// - Returns: How many were added.
    @discardableResult
    func run(_ count: Int) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for worker in 0..<8 {
                group.addTask { await add(count / 8, startingAt: worker) }
            }
            return await group.reduce(0, +)
        }
    }

    private func add(_ count: Int, startingAt first: Int) async -> Int {
        var added = 0
        for number in first..<first + count {
            do {
                try await add(number)
                added += 1
            } catch {}
        }
        return added
    }

    private func add(_ number: Int) async throws {
        let change: @Sendable (Context) throws -> Void = { try $0.first(Book.self)?.pages += 1 }
        switch number % 5 {
        case 0: try await database.write { try change($0) }
        case 1: try await database.importing { try change($0) }
        case 2:
            try await database.write { context in
                try change(context)
                try context.save()
            }
        case 3:
            try await database.write { context in
                let pages = try context.first(Book.self)?.pages ?? 0
                _ = try context.batchUpdate(Query(Book.self), set: ["pages": pages + 1])
            }
        default:
            let draft = database.draft()
            try await draft.perform { try change($0) }
            try await draft.commit()
        }
    }
}
#endif
