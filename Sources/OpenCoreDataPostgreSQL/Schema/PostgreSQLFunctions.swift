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

    private static func foldStatements(
        _ name: String, _ options: NSComparisonPredicate.Options, _ prefix: String
    ) -> [String] {
        let table = FoldTable(options)
        let ascii = options.contains(.caseInsensitive) ? "lower(value COLLATE \"C\")" : "value"
        // Foundation leaves marks out behind letters and digits, and keeps signs behind symbols.
        var folded =
            options.contains(.diacriticInsensitive)
            ? "regexp_replace(value, \(SQLName.literal("([\(FoldTable.letters)])[\(FoldTable.marks)]+")), '\\1', 'g')"
            : "value"
        for (character, replacement) in table.longer {
            folded = "replace(\(folded), \(SQLName.literal(character)), \(SQLName.literal(replacement)))"
        }
        return [
            """
            CREATE OR REPLACE FUNCTION \(prefix)\(name)_rest(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
            AS $ocd$
            BEGIN
                IF value ~ \(SQLName.literal(table.unknown)) THEN
                    RAISE EXCEPTION 'a text that the server cannot fold' USING ERRCODE = '\(needsRows)';
                END IF;
                RETURN translate(\(folded), \(SQLName.literal(table.from)), \(SQLName.literal(table.to)));
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

    /// What folding does to single characters.
    private struct FoldTable {
        /// Characters that become another one, at the same indexes.
        var from = ""
        var to = ""
        /// Characters that become several, or none.
        var longer: [(String, String)] = []
        /// A regular expression that finds a character which is not known.
        var unknown = ""

        /// Latin, Greek, Cyrillic, Hebrew, Arabic and their neighbors; characters that depend on those around them are
        /// taken out.
        private static let mapped: [ClosedRange<UInt32>] = [0x80...0x7FF, 0x1E00...0x1FFF]
        /// What no folding changes, whatever stands beside it: punctuation, currencies, symbols, emoji, kana, ideographs,
        /// Hangul syllables.
        private static let unchanged: [ClosedRange<UInt32>] = [
            0x200D...0x20CF, 0x2133...0x215F, 0x2190...0x225F, 0x2270...0x24B5, 0x24D0...0x2BFF, 0x2E00...0x3029,
            0x3030...0x3098, 0x309B...0xA63F, 0xAC00...0xD7A3, 0xE000...0xFAFF, 0xFE30...0xFF20, 0xFF3B...0xFF9D,
            0x1F000...0x1F3FA, 0x1F400...0x1FFFF,
        ]

        /// Letters and digits behind which marks are left out, within brackets of a regular expression.
        static let letters =
            "A-Za-z0-9"
            + expression([0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x3B1...0x3C9, 0x410...0x44F, 0x1E00...0x1EFF])
        private static let accents: [ClosedRange<UInt32>] = [0x300...0x344, 0x346...0x36F]
        /// What makes an emoji of a symbol, the frame of a key, and colors of skin.
        private static let signs: [ClosedRange<UInt32>] = [0xFE0F...0xFE0F, 0x20E3...0x20E3, 0x1F3FB...0x1F3FF]
        static let marks = expression(accents + signs)
        /// Symbols behind which signs are kept.
        private static let symbols = expression([
            0x2190...0x21FF, 0x2300...0x23FF, 0x2600...0x27BF, 0x1F000...0x1F3FA, 0x1F400...0x1FAFF,
        ])

        init(_ options: NSComparisonPredicate.Options) {
            var (from, to) = (String.UnicodeScalarView(), String.UnicodeScalarView())
            if options.contains(.caseInsensitive) {
                for value in UInt32(0x41)...0x5A {
                    Unicode.Scalar(value).map { from.append($0) }
                    Unicode.Scalar(value + 0x20).map { to.append($0) }
                }
            }
            var contextual: [UInt32] = []
            for value in Self.mapped.joined() {
                guard let scalar = Unicode.Scalar(value), !Self.dependsOnContext(scalar) else {
                    contextual.append(value)
                    continue
                }
                let string = String(Character(scalar))
                let folded = StringFolding.foldedByFoundation(string, options).unicodeScalars
                if folded.count == 1, let only = folded.first {
                    guard only != scalar else { continue }
                    from.append(scalar)
                    to.append(only)
                } else {
                    longer.append((string, String(folded)))
                }
            }
            self.from = String(from)
            self.to = String(to)
            let known = Self.expression([0x1...0x7F] + Self.mapped + Self.unchanged)
            unknown = "[^\(known)\(Self.marks)]"
            contextual.removeAll { value in Self.accents.contains { $0.contains(value) } }
            if !contextual.isEmpty { unknown += "|[\(Self.expression(contextual.map { $0...$0 }))]" }
            // Behind other characters it depends on them.
            if options.contains(.diacriticInsensitive) {
                let (accents, signs) = (Self.expression(Self.accents), Self.expression(Self.signs))
                unknown +=
                    "|(^|[^\(Self.letters)\(Self.marks)])[\(accents)]|[\(Self.symbols)][\(Self.marks)]*[\(accents)]"
                    + "|(^|[^\(Self.letters)\(Self.symbols)\(Self.marks)])[\(signs)]"
            }
        }

        private static func expression(_ ranges: [ClosedRange<UInt32>]) -> String {
            func escape(_ value: UInt32) -> String {
                let digits = String(value, radix: 16)
                return value < 0x10000
                    ? "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                    : "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            }
            return ranges.map { range in
                range.count == 1
                    ? escape(range.lowerBound) : "\(escape(range.lowerBound))-\(escape(range.upperBound))"
            }.joined()
        }

        private static func dependsOnContext(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark, .format, .unassigned: true
            default: false
            }
        }
    }
}
#endif
