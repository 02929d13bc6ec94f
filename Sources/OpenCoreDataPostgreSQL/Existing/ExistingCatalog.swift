#if PostgreSQL
import Foundation
import OpenCoreData

/// The tables of a schema that others have made, as the server's catalog describes them.
struct ExistingCatalog {
    /// A column.
    struct Column {
        var name: String
        /// The type in SQL, with its length or precision, for people.
        var typeName: String
        /// The type in SQL without them, for casts.
        var castName: String
        /// What an attribute of it holds; nil for a type that no attribute can have.
        var kind: SlotKind?
        /// The type below the domains that it may be of.
        var base: UInt32
        var isNullable: Bool
        /// The expression of its default value, as the server writes it.
        var defaultValue: String?
        /// Whether the server computes it from others.
        var isGenerated: Bool
        /// Whether strings are compared by code points already.
        var comparesBytes: Bool
        /// The collation of a text, quoted and with its schema, by which texts are equal only if all their bytes are; nil for
        /// another one.
        var collation: String?
        var sequence: Sequence?
        /// The type below the domains, with its length or precision.
        var baseName: String
        /// The only values of an enumeration, in their order.
        var labels: [String] = []
        /// How its values are JSON in objects; nil where they aren't.
        var json: JSONColumn?
        /// The conditions of the domains that the type is of, in which the value is called VALUE.
        var conditions: [String] = []
        /// Whether the server numbers the rows by it, and takes no other numbers.
        var isAlwaysNumbered: Bool

        /// How a property of a kind has its values; nil where these aren't JSON.
        func json(as kind: SlotKind) -> JSONColumn? {
            switch (json, kind) {
            case (.json(let hasNull)?, .string): .text(hasNull: hasNull)
            case (_, .data), (_, .transformable): json
            default: nil
            }
        }

        /// How many characters a `varchar(n)` or a `char(n)` takes.
        var maximumLength: Int? {
            guard let mark = baseName.firstIndex(of: "("), baseName.hasPrefix("character"), baseName.hasSuffix(")")
            else { return nil }
            return Int(baseName[mark...].dropFirst().dropLast())
        }
    }

    /// The sequence that supplies a column's numbers.
    struct Sequence {
        /// The name, quoted and with its schema.
        var name: String
        var increment: Int64
    }

    struct ForeignKey {
        var name: String
        var columns: [String]
        var schema: String
        var table: String
        var targets: [String]
        /// `a` nothing, `r` restrict, `c` cascade, `n` set null, `d` set default.
        var onDelete: String
    }

    /// A condition of rows, as the server writes it.
    struct Check {
        var name: String
        var condition: String
        /// The columns that it is about.
        var columns: [String]
    }

    struct Table {
        var name: String
        var columns: [Column] = []
        var primaryKey: [String] = []
        var foreignKeys: [ForeignKey] = []
        /// Columns whose values together are unique, without the primary key.
        var uniques: [[String]] = []
        /// The conditions of its rows.
        var checks: [Check] = []

        func column(_ name: String) -> Column? { columns.first { $0.name == name } }

        /// The primary key where it is one whole number, which is what objects are known by.
        var key: Column? {
            guard primaryKey.count == 1, let key = column(primaryKey[0]) else { return nil }
            switch key.kind {
            case .integer16, .integer32, .integer64: return key
            default: return nil
            }
        }

        /// The two foreign keys of a table that does nothing but pair rows; nil for any other.
        var pair: (first: ForeignKey, second: ForeignKey)? {
            let keys = foreignKeys.filter { $0.columns.count == 1 && $0.targets.count == 1 }
            guard foreignKeys.count == 2, keys.count == 2, keys[0].columns != keys[1].columns else { return nil }
            let columns = Set(keys.map { $0.columns[0] })
            guard ([primaryKey] + uniques).contains(where: { Set($0) == columns && $0.count == 2 }) else {
                return nil
            }
            // Others have to come by themselves when a pair is made.
            let others = self.columns.filter { !columns.contains($0.name) }
            guard others.allSatisfy({ $0.isNullable || $0.defaultValue != nil || $0.isGenerated }) else {
                return nil
            }
            return (keys[0], keys[1])
        }
    }

    let schema: String
    /// By name.
    let tables: [Table]
    /// What is no table and has rows all the same, by name, as people call it.
    let views: [(name: String, kind: String)]

    func table(_ name: String) -> Table? { tables.first { $0.name == name } }

