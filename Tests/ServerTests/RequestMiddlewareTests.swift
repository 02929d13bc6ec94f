#if Server
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import OpenCoreDataKit
import Synchronization
import Testing

@testable import OpenCoreDataServer

/// The limit of requests, and the log of those that failed.
@Suite struct RequestMiddlewareTests {
    private static func request(_ path: String) -> Request {
        Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: path),
            body: RequestBody(buffer: .init()))
    }

    private static func context(_ logger: Logger) -> LoggedContext {
        LoggedContext(source: LoggedContext.Source(logger: logger))
    }

    @Test(.timeLimit(.minutes(5))) func requestsBeyondTheLimitAreRefusedAtOnce() async throws {
        let limit = RequestLimitMiddleware<LoggedContext>(2, retryAfter: .seconds(3))
        let context = Self.context(Logger(label: "test"))
        let (gate, opening) = AsyncStream<Void>.makeStream()
        let started = Started()
        let answers = try await withThrowingTaskGroup(of: Response.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    try await limit.handle(Self.request("/slow"), context: Self.context(Logger(label: "test"))) {
                        _, _ in
                        started.count.withLock { $0 += 1 }
                        for await _ in gate {}
                        return Response(status: .ok)
                    }
                }
            }
            while started.count.withLock({ $0 }) < 2 { try await Task.sleep(for: .milliseconds(1)) }
            let refused = try await limit.handle(Self.request("/third"), context: context) { _, _ in
                Response(status: .ok)
            }
            #expect(refused.status == .serviceUnavailable && refused.headers[.retryAfter] == "3")
            opening.finish()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.map(\.status) == [.ok, .ok])
        let later = try await limit.handle(Self.request("/later"), context: context) { _, _ in Response(status: .ok)
        }
        #expect(later.status == .ok)
        // One that failed is over too.
        for _ in 0..<5 {
            await #expect(throws: CocoaError.self) {
                try await limit.handle(Self.request("/broken"), context: context) { _, _ in
                    throw CocoaError(.coreData)
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func routesThatWaitKeepNoOthersOut() async throws {
        let (gate, opening) = AsyncStream<Void>.makeStream()
        let started = Started()
        let client = RouteClient { router in
            router.add(middleware: RequestLimitMiddleware(longestWait: .milliseconds(100), limit: 1))
            router.get("slow/:number") { _, _ in
                started.count.withLock { $0 += 1 }
                for await _ in gate {}
                return "slow"
            }
            router.get("quick") { _, _ in "quick" }
        }
        async let waiting = client.get("/slow/1")
        while started.count.withLock({ $0 }) < 1 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(try await client.get("/slow/2").status == 503)
        #expect(try await client.get("/quick").text == "quick")
        opening.finish()
        #expect(try await waiting.text == "slow")
        #expect(try await client.get("/slow/3").status == 200)
    }

    /// A client that asks again as soon as it was refused gets few answers, and the requests that are let in get the time.
    @Test(.timeLimit(.minutes(5))) func refusalsAreHeldBackForAMoment() async throws {
        let (gate, opening) = AsyncStream<Void>.makeStream()
        let started = Started()
        let client = RouteClient { router in
            router.add(
                middleware: RequestLimitMiddleware(
                    longestWait: .milliseconds(100), limit: 1, refusalDelay: .milliseconds(200)))
            router.get("slow") { _, _ in
                started.count.withLock { $0 += 1 }
                for await _ in gate {}
                return "slow"
            }
        }
        async let waiting = client.get("/slow")
        while started.count.withLock({ $0 }) < 1 { try await Task.sleep(for: .milliseconds(1)) }
        let start = ContinuousClock.now
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await client.get("/slow").status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let time = start.duration(to: .now)
        #expect(statuses == Array(repeating: 503, count: 50))
        // All are held back side by side.
        #expect(time >= .milliseconds(200) && time < .seconds(5), "\(time)")
        opening.finish()
        #expect(try await waiting.text == "slow")
        #expect(try await client.get("/slow").status == 200)
    }

    @Test func failuresAreLoggedWithTheirCause() async throws {
        let lines = LogLines()
        let log = FailureLogMiddleware<LoggedContext>()
        let context = Self.context(Logger(label: "test") { _ in lines })
        await #expect(throws: CocoaError.self) {
            try await log.handle(Self.request("/books?secret=1"), context: context) { _, _ in
                throw CocoaError(.fileWriteOutOfSpace, userInfo: [NSLocalizedDescriptionKey: "The disk is full."])
            }
        }
        let line = try #require(lines.all.withLock { $0.first })
        for part in ["error", "/books", "The disk is full.", "500", "NSCocoaErrorDomain 640"] {
            #expect(line.contains(part), "\(line)")
        }
        #expect(!line.contains("secret"))
        await #expect(throws: HTTPError.self) {
            try await log.handle(Self.request("/none"), context: context) { _, _ in throw HTTPError(.notFound) }
        }
        #expect(lines.all.withLock { $0.count } == 1)
    }
}

private final class Started: Sendable {
    let count = Mutex(0)
}

/// A request with a logger of the test's.
private struct LoggedContext: RequestContext {
    struct Source: RequestContextSource { let logger: Logger }

    var coreContext: CoreRequestContextStorage
    init(source: Source) { coreContext = CoreRequestContextStorage(source: source) }
}

/// Keeps what is logged.
private final class LogLines: LogHandler, Sendable {
    let all = Mutex<[String]>([])
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        all.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
    }
}
#endif
