#if PostgreSQL
    import Foundation
    import OpenCoreData
    import OpenCoreDataKit
    import TestSupport
    import Testing

    @testable import OpenCoreDataPostgreSQL

    @Suite(.needsServer, .serialized) struct DatabaseTests {
        private func open(_ schema: String) async throws -> Database {
            try await Database.open(
                Database.Configuration(
                    name: "Library", model: .value(LibraryModel.make()),
                    stores: [.postgreSQL(try TestServer.url(schema: schema))], layout: .merging))
        }

        @Test func aDatabaseWritesAndReads() async throws {
            try await TestServer.withSchema(created: false) { schema in
                let database = try await open(schema)
                try await database.write { context in
                    for number in 0..<10 { Author(context: context).name = "author \(number)" }
                }
                let count = try await database.read { try $0.count(for: NSFetchRequest<Author>(entityName: "Author")) }
                #expect(count == 10)
                try await database.close()
                let again = try await open(schema)
                let names = try await again.read { context in
                    try context.fetch(NSFetchRequest<Author>(entityName: "Author")).map(\.name).sorted()
                }
                #expect(names == (0..<10).map { "author \($0)" })
                try await again.close()
            }
        }

        @Test func statisticsCountConnectionsAndHaveNoPassword() async throws {
            try await TestServer.withSchema(created: false) { schema in
                let database = try await open(schema)
                try await database.write { Author(context: $0).name = "Lem" }
                // What the write told others of may still be read.
                let isIdle = try await eventually { database.statistics.first?.readersInUse == 0 }
                let statistics = try #require(database.statistics.first)
                #expect(isIdle && statistics.maximumReaders == 8 && statistics.waitingReaders == 0)
                #expect(statistics.storeURL.absoluteString.hasSuffix("?schema=\(schema)"))
                #expect(statistics.storeURL.password == nil)
                let context = database.context()
                try context.performAndWait {
                    try context.setQueryGenerationFrom(.current)
                    _ = try context.count(for: NSFetchRequest<Author>(entityName: "Author"))
                    #expect(database.statistics.first?.pinnedGenerations == 1)
                    try context.setQueryGenerationFrom(nil)
                }
                try await database.close()
            }
        }

        @Test func commitsElsewhereAreTold() async throws {
            try await TestServer.withSchema(created: false) { schema in
                let (here, there) = (try await open(schema), try await open(schema))
                var heard = here.commits.filter { $0.kind == .external }.makeAsyncIterator()
                for number in 0..<20 {
                    try await there.write { Author(context: $0).name = "author \(number)" }
                    let commit = await heard.next()
                    #expect(commit?.inserted.count == 1)
                }
                try await there.close()
                try await here.close()
            }
        }

        @Test func aStoreThatIsNotReachedIsNoReasonToThrowItAway() async throws {
            let url = try #require(URL(string: "postgresql://ann:s3cret@127.0.0.1:1/books"))
            var store = Store.postgreSQL(url)
            store.ifIncompatible = .recreate
            let configuration = Database.Configuration(
                name: "Library", model: .value(LibraryModel.make()), stores: [store])
            let error = await #expect(throws: DatabaseError.self) { try await Database.open(configuration) }
            guard case .storeFailed = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(error?.description.contains("s3cret") == false)
        }
    }
#endif
