#if Server
import Foundation
import Hummingbird
import OpenCoreDataKit
import OpenCoreDataServer

#if Inspector
import OpenCoreDataInspector
#endif
#if PostgreSQL
import OpenCoreDataPostgreSQL
#endif

/// usage: swift run --traits Server BookServer
///
/// PORT is where it listens (8080), and HOST at which address: 127.0.0.1, or 0.0.0.0 in a container. BOOKS_FOLDER
/// is where the database is, by default a folder `BookServer` of the temporary folder. With DATABASE_URL, and the
/// trait PostgreSQL, it is a PostgreSQL database, which several servers share: each follows what the others change.
/// REPLICA_URLS names servers that follow it, with commas between them, from which books are then read. With the
/// trait Inspector it prints where the inspector of its database is.
@main
struct BookServer {
    @MainActor static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        let database = try await Database.open(
            Database.Configuration(
                name: "Books", model: .value(LibraryModel.make()), stores: [try store(environment)]))
        let newest = try LiveFeed(
            Query(Book.self).sorted(NSSortDescriptor(key: "title", ascending: true)).limit(50), in: database
        ) { BookView($0) }

        let router = Router()
        router.add(middleware: FailureLogMiddleware())
        router.add(middleware: RequestLimitMiddleware(longestWait: .milliseconds(30)))
        router.add(middleware: PositionMiddleware(database))
        BookRoutes(database: database).addRoutes(to: router)
        DatabaseRoutes(database).addRoutes(to: router)
        router.get("events") { _, _ in newest.response() }
        router.get("") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: Page.html)))
        }
        let path = inspector(of: database, on: router)
        var application = Application(
            router: router, server: .http1(requestTimeout: .seconds(15)),
            configuration: ApplicationConfiguration(
                address: .hostname(
                    environment["HOST"] ?? "127.0.0.1", port: environment["PORT"].flatMap(Int.init) ?? 8080)),
            onServerRunning: { channel in
                let address = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/"
                print("BookServer: \(address)")
                if let path { print("Inspector: \(address)\(path)") }
                fflush(nil)
            })
        application.addServices(DatabaseService(database))
        try await application.runService()
    }

    /// Mounts the inspector.
    ///
    /// - Returns: Its path, with the token that lets in; nil without the trait.
    private static func inspector(of database: Database, on router: Router<BasicRequestContext>) -> String? {
        #if Inspector
        let inspector = InspectorRoutes(database)
        inspector.addRoutes(to: router, atPath: "inspector")
        return "inspector/?token=\(inspector.access.token?.string ?? "")"
        #else
        return nil
        #endif
    }

    private static func store(_ environment: [String: String]) throws -> Store {
        #if PostgreSQL
        if let url = environment["DATABASE_URL"].flatMap(URL.init(string:)) {
            var options = PostgreSQLOptions()
            options.replicas = (environment["REPLICA_URLS"] ?? "").split(separator: ",").compactMap {
                URL(string: String($0))
            }
            return .postgreSQL(url, options: options)
        }
        #endif
        let folder =
            environment["BOOKS_FOLDER"].map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("BookServer", isDirectory: true)
        return .sqlite(in: .at(folder), watched: true)
    }
}
#else
@main
struct BookServer {
    static func main() { print("BookServer: needs the trait Server: swift run --traits Server BookServer") }
}
#endif