    /// Reads the catalog.
    init(_ schema: String, _ connection: PostgreSQLConnection) throws {
        self.schema = schema
        var tables: [String: Table] = [:]
        let found = try connection.execute(Self.columnQuery, values: [.text(schema)], isPrepared: false)
        try found.forEachRow { row in
            let table = row.string(0)
            tables[table, default: Table(name: table)].columns.append(try Self.column(row))
        }
        let keys = try connection.execute(Self.keyQuery, values: [.text(schema)], isPrepared: false)
        keys.forEachRow { row in
            let table = row.string(2)
            guard tables[table] != nil else { return }
            let columns = Self.list(row.string(3))
            if row.string(1) == "p" {
                tables[table]?.primaryKey = columns
            } else {
                tables[table]?.foreignKeys.append(
                    ForeignKey(
                        name: row.string(0), columns: columns, schema: row.string(4), table: row.string(5),
                        targets: Self.list(row.string(6)), onDelete: row.string(7)))
            }
        }
        let uniques = try connection.execute(Self.uniqueQuery, values: [.text(schema)], isPrepared: false)
        uniques.forEachRow { row in
            let columns = Self.list(row.string(1))
            // A constraint and an index may say the same.
            if tables[row.string(0)]?.uniques.contains(columns) == false {
                tables[row.string(0)]?.uniques.append(columns)
            }
        }
        let checks = try connection.execute(Self.checkQuery, values: [.text(schema)], isPrepared: false)
        checks.forEachRow { row in
            tables[row.string(0)]?.checks.append(
                Check(name: row.string(1), condition: row.string(2), columns: Self.list(row.string(3))))
        }
        self.tables = tables.values.sorted { $0.name < $1.name }
        var views: [(name: String, kind: String)] = []
        let others = try connection.execute(Self.viewQuery, values: [.text(schema)], isPrepared: false)
        others.forEachRow { views.append(($0.string(0), $0.string(1))) }
        self.views = views
    }

    // MARK: Reading

    private static func list(_ text: String) -> [String] { text.split(separator: "\u{1}").map(String.init) }

    private static func column(_ row: PostgreSQLRow) throws -> Column {
        let base = UInt32(truncatingIfNeeded: try row.integer(4))
        let labels = list(row.string(15))
        var json: JSONColumn? = base == 114 ? .json(hasNull: true) : base == 3802 ? .json(hasNull: false) : nil
        if !row.isNull(18) {
            let element = kind(
                ofType: UInt32(truncatingIfNeeded: try row.integer(18)), isEnumeration: row.string(19) == "e",
                name: row.string(20))
            json = JSONColumn.Element(element, labels: labels).map(JSONColumn.array)
        }
        let sequence =
            row.isNull(11)
            ? nil : Sequence(name: row.string(11), increment: row.isNull(12) ? 1 : try row.integer(12))
        return Column(
            name: row.string(1), typeName: row.string(2), castName: row.string(3),
            kind: row.isNull(18)
                ? kind(ofType: base, isEnumeration: row.string(5) == "e", name: row.string(6))
                : json.map { _ in .transformable }, base: base,
            isNullable: try !row.bool(7), defaultValue: row.isNull(8) ? nil : row.string(8),
            isGenerated: try row.bool(9), comparesBytes: try row.bool(10),
            collation: row.isNull(13) ? nil : row.string(13), sequence: sequence, baseName: row.string(14),
            labels: labels, json: json, conditions: list(row.string(16)), isAlwaysNumbered: try row.bool(17))
    }

    /// What an attribute for values of a type holds. Types without a counterpart are strings, as the server writes them.
    private static func kind(ofType type: UInt32, isEnumeration: Bool, name: String) -> SlotKind? {
        if isEnumeration || name == "citext" { return .string }
        return kinds[type]
    }

    private static let kinds: [UInt32: SlotKind] = [
        16: .boolean, 21: .integer16, 23: .integer32, 20: .integer64, 700: .float, 701: .double, 1700: .decimal,
        1184: .date, 1114: .date, 1082: .date, 2950: .uuid, 17: .data,
        // text, varchar, char, name, "char", json, jsonb, xml
        25: .string, 1043: .string, 1042: .string, 19: .string, 18: .string, 114: .string, 3802: .string,
        142: .string,
        // inet, cidr, macaddr, macaddr8, time, timetz, interval, money, bit, varbit
        869: .string, 650: .string, 829: .string, 774: .string, 1083: .string, 1266: .string, 1186: .string,
        790: .string, 1560: .string, 1562: .string,
    ]

