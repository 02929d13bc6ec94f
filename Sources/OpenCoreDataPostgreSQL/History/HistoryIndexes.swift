#if PostgreSQL
import OpenCoreData

/// The indexes of the history: by time, to delete what is old, and by token, to find out what became of a save whose answer
/// was lost.
enum HistoryIndexes {
    private static let definitions = [
        (name: "ocd_transaction_at", columns: "(at)"), (name: "ocd_transaction_token", columns: "USING hash (token)"),
    ]

    /// A history with more transactions than this isn't kept from being written as long as it takes to make an index.
    private static let mostTransactions: Int64 = 500_000

    static func statements(_ schema: String) -> [String] {
        definitions.map { statement($0, schema, "CREATE INDEX") }
    }

    private static func statement(_ index: (name: String, columns: String), _ schema: String, _ words: String) -> String
    {
        "\(words) \(index.name) ON \(SQLName.quoted(schema)).ocd_transaction \(index.columns)"
    }

    /// Makes those that a store of an earlier version lacks. Without them everything works, but takes longer, so that it is no
    /// error if it can't be done.
    static func addMissing(to schema: String, _ connection: PostgreSQLConnection, location: String) {
        do {
            let result = try connection.execute(
                "SELECT COALESCE(string_agg(i.relname, ' '), ''), GREATEST(MAX(t.reltuples), 0)::int8 FROM pg_class t "
                    + "JOIN pg_namespace n ON n.oid = t.relnamespace JOIN pg_index x ON x.indrelid = t.oid "
                    + "JOIN pg_class i ON i.oid = x.indexrelid "
                    + "WHERE n.nspname = $1::text AND t.relname = 'ocd_transaction'", values: [.text(schema)])
            guard let row = result.first else { return }
            let present = row.string(0).split(separator: " ").map(String.init)
            let missing = definitions.filter { !present.contains($0.name) }
            guard !missing.isEmpty else { return }
            guard try row.integer(1) <= mostTransactions else {
                let statements = missing.map { statement($0, schema, "CREATE INDEX CONCURRENTLY") }
                DiagnosticLog.warn(
                    "OpenCoreData.PostgreSQL",
                    "The history of the store \(location) is long and lacks indexes. Make them with: "
                        + statements.joined(separator: "; "))
                return
            }
            try connection.transaction {
                try connection.execute("SET LOCAL lock_timeout = '1s'", isPrepared: false)
                for index in missing {
                    try connection.execute(statement(index, schema, "CREATE INDEX IF NOT EXISTS"), isPrepared: false)
                }
            }
        } catch {
            // Another program makes them, or this one may not: the next opening tries again.
        }
    }
}
#endif
