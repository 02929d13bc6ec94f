#if PostgreSQL
import OpenCoreData

/// What others have made on the tables of a store.
extension SchemaMigration {
    /// Whether there are triggers, policies, views, indexes, rights or anything else that would see how columns are exchanged,
    /// or would go with them.
    func hasOthers(on table: PostgreSQLSchema.Table, columns: Set<String>) throws -> Bool {
        func array(_ names: some Sequence<String>) -> String {
            "ARRAY[\(names.sorted().map(SQLName.literal).joined(separator: ", "))]::text[]"
        }
        let indexes = table.indexes.flatMap { [$0.name, source.equalityName(of: $0)] }
        let checks =
            table.checks.map(\.name) + table.columns.map { SchemaCompletion.presence(of: $0.name, in: table.name) }
        let sql = """
            WITH t AS (SELECT c.* FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = $1::text AND c.relname = $2::text),
            a AS (SELECT a.* FROM pg_attribute a JOIN t ON t.oid = a.attrelid WHERE a.attname::text = ANY(\(array(columns))))
            SELECT EXISTS (SELECT 1 FROM t WHERE relhasrules OR relrowsecurity)
            OR EXISTS (SELECT 1 FROM pg_inherits i JOIN t ON t.oid IN (i.inhparent, i.inhrelid))
            OR EXISTS (SELECT 1 FROM t JOIN pg_trigger g ON g.tgrelid = t.oid JOIN pg_proc p ON p.oid = g.tgfoid
                WHERE NOT g.tgisinternal AND NOT (p.pronamespace = t.relnamespace
                    AND (p.proname IN ('ocd_count_version', 'ocd_record_changes')
                        OR starts_with(p.proname::text, '\(TablePreparation.prefix)'))))
            OR EXISTS (SELECT 1 FROM a WHERE attacl IS NOT NULL OR attoptions IS NOT NULL OR attidentity <> '' OR attgenerated <> ''
                OR COALESCE(attstattarget, -1) <> -1
                OR (attnotnull AND attname::text <> ALL(\(array(table.columns.filter(\.isMandatory).map(\.name)))))
                OR (atthasdef AND attname::text <> ALL(\(array(table.columns.filter { $0.fallback != nil }.map(\.name))))))
            OR EXISTS (SELECT 1 FROM pg_depend d JOIN t ON t.oid = d.refobjid WHERE d.refclassid = 'pg_class'::regclass
                AND d.refobjsubid = 0 AND d.classid = 'pg_rewrite'::regclass)
            OR EXISTS (SELECT 1 FROM pg_depend d JOIN a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
                WHERE d.refclassid = 'pg_class'::regclass AND NOT (
                    d.classid = 'pg_class'::regclass AND EXISTS (SELECT 1 FROM pg_class x WHERE x.oid = d.objid AND x.relkind = 'i'
                        AND (x.relname::text = ANY(\(array(indexes))) OR starts_with(x.relname::text, '\(TablePreparation.prefix)')))
                    OR d.classid = 'pg_attrdef'::regclass AND EXISTS (SELECT 1 FROM pg_attrdef f
                        WHERE f.oid = d.objid AND f.adrelid = a.attrelid AND f.adnum = a.attnum)
                    OR d.classid = 'pg_constraint'::regclass AND EXISTS (SELECT 1 FROM pg_constraint k
                        WHERE k.oid = d.objid AND k.conrelid = a.attrelid AND (k.contype = 'n'
                            OR (k.contype = 'c' AND k.conname::text = ANY(\(array(checks))))
                            OR (k.contype = 'f' AND cardinality(k.conkey) = 1
                                AND a.attname::text = ANY(\(array(table.foreignKeys.map(\.column)))))))))
            """
        let result = try connection.execute(
            sql, values: [.text(source.name), .text(table.name)], isPrepared: false)
        return try result.first?.bool(0) ?? true
    }

    /// A trigger that fills prepared columns.
    struct FillingTrigger {
        var table: String
        var name: String
        var function: String
    }

    /// Those of the schema, of this migration or of one that was killed.
    func fillingTriggers() throws -> [FillingTrigger] { try Self.fillingTriggers(of: source.name, connection) }

    static func fillingTriggers(
        of schema: String, _ connection: PostgreSQLConnection
    ) throws -> [FillingTrigger] {
        var triggers: [FillingTrigger] = []
        try connection.execute(
            "SELECT c.relname::text, g.tgname::text, p.proname::text FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid "
                + "JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_proc p ON p.oid = g.tgfoid "
                + "AND p.pronamespace = n.oid WHERE n.nspname = $1::text AND NOT g.tgisinternal "
                + "AND starts_with(p.proname::text, '\(TablePreparation.prefix)') ORDER BY 1, 2",
            values: [.text(schema)]
        ).forEachRow { triggers.append(.init(table: $0.string(0), name: $0.string(1), function: $0.string(2))) }
        return triggers
    }
}

extension SchemaMigration.FillingTrigger {
    /// What removes it.
    func endStatements(_ own: String) -> [String] {
        [
            "DROP TRIGGER IF EXISTS \(SQLName.quoted(name)) ON \(own).\(SQLName.quoted(table))",
            "DROP FUNCTION IF EXISTS \(own).\(SQLName.quoted(function))()",
        ]
    }
}
#endif
