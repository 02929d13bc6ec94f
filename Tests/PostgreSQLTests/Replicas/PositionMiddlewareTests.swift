#if PostgreSQL && Server
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import OpenCoreData
import OpenCoreDataKit
import OpenCoreDataServer
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Two machines behind a load balancer, with replicas that are behind: the header is what tells the second one of the write.
@Suite(.needsServer, .serialized) struct PositionMiddlewareTests {
    struct Source: RequestContextSource {
        let logger = Logger(label: "test")
    }

    struct Context: RequestContext {
        typealias Source = PositionMiddlewareTests.Source
        var coreContext: CoreRequestContextStorage
        init(source: Source) { coreContext = CoreRequestContextStorage(source: source) }
    }

    private struct Answer {
        let status: Int
        let position: String?
        /// The names that were read, in the order of the alphabet.
        let names: String
    }

    private static let header = HTTPField.Name("OpenCoreData-Position")

    /// One machine: its database, and the routes that read and write it.
    private struct Machine {
        let database: Database
        private let responder: RouterResponder<Context>

        init(_ server: OwnServer) async throws {
            var options = PostgreSQLOptions()
            options.replicas = try server.replicas.map { try #require(URL(string: $0)) }
            let database = try await Database.open(
                Database.Configuration(
                    name: "Library", model: .value(LibraryModel.make()),
                    // The feed would be another way to learn of the change.
                    stores: [.postgreSQL(try server.url(schema: "shop"), watched: false, options: options)]))
            let router = Router(context: Context.self)
            router.add(middleware: PositionMiddleware(database))
            router.get("names") { _, _ in
                try await database.read { context in
                    try context.fetch(NSFetchRequest<Author>(entityName: "Author")).compactMap(\.name).sorted()
                        .joined(separator: " ")
                }
            }
            router.post("names/:name") { _, context in
                let name = try context.parameters.require("name")
                try await database.write { Author(context: $0).name = name }
                return name
            }
            self.database = database
            responder = router.buildResponder()
        }

        func ask(_ method: HTTPRequest.Method, _ path: String, position: String? = nil) async throws -> Answer {
            var head = HTTPRequest(method: method, scheme: "http", authority: "127.0.0.1", path: path)
            let name = try #require(PositionMiddlewareTests.header)
            head.headerFields[name] = position
            let response: Response
            do {
                response = try await responder.respond(
                    to: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
                    context: Context(source: Source()))
            } catch let error as HTTPError {
                return Answer(status: error.status.code, position: nil, names: "")
            }
            let writer = CollectingWriter()
            try await response.body.write(writer)
            return Answer(
                status: response.status.code, position: response.headers[name], names: await writer.bytes.text)
        }
    }

    private struct CollectingWriter: ResponseBodyWriter {
        actor Bytes {
            private(set) var text = ""
            func add(_ more: String) { text += more }
        }

        let bytes = Bytes()

        func write(_ buffer: ByteBuffer) async throws { await bytes.add(String(buffer: buffer)) }
        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    /// Has the replicas carry out what they follow later, once they have all that there is.
    private static func hold(_ server: OwnServer) async throws {
        var options = PostgreSQLOptions()
        options.session = .any
        let primary = try server.connect()
        defer { primary.close() }
        let end = try #require(try primary.currentPosition())
        for url in server.replicas {
            let replica = try PostgreSQLConnection(PostgreSQLAddress(url), options: options)
            defer { replica.close() }
            try #require(
                await eventually {
                    guard let now = try? LogPosition(replica.execute(LogPosition.replayed.sql)) else {
                        return false
                    }
                    return now >= end
                })
            try replica.execute("ALTER SYSTEM SET recovery_min_apply_delay = '60s'", isPrepared: false)
            try replica.execute("SELECT pg_reload_conf()", isPrepared: false)
        }
    }

    @Test func aReadWithTheHeaderOfAWriteSeesItOnAnotherMachine() async throws {
        let server = try OwnServer(replicas: 2)
        let (here, there) = (try await Machine(server), try await Machine(server))
        #expect(try await here.ask(.post, "/names/old").status == 200)
        #expect(try await there.ask(.get, "/names").names == "old")
        try await Self.hold(server)
        let written = try await here.ask(.post, "/names/new")
        let position = try #require(written.position)
        #expect(try await there.ask(.get, "/names").names == "old", "the replica isn't read, or isn't behind")
        let read = try await there.ask(.get, "/names", position: position)
        #expect(read.names == "new old")
        #expect(read.status == 200)
        #expect(read.position == nil, "only answers to what may change something have a position")
        // From then on, also without it.
        #expect(try await there.ask(.get, "/names").names == "new old")
        try await here.database.close()
        try await there.database.close()
    }

    @Test func aHeaderThatIsNoPositionIsABadRequestAndChangesNothing() async throws {
        let server = try OwnServer(replicas: 1)
        let machine = try await Machine(server)
        let texts = ["", "x", "@", "0/0", "\(UUID())@", "\(UUID())@G/1", "\(UUID())@0/1,"]
        for text in texts + [String(repeating: "9", count: 5_000)] {
            let answer = try await machine.ask(.post, "/names/wrong", position: text)
            #expect(answer.status == 400, "\(text.prefix(40))")
            #expect(answer.position == nil)
        }
        // That of another store has no effect.
        #expect(try await machine.ask(.post, "/names/right", position: "\(UUID())@FFFFFFFF/FFFFFFFF").status == 200)
        #expect(try await machine.ask(.get, "/names").names == "right")
        try await machine.database.close()
    }
}
#endif
