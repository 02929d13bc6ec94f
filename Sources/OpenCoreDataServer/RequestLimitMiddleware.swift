#if Server
import HTTPTypes
public import Hummingbird
import Synchronization

/// Refuses requests with 503 and `Retry-After` while so many others are being answered that a client would wait too
/// long.
///
///     router.add(middleware: RequestLimitMiddleware(200))
///
/// A request counts until its response begins: a client that reads server-sent events doesn't.
public struct RequestLimitMiddleware<Context: RequestContext>: RouterMiddleware {
    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    private let limit: Int
    private let seconds: Int64
    private let counter = Counter()

    /// Creates middleware with a limit.
    ///
    /// A limit below 1 counts as 1, and a time below a second as one second. Each middleware counts for itself, so use
    /// one for all routes that share the limit.
    ///
    /// - Parameters:
    ///   - limit: How many requests are answered at a time.
    ///   - retryAfter: When a client that was refused should try again, in whole seconds.
    public init(_ limit: Int = 200, retryAfter: Duration = .seconds(1)) {
        self.limit = max(1, limit)
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
        let isAccepted = counter.count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        guard isAccepted else {
            return Response(
                status: .serviceUnavailable,
                headers: [.retryAfter: String(seconds), .contentType: "text/plain; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "Too many requests are being answered.\n")))
        }
        defer { counter.count.withLock { $0 -= 1 } }
        return try await next(request, context)
    }
}
#endif