    private static let columnQuery = """
        WITH RECURSIVE base(start, id, modifier, required, fallback, conditions) AS (
            SELECT t.oid, t.oid, -1, false, NULL::text COLLATE "C", ''::text COLLATE "C" FROM pg_type t
            UNION ALL
            SELECT b.start, t.typbasetype, CASE WHEN t.typtypmod <> -1 THEN t.typtypmod ELSE b.modifier END,
                b.required OR t.typnotnull, COALESCE(b.fallback, t.typdefault),
                b.conditions || COALESCE((SELECT string_agg(pg_get_expr(k.conbin, 0) || chr(1), '') FROM pg_constraint k
                    WHERE k.contypid = t.oid AND k.contype = 'c'), '')
            FROM base b JOIN pg_type t ON t.oid = b.id WHERE t.typtype = 'd')
        SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod), format_type(a.atttypid, NULL),
            t.oid::int8, t.typtype::text, t.typname::text, a.attnotnull OR b.required,
            CASE WHEN a.attidentity = 'd' THEN format('nextval(%L)', s.name)
                WHEN a.attgenerated = '' THEN COALESCE(pg_get_expr(d.adbin, d.adrelid), b.fallback) END, a.attgenerated <> '',
            COALESCE(CASE WHEN co.collname = 'default' THEN
                (SELECT db.datcollate IN ('C', 'POSIX') AND COALESCE(to_jsonb(db) ->> 'datlocprovider', 'c') = 'c'
                    FROM pg_database db WHERE db.datname = current_database())
                ELSE co.collname IN ('C', 'POSIX') END, false),
            s.name, s.increment,
            CASE WHEN co.collisdeterministic AND t.typname IN ('text', 'varchar')
                THEN (SELECT format('%I.%I', cn.nspname, co.collname) FROM pg_namespace cn WHERE cn.oid = co.collnamespace)
                END,
            format_type(t.oid, CASE WHEN b.modifier <> -1 THEN b.modifier ELSE a.atttypmod END),
            array_to_string(ARRAY(SELECT e.enumlabel::text FROM pg_enum e WHERE e.enumtypid IN (t.oid, el.oid) ORDER BY e.enumsortorder),
                chr(1)), b.conditions, a.attidentity = 'a', el.oid::int8, COALESCE(el.typtype::text, ''), COALESCE(el.typname::text, '')
        FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        JOIN base b ON b.start = a.atttypid
        JOIN pg_type t ON t.oid = b.id AND t.typtype <> 'd'
        LEFT JOIN (base eb JOIN pg_type el ON el.oid = eb.id AND el.typtype <> 'd')
            ON eb.start = t.typelem AND t.typcategory = 'A' AND t.typarray = 0
        LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
        LEFT JOIN pg_collation co ON co.oid = a.attcollation
        LEFT JOIN LATERAL (
            SELECT format('%I.%I', sn.nspname, sc.relname) AS name, sq.seqincrement AS increment
            FROM pg_depend dep
            JOIN pg_class sc ON sc.relkind = 'S' AND sc.oid = CASE WHEN dep.classid = 'pg_class'::regclass
                THEN dep.objid ELSE dep.refobjid END
            JOIN pg_namespace sn ON sn.oid = sc.relnamespace
            JOIN pg_sequence sq ON sq.seqrelid = sc.oid
            WHERE (dep.classid = 'pg_class'::regclass AND dep.refclassid = 'pg_class'::regclass
                    AND dep.refobjid = c.oid AND dep.refobjsubid = a.attnum AND dep.deptype = 'i')
                OR (dep.classid = 'pg_attrdef'::regclass AND dep.objid = d.oid
                    AND dep.refclassid = 'pg_class'::regclass)
            LIMIT 1) s ON true
        WHERE n.nspname = $1::text AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        ORDER BY c.relname, a.attnum
        """

    private static func names(_ relation: String, _ numbers: String) -> String {
        "array_to_string(ARRAY(SELECT a.attname::text FROM unnest(\(numbers)) WITH ORDINALITY k(n, o) "
            + "JOIN pg_attribute a ON a.attrelid = \(relation) AND a.attnum = k.n ORDER BY k.o), chr(1))"
    }

    private static let keyQuery = """
        SELECT con.conname::text, con.contype::text, c.relname::text, \(names("con.conrelid", "con.conkey")),
            COALESCE(fn.nspname::text, ''), COALESCE(f.relname::text, ''), \(names("con.confrelid", "con.confkey")),
            con.confdeltype::text
        FROM pg_constraint con
        JOIN pg_class c ON c.oid = con.conrelid
        JOIN pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN pg_class f ON f.oid = con.confrelid
        LEFT JOIN pg_namespace fn ON fn.oid = f.relnamespace
        WHERE n.nspname = $1::text AND con.contype IN ('p', 'f') AND con.conparentid = 0
        ORDER BY c.relname, con.conkey, con.conname
        """

    private static let checkQuery = """
        SELECT c.relname::text, con.conname::text, pg_get_expr(con.conbin, con.conrelid), \(names("con.conrelid", "con.conkey"))
        FROM pg_constraint con
        JOIN pg_class c ON c.oid = con.conrelid
        JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1::text AND con.contype = 'c' AND NOT c.relispartition
        ORDER BY c.relname, con.conname
        """

    private static let viewQuery = """
        SELECT c.relname::text, CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' ELSE 'foreign table' END
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1::text AND c.relkind IN ('v', 'm', 'f') ORDER BY c.relname
        """

    private static let uniqueQuery = """
        SELECT c.relname::text, \(names("i.indrelid", "i.indkey::int2[]"))
        FROM pg_index i
        JOIN pg_class c ON c.oid = i.indrelid
        JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_class x ON x.oid = i.indexrelid
        WHERE n.nspname = $1::text AND i.indisunique AND NOT i.indisprimary AND i.indisvalid AND i.indimmediate
            AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indnatts = i.indnkeyatts
        ORDER BY c.relname, x.relname
        """
}
#endif
