#if Inspector
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import OpenCoreData
import StoreTools
import Synchronization

@testable import OpenCoreDataInspector

/// Asks the routes of an inspector without a network.
struct InspectorClient {
    struct TestSource: RequestContextSource {
        let logger = Logger(label: "test")
    }

    struct Context: RequestContext {
        typealias Source = TestSource
        var coreContext: CoreRequestContextStorage
        init(source: TestSource) { coreContext = CoreRequestContextStorage(source: source) }
    }

    struct Answer {
        var status: Int
        var headers: HTTPFields
        var text: String

        var json: JSONValue {
            get throws {
                var parser = JSONPullParser(text)
                return try parser.readValue()
            }
        }
    }

    let routes: InspectorRoutes
    private let responder: RouterResponder<Context>

    init(_ routes: InspectorRoutes, atPath path: RouterPath = "") {
        let router = Router(context: Context.self)
        routes.addRoutes(to: router, atPath: path)
        self.routes = routes
        responder = router.buildResponder()
    }

    /// Asks as the page does: with the token, from its own origin.
    func ask(
        _ path: String, method: HTTPRequest.Method = .get, authority: String? = "127.0.0.1:8080",
        headers: [String: String]? = nil, body: String = ""
    ) async throws -> Answer {
        var fields = HTTPFields()
        let given =
            headers ?? [
                "Authorization": "Bearer \(routes.access.token?.string ?? "")", "Content-Type": "application/json",
            ]
        for (name, value) in given { if let name = HTTPField.Name(name) { fields[name] = value } }
        let request = Request(
            head: HTTPRequest(
                method: method, scheme: "http", authority: authority, path: path, headerFields: fields),
            body: RequestBody(buffer: ByteBuffer(string: body)))
        let response = try await responder.respond(to: request, context: Context(source: TestSource()))
        let writer = Collector()
        try await response.body.write(writer)
        return Answer(
            status: response.status.code, headers: response.headers, text: writer.text.withLock { $0 })
    }

    private final class Collector: ResponseBodyWriter, Sendable {
        let text = Mutex("")

        func write(_ buffer: ByteBuffer) async throws { text.withLock { $0 += String(buffer: buffer) } }
        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }
}
#endif
