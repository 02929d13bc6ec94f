#if PostgreSQL
import Foundation
import OpenCoreData

/// The functions that a store has in its schema.
///
/// Strings are folded as Foundation folds them. Of most characters that is a matter of the character alone, and the server has
/// a table of them; a string with any other is refused with the code ``needsRows``, and the store evaluates the condition on
/// the rows instead.
enum PostgreSQLFunctions {
    /// The SQLSTATE of a string whose folding only the program knows.
    static let needsRows = "OC002"
    /// The SQLSTATE of a statement that changed another number of rows than it should have.
    static let unexpectedCount = "OC001"

    /// All functions, with the types of their arguments.
    static let names: [(name: String, arguments: String)] =
        [("ocd_expect", "int8, int8"), ("ocd_length", "text"), ("ocd_canonical", "text")]
        + ["ocd_fold_c", "ocd_fold_d", "ocd_fold_cd"].flatMap { [($0, "text"), ($0 + "_rest", "text")] }

    static func statements(_ schema: String) -> [String] {
        let prefix = SQLName.quoted(schema) + "."
        let folds: [(name: String, options: NSComparisonPredicate.Options)] = [
            ("ocd_fold_c", .caseInsensitive), ("ocd_fold_d", .diacriticInsensitive),
            ("ocd_fold_cd", [.caseInsensitive, .diacriticInsensitive]),
        ]
        return [
            """
            CREATE OR REPLACE FUNCTION \(prefix)ocd_expect(actual int8, expected int8) RETURNS int8 LANGUAGE plpgsql AS $ocd$
            BEGIN
                IF actual IS DISTINCT FROM expected THEN
                    RAISE EXCEPTION '% rows instead of %', actual, expected USING ERRCODE = '\(unexpectedCount)';
                END IF;
                RETURN actual;
            END $ocd$
            """,
            """
            CREATE OR REPLACE FUNCTION \(prefix)ocd_length(value text) RETURNS int8 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $ocd$
                SELECT CASE WHEN octet_length(value) = char_length(value) THEN char_length(value)
                    ELSE char_length(value)
                        + char_length(regexp_replace(value, '[\\u0001-\\uFFFF]', '', 'g')) END::int8
            $ocd$
            """,
            """
            CREATE OR REPLACE FUNCTION \(prefix)ocd_canonical(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
            AS $ocd$
                SELECT normalize(regexp_replace(normalize(lower(value COLLATE "und-x-icu"), NFD),
                    '[\\u0300-\\u036f]', '', 'g'), NFC)
            $ocd$
            """,
        ] + folds.flatMap { foldStatements($0.name, $0.options, prefix) }
    }

    // MARK: Searches

    /// What the function of searches gives for a string whose folding only the program knows. No folded string has a capital
    /// letter of ASCII.
    static let unfolded = "OCDXQZUNFOLDED"

    /// The function that indexes of searches are made with. Its name says how it folds: a program that folds otherwise, because
    /// its Unicode is of another version, doesn't take the index for its own.
    static let searchName = "ocd_search_" + PostgreSQLName.number(of: searchTable.unknown + searchTable.steps)

    private static let searchTable = FoldTable([.caseInsensitive, .diacriticInsensitive], isForEachOption: true)

    /// What makes the functions. The one folds as `ocd_fold_cd` does, and fails for no string. A string that it folds has the
    /// same folding if case or accents were left out before, so that it serves searches with one of the options as well. The
    /// other fails for strings that the first can't fold.
    static func searchStatements(_ schema: String) -> [String] {
        let name = "\(SQLName.quoted(schema)).\(searchName)"
        let unknown = SQLName.literal(searchTable.unknown)
        func function(_ suffix: String, _ type: String, _ body: String) -> String {
            "CREATE OR REPLACE FUNCTION \(name)\(suffix)(value text) RETURNS \(type) LANGUAGE plpgsql IMMUTABLE STRICT "
                + "PARALLEL SAFE AS $ocd$ BEGIN \(body) END $ocd$"
        }
        // Without STRICT the server puts the expression in the place of the call.
        func inlined(_ suffix: String, _ type: String, _ ascii: String) -> String {
            "CREATE OR REPLACE FUNCTION \(name)\(suffix)(value text) RETURNS \(type) LANGUAGE sql IMMUTABLE PARALLEL SAFE "
                + "AS $ocd$ SELECT CASE WHEN octet_length(value) = char_length(value) THEN \(ascii) "
                + "ELSE \(name)\(suffix)_rest(value) END $ocd$"
        }
        return [
            function(
                "_rest", "text",
                "IF value ~ \(unknown) THEN RETURN '\(unfolded)'; END IF; \(searchTable.steps) RETURN value;"),
            inlined("", "text", "lower(value COLLATE \"C\")"),
            function("_known_rest", "bool", "IF value ~ \(unknown) THEN \(failure) END IF; RETURN TRUE;"),
            inlined("_known", "bool", "TRUE"),
        ]
    }

    private static let failure =
        "RAISE EXCEPTION 'a text that the server cannot fold' USING ERRCODE = '\(needsRows)';"

    private static func foldStatements(
        _ name: String, _ options: NSComparisonPredicate.Options, _ prefix: String
    ) -> [String] {
        let table = FoldTable(options)
        let ascii = options.contains(.caseInsensitive) ? "lower(value COLLATE \"C\")" : "value"
        return [
            """
            CREATE OR REPLACE FUNCTION \(prefix)\(name)_rest(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
            AS $ocd$
            BEGIN
                IF value ~ \(SQLName.literal(table.unknown)) THEN \(failure) END IF;
                \(table.steps)
                RETURN value;
            END $ocd$
            """,
            """
            CREATE OR REPLACE FUNCTION \(prefix)\(name)(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $ocd$
                SELECT CASE WHEN octet_length(value) = char_length(value) THEN \(ascii)
                    ELSE \(prefix)\(name)_rest(value) END
            $ocd$
            """,
        ]
    }
}
#endif
