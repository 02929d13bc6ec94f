#if Server
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import OpenCoreDataKit
import Synchronization
import TestSupport

/// An open database of one entity in a folder of its own.
struct ServerShelf {
    let folder: TemporaryFolder
    let database: Database

    init(watched: Bool = false) async throws {
        folder = try TemporaryFolder()
        database = try await Database.open(Self.configuration(folder.url, watched: watched))
    }

    static func configuration(_ folder: URL, watched: Bool = false) -> Database.Configuration {
        let title = NSAttributeDescription()
        title.name = "title"
        title.type = .string
        let volume = NSEntityDescription()
        volume.name = "Volume"
        volume.properties = [title]
        let model = NSManagedObjectModel()
        model.entities = [volume]
        return Database.Configuration(
            name: "Shelf", model: .value(model), stores: [.sqlite(in: .at(folder), watched: watched)],
            layout: .merging)
    }

    static var volumes: Query<NSManagedObject> {
        Query(NSManagedObject.self, entity: "Volume").sorted(NSSortDescriptor(key: "title", ascending: true))
    }

    func add(_ title: String) async throws {
        try await database.write {
            try $0.create(NSManagedObject.self, entity: "Volume").setValue(title, forKey: "title")
        }
    }
}

/// Asks routes without a network.
struct RouteClient {
    struct Source: RequestContextSource {
        let logger = Logger(label: "test")
    }

    struct Context: RequestContext {
        typealias Source = RouteClient.Source
        var coreContext: CoreRequestContextStorage
        init(source: Source) { coreContext = CoreRequestContextStorage(source: source) }
    }

    private let responder: RouterResponder<Context>

    init(_ add: (Router<Context>) -> Void) {
        let router = Router(context: Context.self)
        add(router)
        responder = router.buildResponder()
    }

    func get(_ path: String) async throws -> (status: Int, type: String?, text: String) {
        let request = Request(
            head: HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: path),
            body: RequestBody(buffer: ByteBuffer()))
        let response = try await responder.respond(to: request, context: Context(source: Source()))
        let writer = TextWriter()
        try await response.body.write(writer)
        return (response.status.code, response.headers[.contentType], writer.text.withLock { $0 })
    }
}

/// Keeps what a body writes, and throws when it has the text that was waited for.
final class TextWriter: ResponseBodyWriter, Sendable {
    struct Enough: Error {}

    let text = Mutex("")
    private let isEnough: @Sendable (String) -> Bool

    init(until isEnough: @escaping @Sendable (String) -> Bool = { _ in false }) { self.isEnough = isEnough }

    func write(_ buffer: ByteBuffer) async throws {
        let all = text.withLock { text in
            text += String(buffer: buffer)
            return text
        }
        if isEnough(all) { throw Enough() }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
#endif
