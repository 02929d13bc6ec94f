#if PostgreSQL
package import Foundation
package import OpenCoreData

extension PostgreSQLStore {
    package static func facts(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> RemoteStoreFacts {
        try StoreLocation(url, options: options).withConnection { connection, location in
            let metadata = try StoreMetadata.read(location.schema, connection, location: location.displayName)
            let schema = try metadata.map { try location.schema(of: $0, connection) }
            // It isn't known which tables of other programs belong together.
            let tables =
                try schema.map {
                    $0.tables.map(\.name) + $0.pairs.map(\.name) + PostgreSQLSchema.ownTables
                } ?? ExistingCatalog(location.schema, connection).tables.map(\.name)
            var names = PostgreSQLArrayBuilder(.text)
            for table in tables { try names.append(text: table) }
            var parameters = PostgreSQLParameters()
            try parameters.append(text: location.schema)
            parameters.append(names)
            let result = try connection.execute(
                "SELECT current_setting('server_version'), COALESCE(SUM(pg_total_relation_size(c.oid)), 0)::int8 "
                    + "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
                    + "WHERE n.nspname = $1::text AND c.relname = ANY($2::text[])", parameters)
            // "15.18 (Debian 15.18-0+deb12u1)" is the name of a package too.
            let version = result.first?.string(0).prefix { $0 != " " } ?? ""
            return RemoteStoreFacts(
                server: "PostgreSQL \(version)", size: try result.first?.integer(1) ?? 0,
                hasHistory: try schema != nil && hasHistory(location.schema, connection))
        }
    }

    package static func findings(
        inStoreAt url: URL, model: NSManagedObjectModel, options: [AnyHashable: Any]?,
        progress: (_ done: Int, _ total: Int) throws -> Void
    ) throws -> [StoreFinding] {
        try StoreLocation(url, options: options).withConnection { connection, location in
            // All of it is about one state of the store.
            try connection.transaction(.beginRepeatableRead) {
                guard
                    let metadata = try StoreMetadata.read(
                        location.schema, connection, location: location.displayName)
                else {
                    // What others have made follows rules of their own, which the server guards.
                    if ExistingSchema.isDescribed(by: model.entities) { return [] }
                    throw location.missing(connection)
                }
                return try StoreFindings(
                    schema: location.schema(of: model, connection), model: model, metadata: metadata,
                    connection: connection, location: location.displayName
                ).run(progress)
            }
        }
    }
}
#endif
