#if PostgreSQL
import Foundation
import OpenCoreData

/// Triggers by which what other programs write has versions and a history like saves have.
///
/// They look at a setting that the store's own connections have, and do nothing there.
struct OtherWriters {
    /// The setting that says that a session is the store's own.
    static let ownSession = "opencoredata.own"

    private let schema: PostgreSQLSchema
    private let connection: PostgreSQLConnection

    init(_ schema: PostgreSQLSchema, _ connection: PostgreSQLConnection) {
        self.schema = schema
        self.connection = connection
    }

    /// Makes the triggers that are not there, or not for these columns.
    func addTriggers() throws {
        var present: [String: String] = [:]
        try connection.execute(
            "SELECT c.relname::text, d.description FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
                + "JOIN pg_namespace n ON n.oid = c.relnamespace "
                + "JOIN pg_description d ON d.objoid = t.oid AND d.classoid = 'pg_trigger'::regclass "
                + "WHERE n.nspname = $1::text AND t.tgname = 'ocd_updated'", values: [.text(schema.name)]
        ).forEachRow { present[$0.string(0)] = $0.string(1) }
        let missing = try schema.tables.map { ($0, try properties(of: $0)) }.filter { present[$0.0.name] != $0.1 }
        guard !missing.isEmpty else { return }
        try connection.transaction {
            // Only one program makes them, and the others find them.
            try connection.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))",
                values: [.text("OpenCoreData " + schema.name)])
            try connection.runScript(
                (functions + missing.flatMap { triggers(on: $0.0, $0.1) }).joined(separator: ";\n"))
        }
    }

    /// The properties by their columns, as JSON.
    private func properties(of table: PostgreSQLSchema.Table) throws -> String {
        var names: [String: String] = [:]
        for case let entity? in schema.mapping.entities where entity.table == table.name {
            for case let slot? in entity.layout.slots where !slot.isTransient {
                guard let column = entity.column(slot) else { continue }
                for name in column.leaves.isEmpty ? [column.name] : column.leaves { names[name] = slot.name }
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(names), as: UTF8.self)
    }

    private var functions: [String] {
        let system = PostgreSQLSchema.system
        func own(_ name: String) -> String { schema.qualified(name) }
        // Who may write the tables need not have any rights on the history.
        let kind = "LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $ocd$"
        return [
            """
            CREATE OR REPLACE FUNCTION \(own("ocd_count_version"))() RETURNS trigger \(kind)
            BEGIN
                NEW.\(system.version) := OLD.\(system.version) + 1;
                RETURN NEW;
            END $ocd$
            """,
            """
            CREATE OR REPLACE FUNCTION \(own("ocd_record_changes"))() RETURNS trigger \(kind)
            DECLARE
                this int8 := (SELECT number_base FROM \(own("ocd_store")) WHERE id = 1) + pg_current_xact_id()::text::int8;
                former int8;
            BEGIN
                INSERT INTO \(own("ocd_transaction")) (number, at, author, process, token) VALUES (this, clock_timestamp(),
                    session_user, current_setting('application_name'), gen_random_uuid()) ON CONFLICT (number) DO NOTHING;
                former := (SELECT COALESCE(MAX(ordinal), 0) FROM \(own("ocd_change")) WHERE number = this);
                IF TG_OP = 'INSERT' THEN
                    INSERT INTO \(own("ocd_change")) (number, ordinal, type, entity, reference)
                    SELECT this, former + row_number() OVER (ORDER BY n.\(system.key)), 0, n.\(system.entity), n.\(system.key)
                    FROM ocd_after AS n;
                ELSIF TG_OP = 'DELETE' THEN
                    INSERT INTO \(own("ocd_change")) (number, ordinal, type, entity, reference)
                    SELECT this, former + row_number() OVER (ORDER BY o.\(system.key)), 2, o.\(system.entity), o.\(system.key)
                    FROM ocd_before AS o;
                ELSE
                    INSERT INTO \(own("ocd_change")) (number, ordinal, type, entity, reference, columns)
                    SELECT this, former + row_number() OVER (ORDER BY n.\(system.key)), 1, n.\(system.entity), n.\(system.key),
                        (SELECT COALESCE(string_agg(DISTINCT p.value, ','), '') FROM jsonb_each_text(TG_ARGV[0]::jsonb) AS p
                         WHERE to_jsonb(n) -> p.key IS DISTINCT FROM to_jsonb(o) -> p.key)
                    FROM ocd_after AS n JOIN ocd_before AS o ON o.\(system.key) = n.\(system.key);
                END IF;
                RETURN NULL;
            END $ocd$
            """,
        ]
    }

    private func triggers(on table: PostgreSQLSchema.Table, _ properties: String) -> [String] {
        let name = schema.qualified(table.name)
        let version = SQLName.quoted(PostgreSQLSchema.system.version)
        let isOther = "current_setting('\(Self.ownSession)', true) IS DISTINCT FROM 'on'"
        let record = schema.qualified("ocd_record_changes")
        func statement(_ trigger: String, _ event: String, _ rows: String) -> [String] {
            [
                "DROP TRIGGER IF EXISTS \(trigger) ON \(name)",
                "CREATE TRIGGER \(trigger) AFTER \(event) ON \(name) REFERENCING \(rows) FOR EACH STATEMENT "
                    + "WHEN (\(isOther)) EXECUTE FUNCTION \(record)(\(SQLName.literal(properties)))",
            ]
        }
        let (before, after) = ("OLD TABLE AS ocd_before", "NEW TABLE AS ocd_after")
        return [
            "DROP TRIGGER IF EXISTS ocd_version ON \(name)",
            "CREATE TRIGGER ocd_version BEFORE UPDATE ON \(name) FOR EACH ROW "
                + "WHEN (NEW.\(version) = OLD.\(version) AND \(isOther)) "
                + "EXECUTE FUNCTION \(schema.qualified("ocd_count_version"))()",
        ] + statement("ocd_inserted", "INSERT", after) + statement("ocd_deleted", "DELETE", before)
            + statement("ocd_updated", "UPDATE", "\(before) \(after)")
            + ["COMMENT ON TRIGGER ocd_updated ON \(name) IS \(SQLName.literal(properties))"]
    }
}
#endif
