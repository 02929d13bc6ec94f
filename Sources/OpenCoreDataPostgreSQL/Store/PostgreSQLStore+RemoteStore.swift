#if PostgreSQL
package import Foundation
package import OpenCoreData

extension PostgreSQLStore: RemoteStore {
    package static func handles(_ url: URL) -> Bool { PostgreSQLAddress.handles(url) }

    package static func displayName(of url: URL) -> String {
        (try? PostgreSQLAddress(url).displayName) ?? url.displayName
    }

    /// Removes the tables and functions of a store from its schema, and the schema when nothing else is in it.
    package static func destroyStore(at url: URL, options: [AnyHashable: Any]?) throws {
        try StoreLocation(url, options: options).withConnection { connection, location in
            guard let metadata = try StoreMetadata.read(location.schema, connection, location: location.displayName)
            else {
                throw location.missing
            }
            let schema = try location.schema(of: metadata, connection)
            let tables = schema.tables.map(\.name) + schema.pairs.map(\.name) + PostgreSQLSchema.ownTables
            try connection.transaction {
                try connection.runScript(
                    "DROP TABLE IF EXISTS \(tables.map(schema.qualified).joined(separator: ", ")) CASCADE")
                let functions = PostgreSQLFunctions.names.map { "\(schema.qualified($0.name))(\($0.arguments))" }
                try connection.runScript("DROP FUNCTION IF EXISTS \(functions.joined(separator: ", ")) CASCADE")
                try TextIndexes.dropRest(of: location.schema, connection)
                guard location.schema != "public" else { return }
                let rest = try connection.execute(
                    "SELECT 1 FROM pg_depend d JOIN pg_namespace n ON n.oid = d.refobjid "
                        + "WHERE d.refclassid = 'pg_namespace'::regclass AND n.nspname = $1::text LIMIT 1",
                    values: [.text(location.schema)])
                if rest.count == 0 { try connection.runScript("DROP SCHEMA \(SQLName.quoted(location.schema))") }
            }
        }
    }

    package static func replaceStore(
        at url: URL, options: [AnyHashable: Any]?, withStoreAt sourceURL: URL, sourceOptions: [AnyHashable: Any]?
    ) throws {
        throw CoreDataError.make(
            NSPersistentStoreUnsupportedRequestTypeError,
            "A PostgreSQL store can't be replaced by another one: \(displayName(of: url)). Use pg_dump and pg_restore."
        )
    }

