#if Server
import HTTPTypes
public import Hummingbird

/// Refuses requests with 503 and `Retry-After` while so many others are being answered that a client would wait too
/// long.
///
///     router.add(middleware: RequestLimitMiddleware(longestWait: .milliseconds(100)))
///
/// A request counts until its response begins: a client that reads server-sent events doesn't.
public struct RequestLimitMiddleware<Context: RequestContext>: RouterMiddleware {
    /// Those that only read, and those that may change something, which often wait for each other.
    private let reads: ExpectedWait
    private let writes: ExpectedWait
    private let seconds: Int64

    /// Creates middleware with a limit.
    ///
    /// A limit below 1 counts as 1, and a time below a second as one second. Each middleware counts for itself, so use
    /// one for all routes that share the limit.
    ///
    /// - Parameters:
    ///   - limit: How many requests are answered at a time.
    ///   - retryAfter: When a client that was refused should try again, in whole seconds.
    public init(_ limit: Int = 200, retryAfter: Duration = .seconds(1)) {
        let all = ExpectedWait(longest: nil, limit: limit)
        (reads, writes) = (all, all)
        seconds = max(1, retryAfter.components.seconds)
    }

    /// Creates middleware that lets in what will be answered in time.
    ///
    /// How long a request would wait is estimated from how fast the requests before it were answered: as many are let in as are
    /// answered in that time. Those that may change something (all methods but `GET`, `HEAD` and `OPTIONS`) are counted and
    /// estimated apart from the others, because they wait for each other. Eight of each kind are always let in. Waits
    /// vary, so most end well before, and some up to about twice that time.
    ///
    /// - Parameters:
    ///   - longestWait: How long a request may wait for its answer, on average.
    ///   - limit: How many requests of each of the two kinds are answered at a time, however fast.
    ///   - retryAfter: When a client that was refused should try again, in whole seconds.
    public init(longestWait: Duration, limit: Int = 1_000, retryAfter: Duration = .seconds(1)) {
        reads = ExpectedWait(longest: longestWait, limit: limit)
        writes = ExpectedWait(longest: longestWait, limit: limit)
        seconds = max(1, retryAfter.components.seconds)
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
        let wait = [.get, .head, .options].contains(request.method) ? reads : writes
        guard wait.begin() else {
            return Response(
                status: .serviceUnavailable,
                headers: [.retryAfter: String(seconds), .contentType: "text/plain; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "Too many requests are being answered.\n")))
        }
        defer { wait.end() }
        return try await next(request, context)
    }
}
#endif
