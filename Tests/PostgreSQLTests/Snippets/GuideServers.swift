#if PostgreSQL
    import Foundation
    import OpenCoreDataKit
    import OpenCoreDataPostgreSQL

    func openShelf(on server: URL) async throws -> Database {
        try await Database.open(.init(name: "Books", stores: [.postgreSQL(server)]))
    }

    func openShelf(on server: URL, readingFrom replica: URL) async throws -> Database {
        var options = PostgreSQLOptions()
        options.replicas = [replica]
        return try await Database.open(.init(name: "Books", stores: [.postgreSQL(server, options: options)]))
    }
#endif
