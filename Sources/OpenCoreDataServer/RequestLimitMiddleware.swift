#if Server
import HTTPTypes
public import Hummingbird
import Synchronization

/// Refuses requests with 503 and `Retry-After` while so many others are being answered that a client would wait too
/// long.
///
///     router.add(middleware: RequestLimitMiddleware(longestWait: .milliseconds(30)))
///
/// A request counts until its response begins: a client that reads server-sent events doesn't.
public struct RequestLimitMiddleware<Context: RequestContext>: RouterMiddleware {
    /// The requests of each route, by method and path, which take about as long as each other and wait for each other.
    private final class Waits: Sendable {
        private let longest: Duration?
        private let limit: Int
        private let all: ExpectedWait
        private let routes = Mutex<[String: ExpectedWait]>([:])

        init(longest: Duration?, limit: Int) {
            (self.longest, self.limit) = (longest, limit)
            all = ExpectedWait(longest: longest, limit: limit)
        }

        func wait(for request: Request, _ context: Context) -> ExpectedWait {
            guard longest != nil, let path = context.endpointPath else { return all }
            let name = "\(request.method.rawValue) \(path)"
            return routes.withLock { routes in
                if let wait = routes[name] { return wait }
                let wait = ExpectedWait(longest: longest, limit: limit)
                routes[name] = wait
                return wait
            }
        }
    }

    private final class Held: Sendable {
        let count = Atomic(0)
    }

    /// Refused requests whose answers are held back.
    private let held = Held()
    /// More than these are answered at once, as each holds its connection.
    private static var mostHeld: Int { 5_000 }

    private let waits: Waits
    private let seconds: Int64
    private let refusalDelay: Duration

    /// Creates middleware with a limit.
    ///
    /// A limit below 1 counts as 1, and a time below a second as one second. Each middleware counts for itself, so use
    /// one for all routes that share the limit.
    ///
    /// - Parameters:
    ///   - limit: How many requests are answered at a time.
    ///   - retryAfter: When a client that was refused should try again, in whole seconds.
    public init(_ limit: Int = 200, retryAfter: Duration = .seconds(1)) {
        waits = Waits(longest: nil, limit: limit)
        seconds = max(1, retryAfter.components.seconds)
        refusalDelay = .zero
    }

    /// Creates middleware that lets in what will be answered in time.
    ///
    /// How long a request would wait is estimated from how fast the last ones of its route were answered: it is the
    /// time by which it would take longer than one that is alone. Each route counts for itself, so that those that wait
    /// for each other, such as writes, keep no others out. Eight requests of each are let in however long they take, or two
    /// while none is answered, unless the limit is lower. Single requests may wait for several times as long.
    ///
    /// Clients that try again at once would keep the processors busy with refusals, so these are held back for a moment.
    ///
    /// - Parameters:
    ///   - longestWait: How long a request may wait.
    ///   - limit: How many requests of a route are answered at a time, however fast.
    ///   - retryAfter: When a client that was refused should try again, in whole seconds.
    ///   - refusalDelay: How long a refusal is held back. At most 5,000 are; others are sent at once.
    public init(
        longestWait: Duration, limit: Int = 1_000, retryAfter: Duration = .seconds(1),
        refusalDelay: Duration = .milliseconds(400)
    ) {
        waits = Waits(longest: longestWait, limit: limit)
        seconds = max(1, retryAfter.components.seconds)
        self.refusalDelay = refusalDelay
    }

    /// Passes the request on, or refuses it.
    ///
    /// A refused request doesn't reach the next handler. Its response has the status 503 and the header `Retry-After`.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: The request's context.
    ///   - next: The next handler.
    /// - Returns: The response of the next handler, or the refusal.
    /// - Throws: The error of the next handler.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let wait = waits.wait(for: request, context)
        let start = ContinuousClock.now
        guard wait.begin(at: start) else {
            await holdBack()
            return Response(
                status: .serviceUnavailable,
                headers: [.retryAfter: String(seconds), .contentType: "text/plain; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "Too many requests are being answered.\n")))
        }
        defer { wait.end(since: start) }
        return try await next(request, context)
    }

    /// Waits before a refusal. A server that ends doesn't wait for it.
    private func holdBack() async {
        guard refusalDelay > .zero else { return }
        defer { held.count.subtract(1, ordering: .relaxed) }
        guard held.count.add(1, ordering: .relaxed).newValue <= Self.mostHeld else { return }
        try? await Task.sleep(for: refusalDelay)
    }
}
#endif
