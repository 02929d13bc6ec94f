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
    public init() {}

    /// Passes the request on, and logs the error that it ends with.
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
