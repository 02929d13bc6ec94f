#if Server
    import Foundation
    import Hummingbird
    import OpenCoreDataKit
    import OpenCoreDataServer

    #if PostgreSQL
        import OpenCoreDataPostgreSQL
    #endif

    /// usage: swift run --traits Server BookServer
    ///
    /// PORT is where it listens (8080), on this machine only. BOOKS_FOLDER is where the database is, by default a folder
    /// `BookServer` of the temporary folder. With DATABASE_URL, and the
    /// trait PostgreSQL, it is a PostgreSQL database, which several servers share: each follows what the others change.
    @main
    struct BookServer {
        @MainActor static func main() async throws {
            let environment = ProcessInfo.processInfo.environment
            let database = try await Database.open(
                Database.Configuration(
                    name: "Books", model: .value(LibraryModel.make()), stores: [try store(environment)],
                    layout: .siblings))
            let newest = try LiveFeed(
                Query(Book.self).sorted(NSSortDescriptor(key: "title", ascending: true)).limit(50), in: database
            ) { BookView($0) }

            let router = Router()
            BookRoutes(database: database).addRoutes(to: router)
            DatabaseRoutes(database).addRoutes(to: router)
            router.get("events") { _, _ in newest.response() }
            router.get("") { _, _ in
                Response(
                    status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: Page.html)))
            }
            var application = Application(
                router: router,
                configuration: ApplicationConfiguration(
                    address: .hostname("127.0.0.1", port: environment["PORT"].flatMap(Int.init) ?? 8080)),
                onServerRunning: { channel in
                    print("BookServer: http://127.0.0.1:\(channel.localAddress?.port ?? 0)/")
                    fflush(nil)
                })
            application.addServices(DatabaseService(database))
            try await application.runService()
        }

        private static func store(_ environment: [String: String]) throws -> Store {
            #if PostgreSQL
                if let url = environment["DATABASE_URL"].flatMap(URL.init(string:)) { return .postgreSQL(url) }
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
