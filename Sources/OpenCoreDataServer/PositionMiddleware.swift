#if Server
import Foundation
public import HTTPTypes
public import Hummingbird
public import OpenCoreDataKit

/// Lets clients read what they have written, whichever machine answers them.
///
/// The answer to a request that may change something has a header with the database's position. A client that sends
/// it back with its next request, to whichever machine, reads at least what it has written. Databases in files have
/// no positions, and their answers no such header.
public struct PositionMiddleware<Context: RequestContext>: RouterMiddleware {
    private let database: Database
    private let name: HTTPField.Name

    /// Creates middleware that passes positions of a database on.
    ///
    /// For several databases, add one with its own header for each.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - name: The header's name; `OpenCoreData-Position` where none is given.
    public init(_ database: Database, header name: HTTPField.Name? = nil) {
        self.database = database
        self.name = name ?? HTTPField.Name("OpenCoreData-Position") ?? .eTag
    }

    /// Follows the request's position, and adds that of the database to the response.
    ///
    /// Responses to `GET`, `HEAD` and `OPTIONS` get no header. Neither do those whose position can't be read from the
    /// server: the change itself has succeeded.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: The request's context.
    ///   - next: The next handler.
    /// - Returns: The response of the next handler, with the header.
    /// - Throws: `HTTPError` with the status 400 if the header isn't a position.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        if let string = request.headers[name] {
            do {
                try await database.follow(FeedPosition(rawValue: string))
            } catch let error as CocoaError where (error as NSError).userInfo[NSUnderlyingErrorKey] == nil {
                throw HTTPError(.badRequest, message: "The header \(name.canonicalName) has no position.")
            }
        }
        var response = try await next(request, context)
        guard ![.get, .head, .options].contains(request.method) else { return response }
        // What was changed stays changed when the position can't be asked for.
        if let position = try? await database.position() { response.headers[name] = position.rawValue }
        return response
    }
}
#endif
