#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataKit
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Blocks that write in a transaction, whose connection is cut, or which fail at their end.
@Suite(.needsServer, .serialized, .timeLimit(.minutes(10))) struct LostTransactionTests {
    private func open(_ url: URL, watched: Bool) async throws -> Database {
        try await Database.open(
            Database.Configuration(
                name: "Library", model: .value(LibraryModel.make()), stores: [.postgreSQL(url, watched: watched)],
                layout: .merging))
    }

    private func count(_ name: String, in database: Database) async throws -> Int {
        try await database.read { try $0.all(Query(Author.self).filter("name == %@", name)).count }
    }

    /// What has been committed has returned, and what has thrown isn't there, wherever the connection is cut.
    @Test(arguments: [(watched: true, saves: 1), (watched: true, saves: 2), (watched: false, saves: 1)])
    func aWriteIsThereOnceOrHasFailed(watched: Bool, saves: Int) async throws {
        let port = try #require(URLComponents(string: TestServer.url ?? "")?.port)
        let proxy = try CuttingProxy(toPort: UInt16(port))
        defer { proxy.close() }
        try await TestServer.withSchema(created: false) { schema in
            let direct = try await open(TestServer.url(schema: schema), watched: false)
            var parts = try #require(URLComponents(url: TestServer.url(schema: schema), resolvingAgainstBaseURL: false))
            parts.port = Int(proxy.port)
            parts.queryItems = (parts.queryItems ?? []) + [URLQueryItem(name: "sslmode", value: "disable")]
            // Listens at no other connection, which could be cut in place of the one that writes.
            let database = try await open(try #require(parts.url), watched: watched)
            func write(_ name: String) async throws {
                try await database.write { context in
                    for _ in 0..<saves {
                        try context.create(Author.self).name = name
                        if saves > 1 { try context.save() }
                    }
                }
            }
            var committedLosses = 0
            var cuts = 0
            for direction in [CuttingProxy.Direction.toServer, .toClient] {
                for messages in 0..<80 {
                    let name = "\(direction) \(messages)"
                    try await write("warm " + name)
                    proxy.arm(direction, after: messages)
                    var failure: (any Error)?
                    do { try await write(name) } catch { failure = error }
                    let wasCut = !proxy.disarm()
                    let found = try await count(name, in: direct)
                    if failure == nil {
                        #expect(found == saves, "\(name)")
                        if wasCut { committedLosses += 1 }
                    } else {
                        #expect(found == 0, "\(name): \(failure.map { "\($0)" } ?? "")")
                    }
                    guard wasCut else { break }
                    cuts += 1
                }
            }
            print("writes that were cut: \(cuts), of which \(committedLosses) had been committed or went on")
            #expect(cuts > 8)
            try await database.close()
            try await direct.close()
        }
    }

    @Test func aWriteOfOneObjectIsTwoRoundTrips() async throws {
        try await TestServer.withSchema(created: false) { schema in
            let database = try await open(TestServer.url(schema: schema), watched: true)
            for number in 0..<40 { try await database.write { try $0.create(Author.self).name = "warm \(number)" } }
            let store = try await database.read { context in
                try #require(context.persistentStoreCoordinator?.persistentStores.first as? PostgreSQLStore)
            }
            func trips() throws -> Int { try store.runtime().connections.with { $0.roundTripCount } }
            // The feed may look at the history by the same connections, and the pool may end one with its count.
            var taken: [Int] = []
            for number in 0..<20 {
                let before = try trips()
                try await database.write { try $0.create(Author.self).name = "one \(number)" }
                taken.append(try trips() - before)
                #expect(try await count("one \(number)", in: database) == 1)
            }
            #expect(taken.sorted()[taken.count / 2] == 2, "\(taken)")
            try await database.close()
        }
    }

    @Test func aBlockThatThrowsAfterItsSaveChangesNothing() async throws {
        try await TestServer.withSchema(created: false) { schema in
            let database = try await open(TestServer.url(schema: schema), watched: true)
            await #expect(throws: CocoaError.self) {
                try await database.write { context in
                    try context.create(Author.self).name = "none"
                    try context.save()
                    throw CocoaError(.coreData)
                }
            }
            #expect(try await count("none", in: database) == 0)
            // A value that isn't valid at the end of the block.
            await #expect(throws: DatabaseError.self) {
                try await database.write { context in
                    try context.create(Author.self).name = "none"
                    try context.save()
                    try context.create(Book.self).setValue(nil, forKey: "title")
                }
            }
            #expect(try await count("none", in: database) == 0)
            try await database.write { try $0.create(Author.self).name = "none" }
            #expect(try await count("none", in: database) == 1)
            try await database.close()
        }
    }

    @Test func conflictsAtTheEndOfABlockAreRepeated() async throws {
        try await TestServer.withSchema(created: false) { schema in
            let database = try await open(TestServer.url(schema: schema), watched: true)
            try await database.write { context in
                let book = try context.create(Book.self)
                (book.title, book.pages) = ("Counter", 0)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<10 {
                            try await database.write(conflicts: .retry(atMost: 200), locking: .rows) {
                                try $0.first(Book.self)?.pages += 1
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await database.read { try $0.first(Book.self)?.pages } == 80)
            #expect(database.statistics.first.map { $0.work.conflicts > 0 } == true)
            try await database.close()
        }
    }
}
#endif
