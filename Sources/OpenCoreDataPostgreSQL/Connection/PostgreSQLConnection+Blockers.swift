#if PostgreSQL
extension PostgreSQLConnection {
    /// Runs a block; the error of a lock that wasn't free in time says who has locks in a schema.
    ///
    /// - Parameter end: What ends the transaction, or the part of it, in which the block failed.
    func namingBlockers<Result>(
        in schema: String, after end: () -> Void, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch var error as PostgreSQLError where error.kind == .lockTimeout {
            end()
            guard transactionState == .none || transactionState == .open, let blockers = try? blockers(in: schema),
                !blockers.isEmpty
            else { throw error }
            let sentence = "Locks are held by \(blockers.joined(separator: "; by "))."
            error.detail = error.detail.map { $0 + " " + sentence } ?? sentence
            throw error
        }
    }

    /// The sessions whose transactions hold locks on tables of a schema, the longest first.
    ///
    /// - Parameter includingReaders: Whether those count that only read: they block changes of tables, and nothing else.
    func blockers(in schema: String, includingReaders: Bool = false) throws -> [String] {
        let query = includingReaders ? Self.blockerQuery.replacing(Self.noReaders, with: "") : Self.blockerQuery
        let result = try execute(query, values: [.text(schema)], isPrepared: false)
        var blockers: [String] = []
        try result.forEachRow { row in
            let name = row.string(2).isEmpty ? "" : " (\(row.string(2)))"
            blockers.append(
                "server process \(try row.integer(0)) of \(row.string(1))\(name), \(row.string(3)), whose transaction "
                    + "began \(try row.integer(5)) s ago and which is \(row.string(4))")
        }
        return blockers
    }

    private static let noReaders = "AND l.mode <> 'AccessShareLock' "

    /// Reading alone blocks no one.
    private static let blockerQuery = """
        SELECT a.pid::int8, COALESCE(a.usename, '')::text, a.application_name::text,
            COALESCE('at ' || host(a.client_addr), 'on the server''s machine')::text, COALESCE(a.state, 'unknown')::text,
            COALESCE(extract(epoch FROM clock_timestamp() - a.xact_start), 0)::int8
        FROM pg_stat_activity a
        WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.xact_start IS NOT NULL
            AND EXISTS (SELECT 1 FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
                JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE l.pid = a.pid AND l.granted \(noReaders)AND n.nspname = $1::text)
        ORDER BY a.xact_start LIMIT 3
        """
}
#endif
