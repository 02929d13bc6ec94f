#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataKit
import Synchronization
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

@Suite(.needsServer, .serialized) struct ServerAdmissionTests {
    private static var threadCount: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("Threads:") } ?? ""
        return Int(line.split(whereSeparator: \.isWhitespace).last ?? "") ?? 0
    }

    private final class Most: Sendable {
        private let value = Atomic(0)

        var count: Int { value.load(ordering: .relaxed) }

        func note(_ count: Int) { value.max(count, ordering: .relaxed) }
    }

    /// In a process of its own, as other tests have threads as well.
    @Test func aThousandReadsWaitWithoutAThread() async throws {
        await #expect(processExitsWith: .success) {
            try await TestServer.withSchema(created: false) { schema in
                let database = try await Database.open(
                    Database.Configuration(
                        name: "Library", model: .value(LibraryModel.make()),
                        stores: [.postgreSQL(try TestServer.url(schema: schema))]))
                try await database.write { Author(context: $0).name = "Lem" }
                let before = Self.threadCount
                let most = Most()
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<1_000 {
                        group.addTask {
                            try await database.read { context in
                                most.note(Self.threadCount)
                                return try context.count(for: NSFetchRequest<Author>(entityName: "Author"))
                            }
                        }
                    }
                    for try await count in group { #expect(count == 1) }
                }
                // Eight connections by default.
                #expect(most.count < before + 64)
                try await database.close()
            }
        }
    }
}
#endif
