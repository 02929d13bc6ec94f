#if PostgreSQL
import Foundation
import OpenCoreData

/// The indexes of a store for searches in texts and for the order of a language, which are made on request: in the model they
/// aren't, and migrations leave them alone.
struct TextIndexes: Sendable {
    /// The columns with an index for searches.
    private(set) var searched: Set<String> = []
    /// By column: the collation of the index by which it is sorted, quoted and with its schema.
    private(set) var localized: [String: String] = [:]

    /// How the names of the indexes, and of their collations, begin.
    static let searchPrefix = "ocd_search_"
    static let orderPrefix = "ocd_localized_"
    static let wordsPrefix = "ocd_words_"

    /// The key in the user info of a string attribute that says how its texts are taken apart into words.
    static let configurationName = "textSearch"

    /// The configuration of the server by which the texts of an attribute are taken apart into words.
    ///
    /// - Throws: An error that names the attribute if the name can't be one.
    static func configuration(of slot: SlotLayout?) throws -> String {
        guard let name = slot?.property.userInfo?[configurationName] as? String, !name.isEmpty else { return "simple" }
        try check(configuration: name, "\(slot?.owner.name ?? "").\(slot?.name ?? "")")
        return name
    }

    static func check(configuration name: String, _ subject: String) throws {
        let isName = name.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || "_.0123456789".unicodeScalars.contains($0))
        }
        guard isName, !name.isEmpty else {
            throw CoreDataError.make(
                NSCoreDataError,
                "\"\(name)\", which \(subject) has for full text search, is no name of a configuration.")
        }
    }

    /// The name of the index for the order of a column's texts.
    static func orderName(_ table: String, _ column: String) -> String {
        PostgreSQLName.fitting("\(orderPrefix)\(table)_\(column)")
    }

    /// The collation by which strings are in the order of `localizedStandardCompare:`, for the locale of this program.
    static var collation: (name: String, locale: String)? {
        let identifier = Locale.current.identifier
        let words = identifier.split { $0 == "_" || $0 == "-" }
        guard !words.isEmpty, words.allSatisfy({ $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } }) else {
            return nil
        }
        let name = orderPrefix + words.joined(separator: "_").lowercased()
        return (name, words.joined(separator: "-") + "-u-kn-true")
    }

    init() {}

    /// Drops the functions and collations of indexes, after the tables are gone.
    static func dropRest(of schema: String, _ connection: PostgreSQLConnection) throws {
        var statements: [String] = []
        try connection.execute(
            """
            SELECT format('DROP FUNCTION %s CASCADE', p.oid::regprocedure) FROM pg_proc p
                JOIN pg_namespace n ON n.oid = p.pronamespace
                WHERE n.nspname = $1::text AND starts_with(p.proname::text, '\(searchPrefix)')
            UNION ALL SELECT format('DROP COLLATION %I.%I CASCADE', n.nspname, c.collname) FROM pg_collation c
                JOIN pg_namespace n ON n.oid = c.collnamespace
                WHERE n.nspname = $1::text AND starts_with(c.collname::text, '\(orderPrefix)')
            """, values: [.text(schema)], isPrepared: false
        ).forEachRow { statements.append($0.string(0)) }
        if !statements.isEmpty { try connection.runScript(statements.joined(separator: ";\n")) }
    }

    /// Reads which there are. Those of programs that fold or sort otherwise are left out.
    ///
    /// - Throws: `PostgreSQLError`.
    init(_ schema: String, _ connection: PostgreSQLConnection) throws {
        let result = try connection.execute(
            """
            SELECT DISTINCT a.attname::text, COALESCE(p.proname::text, ''), COALESCE(l.collname::text, '')
            FROM pg_class x JOIN pg_namespace n ON n.oid = x.relnamespace
            JOIN pg_index i ON i.indexrelid = x.oid AND i.indisvalid
            JOIN pg_depend c ON c.objid = x.oid AND c.classid = 'pg_class'::regclass AND c.refclassid = 'pg_class'::regclass
                AND c.refobjid = i.indrelid AND c.refobjsubid > 0
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = c.refobjsubid AND a.atttypid = 'text'::regtype
            LEFT JOIN (pg_depend f JOIN pg_proc p ON p.oid = f.refobjid AND f.refclassid = 'pg_proc'::regclass)
                ON f.objid = x.oid AND f.classid = 'pg_class'::regclass
            LEFT JOIN pg_collation l ON l.oid = i.indcollation[0] AND l.collnamespace = n.oid
            WHERE n.nspname = $1::text AND (starts_with(x.relname::text, '\(Self.searchPrefix)')
                OR starts_with(x.relname::text, '\(Self.orderPrefix)'))
            """, values: [.text(schema)], isPrepared: false)
        guard result.count > 0 else { return }
        let collation = Self.collation?.name
        result.forEachRow { row in
            if row.string(1) == PostgreSQLFunctions.searchName { searched.insert(row.string(0)) }
            if !row.string(2).isEmpty, row.string(2) == collation {
                localized[row.string(0)] = "\(SQLName.quoted(schema)).\(SQLName.quoted(row.string(2)))"
            }
        }
    }
}
#endif
