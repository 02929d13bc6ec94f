#if PostgreSQL
    import Foundation
    import OpenCoreData
    import OpenCoreDataKit
    import OpenCoreDataPostgreSQL
    import Synchronization
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
            let added = Mutex(0)
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<8 {
                    group.addTask {
                        for number in 0..<count / 8 {
                            do {
                                try await add(worker + number)
                                added.withLock { $0 += 1 }
                            } catch {}
                        }
                    }
                }
            }
            let done = added.withLock { $0 }
            return done
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