    package static func model(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> NSManagedObjectModel {
        try StoreLocation(url, options: options).withConnection { connection, location in
            guard let metadata = try StoreMetadata.read(location.schema, connection, location: location.displayName)
            else {
                throw location.missing(connection)
            }
            return try StoreMetadata.model(
                location.schema, metadata.values, connection, location: location.displayName)
        }
    }

    package static func hasHistory(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> Bool {
        try StoreLocation(url, options: options).withConnection { connection, location in
            guard try StoreMetadata.exists(location.schema, connection) else { throw location.missing(connection) }
            return try hasHistory(location.schema, connection)
        }
    }

    static func hasHistory(_ schema: String, _ connection: PostgreSQLConnection) throws -> Bool {
        try connection.execute("SELECT 1 FROM \(SQLName.quoted(schema)).ocd_transaction LIMIT 1").count > 0
    }

    package static func migrateStore(
        at url: URL, metadata: [String: Any], by match: ModelMatch, to model: NSManagedObjectModel,
        options: [AnyHashable: Any]?
    ) throws {
        try translatingErrors(NSMigrationError) {
            let location = try StoreLocation(url, options: options)
            var migration = LocatedMigration(
                location: location, metadata: metadata, match: match, model: model,
                usesForeignKeys: usesForeignKeys(options, location),
                steps: options?[migrationStepsOption] as? [PostgreSQLMigrationStep] ?? [])
            if let recorder = options?[Self.statementRecorderOption] as? @Sendable (String) -> Void {
                migration.observer = { for statement in $0 { recorder(statement.sql) } }
            }
            try migration.run()
        }
    }

    package static func migrationStatements(
        at url: URL, metadata: [String: Any], by match: ModelMatch, to model: NSManagedObjectModel,
        options: [AnyHashable: Any]?
    ) throws -> [RemoteMigrationStatement] {
        try translatingErrors(NSMigrationError) {
            let location = try StoreLocation(url, options: options)
            return try MigrationSimulation(
                LocatedMigration(
                    location: location, metadata: metadata, match: match, model: model,
                    usesForeignKeys: usesForeignKeys(options, location))
            ).run()
        }
    }
}

extension PostgreSQLStore: GenerationalStore {
    package var canPinGenerations: Bool { (try? runtime()) != nil }

    package func pinGeneration() throws -> (any StoreGeneration)? {
        try translatingErrors(NSPersistentStoreOperationError) { try PinnedGeneration(runtime().connections) }
    }
}

extension PostgreSQLStore: ExplainingStore {
    package func explain(_ query: StoreQuery, _ purpose: FetchPurpose) throws -> FetchExplanation.Statement {
        try answering(query) {
            try explained($0, purpose)
        } evaluating: { query in
            // What is left for the statement is to find the rows.
            var search = StoreQuery(entity: query.entity)
            search.references = query.references
            search.predicate = query.predicate
            search.variables = query.variables
            var result = try explained(search, .rows)
            result.isPredicateEvaluated = true
            return result
        }
    }

    private func explained(_ query: StoreQuery, _ purpose: FetchPurpose) throws -> FetchExplanation.Statement {
        let runtime = try runtime()
        let source: SQLQueryBuilder.Statement
        switch purpose {
        case .count: source = try runtime.builder.count(runtime.leavingOutStrays(query))
        case .columns: source = try runtime.builder.columns(runtime.leavingOutStrays(query)).0
        case .rows:
            let plan = try runtime.plan(for: query.entity, hasValues: query.includesValues)
            source = try runtime.builder.rows(runtime.readingStrays(query), selectList: plan.selectList)
        }
        let statement = try NumberedStatement(source, sharing: purpose == .columns)
        let lines = try runtime.connections.with { connection in
            var lines: [String] = []
            try connection.forEachRow(
                "EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) \(statement.sql)", statement.parameters,
                isPrepared: false
            ) { lines.append($0.string(0)) }
            return lines
        }
        var result = FetchExplanation.Statement(
            storeURL: url?.withoutSecrets, sql: source.sql, boundValueCount: source.bindings.count, plan: [],
            rowsReturned: 0, rowsScanned: 0, sorts: 0, automaticIndexRows: 0, instructions: 0)
        result.isPredicateEvaluated = query.references != nil
        var loops = 1
        for line in lines { result.add(planLine: line, &loops) }
        return result
    }
}

extension FetchExplanation.Statement {
    /// Takes in a line of the server's plan.
    ///
    /// - Parameter loops: How often the step is run that the line belongs to: numbers of rows are those of one run.
    fileprivate mutating func add(planLine line: String, _ loops: inout Int) {
        let indent = line.prefix { $0 == " " }.count
        var detail = line.trimmingCharacters(in: .whitespaces)
        if detail.hasPrefix("->") { detail = detail.dropFirst(2).trimmingCharacters(in: .whitespaces) }
        if let own = Self.number(after: " loops=", in: detail) { loops = own }
        let rows = Self.number(after: "(actual rows=", in: detail).map { $0 * loops }
        if plan.isEmpty { rowsReturned = rows ?? 0 }
        if detail.hasPrefix("Seq Scan") { rowsScanned += rows ?? 0 }
        if detail.hasPrefix("Rows Removed by Filter: ") { rowsScanned += (Int(detail.dropFirst(24)) ?? 0) * loops }
        if detail.hasPrefix("Sort "), rows != nil { sorts += 1 }
        plan.append(FetchExplanation.PlanStep(depth: (indent + 4) / 6, detail: detail))
    }

    /// A number of what a step of a plan did.
    private static func number(after label: String, in detail: String) -> Int? {
        guard let start = detail.range(of: label) else { return nil }
        return Int(detail[start.upperBound...].prefix { $0.isNumber })
    }
}
#endif
