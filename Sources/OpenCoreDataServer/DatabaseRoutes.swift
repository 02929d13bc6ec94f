#if Server
import Foundation
import HTTPTypes
public import Hummingbird
import OpenCoreData
public import OpenCoreDataKit

/// Routes that say how a database is.
///
/// - `health`: 200 when the database answers a read within the time limit, else 503, with a sentence that
///   says why and names no path.
/// - `metrics`: what the stores are doing, in Prometheus' text format.
public struct DatabaseRoutes: Sendable {
    private let database: Database
    private let patience: Duration

    /// Creates routes for a database.
    ///
    /// Nothing is read before a request comes. The database is held as long as the routes are in a router.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - patience: How long a read may take until the database counts as unwell.
    public init(_ database: Database, patience: Duration = .seconds(2)) {
        self.database = database
        self.patience = patience
    }

    /// Adds the two routes to a router, or to a group of one.
    ///
    /// The routes need no authorization of their own, so add them to a group that only a monitoring system can reach.
    /// Answers must not be cached, and say so.
    ///
    /// - Parameter router: The router or group.
    public func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("health") { _, _ in await health() }
        router.get("metrics") { _, _ in
            text(.ok, Metrics(database.statistics).text, type: "text/plain; version=0.0.4; charset=utf-8")
        }
    }

    private func health() async -> Response {
        switch await Self.first(within: patience, { try await probe() }) {
        case .success: text(.ok, "ok\n")
        case .failure(let error as DatabaseError):
            if case .closed = error {
                text(.serviceUnavailable, "The database is closed.\n")
            } else {
                text(.serviceUnavailable, "The database can't be read.\n")
            }
        case .failure(is FileGone): text(.serviceUnavailable, "The database's file is gone.\n")
        case .failure(is TimeLimit): text(.serviceUnavailable, "The database has not answered in time.\n")
        case .failure: text(.serviceUnavailable, "The database can't be read.\n")
        }
    }

    /// One row of any entity, if there is one. A file that is gone can still be read by those who have it open, but nothing
    /// that is saved to it lasts.
    private func probe() async throws {
        guard database.hasItsFiles else { throw FileGone() }
        guard let entity = database.model.entities.first(where: { !$0.isAbstract })?.name else { return }
        _ = try await database.read { context in
            try context.first(Query(NSManagedObject.self, entity: entity)) != nil
        }
    }

    private struct TimeLimit: Error {}

    private struct FileGone: Error {}

    /// What comes first: the end of some work, or of a time.
    private static func first(
        within limit: Duration, _ work: @escaping @Sendable () async throws -> Void
    ) async -> Result<Void, any Error> {
        let (ends, continuation) = AsyncStream<Result<Void, any Error>>.makeStream(
            bufferingPolicy: .bufferingOldest(1))
        let working = Task {
            do {
                try await work()
                continuation.yield(.success(()))
            } catch {
                continuation.yield(.failure(error))
            }
        }
        let waiting = Task {
            try await Task.sleep(for: limit)
            continuation.yield(.failure(TimeLimit()))
        }
        defer {
            working.cancel()
            waiting.cancel()
        }
        for await end in ends { return end }
        return .failure(CancellationError())
    }

    private func text(
        _ status: HTTPResponse.Status, _ content: String, type: String = "text/plain; charset=utf-8"
    ) -> Response {
        Response(
            status: status, headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: content)))
    }
}

/// Figures of stores in Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/).
struct Metrics {
    let statistics: [StoreStatistics]

    init(_ statistics: [StoreStatistics]) { self.statistics = statistics }

    var text: String { StoreFigure.all.map(lines).joined() }

    private func lines(_ figure: StoreFigure) -> String {
        let type = figure.kind == .gauge ? "gauge" : "counter"
        var lines = "# HELP \(figure.name) \(figure.help)\n# TYPE \(figure.name) \(type)\n"
        for store in statistics {
            let number = figure.value(store)
            let text = Int64(exactly: number).map(String.init) ?? String(number)
            lines += "\(figure.name){\(Self.labels(store))} \(text)\n"
        }
        return lines
    }

    /// The name of the store's file, without its folder, which clients don't need to know; of a store on a server that of
    /// the database, and the schema.
    private static func labels(_ store: StoreStatistics) -> String {
        StoreLabels(store.storeURL).dimensions.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
    }

    private static func escaped(_ string: String) -> String {
        string.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
    }
}
#endif
