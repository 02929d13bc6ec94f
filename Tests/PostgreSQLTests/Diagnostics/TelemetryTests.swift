#if PostgreSQL && Server
import CoreMetrics
import Foundation
import InMemoryTracing
import Logging
import OpenCoreData
import OpenCoreDataKit
import OpenCoreDataServer
import OpenCoreDataTelemetry
import ServiceLifecycle
import TestSupport
import Testing
import Tracing

@testable import OpenCoreDataPostgreSQL

/// Metrics and spans of stores in a file and on a server. Other tests run in the same process: what counts is what
/// names the store of the test.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TelemetryTests {
    private let metrics = RecordedMetrics()
    private let tracer = InMemoryTracer()

    private struct Secret {
        static let text = "Emma's secret"
    }

    /// Does some work as a part of a request: a write, a fetch of it, and one that fails.
    private func work(on store: Store) async throws -> (spans: [FinishedInMemorySpan], request: InMemorySpan) {
        StoreTelemetry.begin(metrics: metrics, tracer: tracer)
        defer { StoreTelemetry.end() }
        let database = try await Database.open(
            .init(name: "Telemetry", model: .value(LibraryModel.make()), stores: [store], layout: .merging))
        let request = tracer.startSpan("request", context: .topLevel)
        try await ServiceContext.withValue(request.context) {
            try await database.write { Author(context: $0).name = Secret.text }
            _ = try await database.read { context in
                try context.first(Query(Author.self).filter("name == %@", Secret.text))?.name
            }
            _ = try await database.read { try $0.count(for: NSFetchRequest<Author>(entityName: "Author")) }
        }
        request.end()
        StoreMetrics(database, factory: metrics).record()
        try await database.close()
        return (tracer.finishedSpans, request)
    }

    private func expectSpans(
        _ spans: [FinishedInMemorySpan], of request: InMemorySpan, system: String, namespace: String
    ) throws {
        func attribute(_ span: FinishedInMemorySpan, _ name: String) -> String? {
            span.attributes.get(name).map { "\($0)" }
        }
        let own = spans.filter { attribute($0, "db.namespace")?.contains(namespace) == true }
        let ofRequest = own.filter { $0.traceID == request.traceID }
        let save = try #require(ofRequest.first { $0.operationName == "save" })
        let fetch = try #require(ofRequest.first { $0.operationName == "fetch" })
        #expect(ofRequest.contains { $0.operationName == "count" })
        for span in [save, fetch] {
            #expect(span.parentSpanID == request.spanID)
            #expect(attribute(span, "db.system.name")?.contains(system) == true)
        }
        #expect(attribute(fetch, "opencoredata.entity")?.contains("Author") == true)
        // Statements are parts of what they were made for, and end within it.
        let statements = ofRequest.filter { $0.kind == .client }
        #expect(statements.contains { $0.operationName == "INSERT" && $0.parentSpanID == save.spanID })
        #expect(statements.contains { $0.operationName == "SELECT" && $0.parentSpanID == fetch.spanID })
        for span in statements {
            #expect(span.startInstant.nanosecondsSinceEpoch <= span.endInstant.nanosecondsSinceEpoch)
        }
        for span in spans {
            let text = "\(span)"
            #expect(text.contains("db.operation.name") || span.operationName == "request")
            #expect(!text.contains("secret") && !text.contains("postgresql://"), "\(text)")
        }
    }

    private func expectMetrics(_ labels: [String: String]) {
        #expect(metrics.sum("opencoredata_writes_total", labels) >= 1)
        #expect(metrics.sum("opencoredata_reads_total", labels) >= 2)
        #expect(metrics.sum("opencoredata_read_seconds_total", labels) > 0)
        #expect(metrics.values("opencoredata_readers_limit", labels).last.map { $0 >= 1 } == true)
        for name in ["waits", "retries", "conflicts", "cache_hits", "cache_misses"] {
            #expect(metrics.values("opencoredata_\(name)_total", labels).count == 1)
        }
        #expect(metrics.values("opencoredata_feed_delay_seconds", labels).count == 1)
        for kind in ["select", "insert"] {
            let times = metrics.values(
                "opencoredata_statement_seconds", labels.merging(["kind": kind]) { first, _ in first })
            #expect(!times.isEmpty && times.allSatisfy { $0 >= 0 })
        }
    }

    @Test func workInAFileIsTracedAsPartOfTheRequest() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("telemetry-\(UUID().uuidString).sqlite")
        let (spans, request) = try await work(on: .sqlite(at: url))
        try expectSpans(spans, of: request, system: "sqlite", namespace: url.lastPathComponent)
        expectMetrics(["store": url.lastPathComponent])
    }

    @Test(.needsServer) func workOnAServerIsTracedAsPartOfTheRequest() async throws {
        try await TestServer.withSchema(created: false) { schema in
            let (spans, request) = try await work(on: .postgreSQL(try TestServer.url(schema: schema)))
            try expectSpans(spans, of: request, system: "postgresql", namespace: schema)
            expectMetrics(["schema": schema])
        }
    }

    @Test func workThatWaitsForAnotherRequestBelongsToItsOwn() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("telemetry-\(UUID().uuidString).sqlite")
        StoreTelemetry.begin(metrics: metrics, tracer: tracer)
        defer { StoreTelemetry.end() }
        let database = try await Database.open(
            .init(name: "Telemetry", model: .value(LibraryModel.make()), stores: [.sqlite(at: url)]))
        let requests = (0..<40).map { _ in tracer.startSpan("request", context: .topLevel) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for request in requests {
                group.addTask {
                    try await ServiceContext.withValue(request.context) {
                        _ = try await database.read { try $0.all(Query(Author.self)).count }
                        try await database.write { Author(context: $0).name = "a" }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await database.close()
        let spans = tracer.finishedSpans
        for request in requests {
            let own = spans.filter { $0.parentSpanID == request.spanID && $0.traceID == request.traceID }
            #expect(own.filter { $0.operationName == "save" }.count == 1)
            #expect(own.filter { $0.operationName == "fetch" }.count == 1)
        }
    }

    @Test func countersReportWhatWasAdded() {
        let values = Noted<StoreWork>()
        let metrics = self.metrics
        let reporter = StoreMetrics(factory: metrics) {
            var statistics = StoreStatistics(
                storeURL: URL(fileURLWithPath: "/a/b.sqlite"), connections: 4, inUse: 1, waiting: 2,
                pinnedGenerations: 0, cachedRows: 7)
            statistics.work = values.all.last ?? StoreWork()
            return [statistics]
        }
        // The last one is of a store that was opened again.
        for (reads, time) in [(3, 0.5), (10, 2.0), (10, 2.0), (4, 1.0)] {
            var work = StoreWork()
            (work.reads, work.readTime) = (reads, time)
            values.note(work)
            reporter.record()
        }
        let labels = ["store": "b.sqlite"]
        #expect(metrics.values("opencoredata_reads_total", labels) == [3, 7, 0, 4])
        #expect(metrics.values("opencoredata_read_seconds_total", labels) == [0.5, 1.5, 0, 1])
        #expect(metrics.values("opencoredata_cached_rows", labels) == [7, 7, 7, 7])
        #expect(metrics.values("opencoredata_readers_in_use", labels).last == 1)
    }

    @Test func aServiceReportsUntilItIsCancelled() async throws {
        let metrics = self.metrics
        let reporter = StoreMetrics(every: .milliseconds(1), factory: metrics) {
            [
                StoreStatistics(
                    storeURL: URL(fileURLWithPath: "/service.sqlite"), connections: 1, inUse: 0, waiting: 0,
                    pinnedGenerations: 0, cachedRows: 0)
            ]
        }
        let service: any Service = reporter
        let running = Task { try await service.run() }
        while metrics.values("opencoredata_readers_limit", ["store": "service.sqlite"]).count < 3 {
            try await Task.sleep(for: .milliseconds(1))
        }
        running.cancel()
        try await running.value
    }

    @Test func aServiceEndsWithItsGroup() async throws {
        let metrics = self.metrics
        let reporter = StoreMetrics(every: .seconds(600), factory: metrics) {
            [
                StoreStatistics(
                    storeURL: URL(fileURLWithPath: "/group.sqlite"), connections: 1, inUse: 0, waiting: 0,
                    pinnedGenerations: 0, cachedRows: 0)
            ]
        }
        let group = ServiceGroup(services: [reporter], logger: Logger(label: "TelemetryTests"))
        let running = Task { try await group.run() }
        func reports() -> Int { metrics.values("opencoredata_readers_limit", ["store": "group.sqlite"]).count }
        while reports() < 1 { try await Task.sleep(for: .milliseconds(1)) }
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(reports() == 2)
    }

    @Test func storesOfOneNameAreCountedApart() {
        let metrics = self.metrics
        let reporter = StoreMetrics(factory: metrics) {
            [("/a/Same.sqlite", 100), ("/b/Same.sqlite", 5)].map { path, reads in
                var statistics = StoreStatistics(
                    storeURL: URL(fileURLWithPath: path), connections: 1, inUse: 0, waiting: 0, pinnedGenerations: 0,
                    cachedRows: 0)
                statistics.work.reads = reads
                return statistics
            }
        }
        for _ in 0..<3 { reporter.record() }
        #expect(metrics.values("opencoredata_reads_total", ["store": "Same.sqlite"]) == [100, 5, 0, 0, 0, 0])
    }

    @Test func statementsHaveKinds() {
        for (sql, kind) in [
            ("SELECT 1", MonitoredStatement.Kind.select), ("WITH a AS (SELECT 1) SELECT * FROM a", .select),
            ("WITH u AS (UPDATE book SET a = $1 RETURNING 1) SELECT count(*) FROM u", .update),
            ("INSERT INTO a SELECT 1", .insert), ("DELETE FROM a", .delete), ("COMMIT", .transaction),
            ("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", .transaction), ("VACUUM", .other), ("", .other),
        ] {
            #expect(MonitoredStatement.Kind(of: sql) == kind, "\(sql)")
        }
    }
}
#endif
