import Foundation

/// The `psql` command: what a reader with no knowledge of this project makes of a store on a server, asked in the words that
/// one uses for a file.
///
/// For the time of a question, there are views of the tables by the names that a file has: `ZBOOK` with `ZTITLE` for `book`
/// with `title`. They can also be changed, as far as a column's values are kept alike.
enum ServerShell {
    private static let path = ["/usr/bin/psql", "/usr/local/bin/psql", "/opt/homebrew/bin/psql"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static func run(_ sql: String, on url: URL) throws -> String {
        guard let path else { throw SQLiteShell.Failure(description: "This machine has no psql command.") }
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        let schema = parts?.queryItems?.first { $0.name == "schema" }?.value ?? "public"
        parts?.queryItems = nil
        return try SQLiteShell.answer(
            of: path, ["-XqAt", "-v", "ON_ERROR_STOP=1", "-d", parts?.string ?? "", "-f", "-"],
            input: views(of: schema) + translated(sql, schema) + ";\n")
    }

    /// The little of SQLite's language that tests use, as PostgreSQL has it.
    private static func translated(_ sql: String, _ schema: String) -> String {
        sql.replacing(/\bhex\((\w+)\)/) { "upper(encode(\($0.output.1), 'hex'))" }
            .replacing(/\bgroup_concat\((\w+)\)/) { "string_agg(\($0.output.1)::text, ',')" }
            .replacing(/\bgroup_concat\((\w+),/) { "string_agg(\($0.output.1)::text," }
            .replacing(/\bLENGTH\(CAST\((\w+) AS BLOB\)\)/) { "octet_length(\($0.output.1))" }
            .replacing(/\b[xX]'([0-9A-Fa-f]*)'/) { "'\\x\($0.output.1)'::bytea" }
            .replacing(/(\w+) NOT NULL/) { "\($0.output.1) IS NOT NULL" }
            .replacing(/ALTER TABLE ZHIDDEN RENAME TO \w+/) { _ in
                renaming(schema, "%!_hidden", "replace(name, '_hidden', '')")
            }
            .replacing(/ALTER TABLE (\w+) RENAME TO ZHIDDEN/) {
                renaming(schema, $0.output.1.dropFirst().lowercased(), "name || '_hidden'")
            }
    }

    /// Renames a table, given the name that it has in a file.
    private static func renaming(_ schema: String, _ pattern: String, _ newName: String) -> String {
        """
        DO $rename$
        DECLARE name text;
        BEGIN
            SELECT relname INTO STRICT name FROM pg_class WHERE relnamespace = '"\(schema)"'::regnamespace
                AND relkind = 'r' AND (replace(relname, '_', '') = '\(pattern)' OR relname LIKE '\(pattern)' ESCAPE '!');
            EXECUTE format('ALTER TABLE %I.%I RENAME TO %I', '\(schema)', name, \(newName));
        END $rename$
        """
    }

    private static func views(of schema: String) -> String {
        """
        DO $views$
        DECLARE found record;
        BEGIN
            FOR found IN
                SELECT c.relname AS name, string_agg(format(
                    CASE a.atttypid WHEN 'boolean'::regtype THEN '%I::int4'
                        WHEN 'timestamptz'::regtype THEN '(extract(epoch FROM %I) - 978307200)::float8'
                        ELSE '%I' END || ' AS %I',
                    a.attname,
                    CASE WHEN a.attname IN ('z_pk', 'z_ent', 'z_opt') THEN a.attname
                        ELSE 'z' || replace(a.attname, '_', '') END), ', ' ORDER BY a.attnum) AS list
                FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                WHERE c.relnamespace = '"\(schema)"'::regnamespace AND c.relkind = 'r' AND c.relname NOT LIKE 'ocd%'
                    AND a.attnum > 0 AND NOT a.attisdropped
                GROUP BY c.relname
            LOOP
                EXECUTE format('CREATE TEMPORARY VIEW %I AS SELECT %s FROM %I.%I',
                    'z' || replace(found.name, '_', ''), found.list, '\(schema)', found.name);
            END LOOP;
            IF to_regclass('"\(schema)".ocd_transaction') IS NOT NULL THEN
                CREATE TEMPORARY VIEW atransaction AS SELECT number AS z_pk FROM "\(schema)".ocd_transaction;
                CREATE TEMPORARY VIEW achange AS SELECT number AS ztransactionid, type AS zchangetype,
                    entity AS zentity, reference AS zentitypk FROM "\(schema)".ocd_change;
            END IF;
        END $views$;

        """
    }
}
