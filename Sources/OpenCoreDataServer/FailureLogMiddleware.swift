#if Server
import Foundation
public import Hummingbird
import Logging

/// Writes a line to the log for each request that ends with a status of 500 or more, with the cause, which clients
/// don't see.
///
///     router.add(middleware: FailureLogMiddleware())
///
/// Add it before other middleware, whose errors it then logs too.
public struct FailureLogMiddleware<Context: RequestContext>: RouterMiddleware {
    /// Middleware that logs with the logger of each request.
    ///
    /// Errors with a status below 500 aren't logged, and neither are cancellations.
    public init() {}

    /// Passes the request on, and logs the error that it ends with.
    ///
    /// The error itself is thrown again unchanged. The log entry has the method, the path, the status and the cause,
    /// but no query of the URL and no headers.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: The request's context, whose logger is used.
    ///   - next: The next handler.
    /// - Returns: The response of the next handler.
    /// - Throws: The error of the next handler.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let status = (error as? any HTTPResponseError)?.status.code ?? 500
            if status >= 500, !(error is CancellationError) {
                let cause = error as NSError
                context.logger.error(
                    "A request failed",
                    metadata: [
                        "method": "\(request.method.rawValue)", "path": "\(request.uri.path)",
                        "status": "\(status)",
                        "cause": "\(cause.localizedDescription)", "error": "\(cause.domain) \(cause.code)",
                    ])
            }
            throw error
        }
    }
}
#endif
