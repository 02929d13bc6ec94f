#if Server
import Foundation
import Logging
import OpenCoreDataKit
import ServiceLifecycle
import TestSupport
import Testing

@testable import OpenCoreDataServer

@Suite struct DatabaseServiceTests {
    @Test func databaseClosesWhenTheGroupOfServicesEnds() async throws {
        let shelf = try await ServerShelf()
        let group = ServiceGroup(services: [DatabaseService(shelf.database)], logger: Logger(label: "test"))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await shelf.add("Solaris")
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        await #expect(throws: DatabaseError.self) { try await shelf.add("Fiasco") }
    }

    @Test func databaseThatSomebodyElseClosedIsNoError() async throws {
        let shelf = try await ServerShelf()
        try await shelf.database.close()
        let service = Task { try await DatabaseService(shelf.database).run() }
        service.cancel()
        try await service.value
    }

    @Test func healthIsOKWhileTheDatabaseAnswersAndUnavailableAfterwards() async throws {
        let shelf = try await ServerShelf()
        let client = RouteClient { DatabaseRoutes(shelf.database).addRoutes(to: $0) }
        #expect(try await client.get("/health").status == 200)
        try await shelf.add("Solaris")
        #expect(try await client.get("/health").text == "ok\n")
        try await shelf.database.close()
        let answer = try await client.get("/health")
        #expect(answer.status == 503)
        #expect(answer.text == "The database is closed.\n")
    }

    @Test(arguments: ["removed", "replaced"]) func healthFailsWhenTheFileIsGone(_ event: String) async throws {
        let shelf = try await ServerShelf()
        try await shelf.add("Solaris")
        let client = RouteClient { DatabaseRoutes(shelf.database).addRoutes(to: $0) }
        #expect(try await client.get("/health").status == 200)
        let files = FileManager.default
        let names = try files.contentsOfDirectory(atPath: shelf.folder.url.path)
        let file = shelf.folder.file(try #require(names.first { $0.hasSuffix(".sqlite") }))
        if event == "removed" {
            try files.removeItem(at: file)
        } else {
            try files.copyItem(at: file, to: shelf.folder.file("other"))
            #expect(rename(shelf.folder.file("other").path, file.path) == 0)
        }
        let answer = try await client.get("/health")
        #expect(answer.status == 503)
        #expect(answer.text == "The database's file is gone.\n")
    }

    @Test func metricsAreInTheTextFormatAndNameNoFolder() async throws {
        let shelf = try await ServerShelf()
        try await shelf.add("Solaris")
        let client = RouteClient { DatabaseRoutes(shelf.database).addRoutes(to: $0) }
        let answer = try await client.get("/metrics")
        #expect(answer.type?.hasPrefix("text/plain; version=0.0.4") == true)
        #expect(!answer.text.contains(shelf.folder.url.path))
        for line in answer.text.split(separator: "\n") where !line.hasPrefix("#") {
            #expect(line.wholeMatch(of: /opencoredata_[a-z_]+\{store="[^"]*"\} [-+\d.e]+/) != nil, "\(line)")
        }
        #expect(answer.text.contains("# TYPE opencoredata_log_bytes gauge"))
        #expect(answer.text.contains("# TYPE opencoredata_read_seconds_total counter"))
    }

    @Test func metricsCountReadsAndWritesWithTheirTimes() async throws {
        let shelf = try await ServerShelf()
        let client = RouteClient { DatabaseRoutes(shelf.database).addRoutes(to: $0) }
        let before = Self.figures(try await client.get("/metrics").text)
        try await shelf.add("Solaris")
        let number = try await shelf.database.read { try $0.count(ServerShelf.volumes) }
        let after = Self.figures(try await client.get("/metrics").text)
        #expect(number == 1)
        for name in ["writes_total", "write_seconds_total", "reads_total", "read_seconds_total"] {
            #expect((after[name] ?? 0) > (before[name] ?? 0), "\(name)")
        }
        #expect(after["retries_total"] == 0 && after["waits_total"] != nil && after["wait_seconds_total"] != nil)
    }

    /// The figures of metrics by their names.
    private static func figures(_ text: String) -> [String: Double] {
        var figures: [String: Double] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let name = line.prefix { $0 != "{" }.dropFirst("opencoredata_".count)
            figures[String(name)] = line.split(separator: " ").last.flatMap { Double($0) }
        }
        return figures
    }
}
#endif
