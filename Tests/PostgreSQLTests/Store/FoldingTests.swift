#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// The server folds strings as Foundation does, or says that it can't.
@Suite(.needsServer) struct FoldingTests {
    private static let functions: [(name: String, options: NSComparisonPredicate.Options)] = [
        ("ocd_fold_c", .caseInsensitive), ("ocd_fold_d", .diacriticInsensitive),
        ("ocd_fold_cd", [.caseInsensitive, .diacriticInsensitive]),
    ]

    /// What the server makes of strings; nil where it needs the program.
    private func folded(
        _ strings: [String], _ function: String, _ schema: String, _ connection: PostgreSQLConnection
    ) throws -> [String?] {
        var builder = PostgreSQLArrayBuilder(.text, capacity: strings.count)
        for string in strings { try builder.append(text: string) }
        var parameters = PostgreSQLParameters()
        parameters.append(builder)
        let name = "\(SQLName.quoted(schema))"
        try connection.runScript(
            """
            CREATE OR REPLACE FUNCTION \(name).folded(value text) RETURNS text LANGUAGE plpgsql AS $$
            BEGIN RETURN \(name).\(function)(value); EXCEPTION WHEN SQLSTATE '\(PostgreSQLFunctions.needsRows)' THEN RETURN NULL; END $$
            """)
        var results: [String?] = []
        try connection.execute(
            "SELECT \(name).folded(u.s) FROM unnest($1::text[]) WITH ORDINALITY AS u(s, n) ORDER BY n", parameters,
            isPrepared: false
        ).forEachRow { results.append($0.isNull(0) ? nil : $0.string(0)) }
        return results
    }

    @Test func eachCharacterAndRandomStringsAreFoldedAsInTheProgram() throws {
        try ServerStack.with { stack in
            let connection = try TestServer.connect()
            defer { connection.close() }
            var random = SeededGenerator(seed: 7)
            let alphabet = [
                "e", "É", "ß", "Σ", "я", "7", " ", "\u{301}", "\u{FE0F}", "\u{20E3}", "❤", "👍", "\u{1F3FD}", "\u{200D}",
                "日", "が", "한", "–", "€", "ﬁ", "Ａ", "🇩", "☕",
            ]
            let texts = (0..<3_000).map { _ in
                (0..<Int.random(in: 1...7, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "" }
                    .joined()
            }
            // Characters with a neighbor of another kind on each side.
            let values =
                Array(UInt32(1)..<0x600) + Array(0x1E00..<0x2C00) + Array(stride(from: 0x600, to: 0x20000, by: 23))
            let characters = values.compactMap(Unicode.Scalar.init).map { String(Character($0)) }
            let strings = texts + characters.map { "a\($0)b" } + characters.map { "👍\($0)É" }
            for (name, options) in Self.functions {
                let results = try folded(strings, name, stack.schema, connection)
                #expect(results.count == strings.count)
                var wrong: [String] = []
                for (string, result) in zip(strings, results) {
                    guard let result else { continue }
                    let expected = StringFolding.foldedByFoundation(string, options)
                    if !result.unicodeScalars.elementsEqual(expected.unicodeScalars) {
                        wrong.append(
                            "\(string) \(string.unicodeScalars.map { String($0.value, radix: 16) }) gives \(result)")
                    }
                }
                #expect(wrong.isEmpty, "\(name): \(wrong.count), \(wrong.prefix(20))")
            }
        }
    }

    @Test func searchesInTextWithEmojiStayOnTheServer() throws {
        try ServerStack.with { stack in
            try stack.inContext { context in
                for title in ["Café ☕️ 👍🏽", "👩‍👩‍👧 FAMILIE", "1️⃣ eins", "🇩🇪 Straße", "e\u{301}clair"] {
                    NSEntityDescription.insertNewObject(forEntityName: "Book", into: context).setValue(
                        title, forKey: "title")
                }
                try context.save()
                for (text, count) in [
                    ("CAFE", 1), ("familie", 1), ("EINS", 1), ("strasse", 1), ("☕", 1), ("ECLAIR", 1),
                ] {
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                    request.predicate = NSPredicate(format: "title CONTAINS[cd] %@", text)
                    _ = stack.statements.take()
                    #expect(try context.count(for: request) == count, "\(text)")
                    let statements = stack.statements.take()
                    #expect(statements.count == 1 && statements[0].contains("ocd_fold_cd"), "\(statements)")
                }
            }
        }
    }
}
#endif
