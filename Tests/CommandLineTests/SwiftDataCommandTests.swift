import Foundation
import TestSupport
import Testing

/// The command on a store that SwiftData wrote: enumerations are their cases, structs their elements.
@Suite(
    .enabled(if: CommandRunner.isBuilt, "the command is not built"),
    .enabled(if: Fixtures.hasCocktails && SQLiteShell.isAvailable, "the fixtures are not here"))
struct SwiftDataCommandTests {
    /// The columns of an enumeration without raw values.
    private static let chosen =
        "coalesce(ZALGONQUIN, ZALASKA, ZBETWEENTHESHEETS, ZBLOODANDSAND, ZBRAMBLE, ZBOBBYBURNS, ZCHOCOLATECOCKTAIL, "
        + "ZELDIABLO, ZFOGCUTTER, ZGINFIZZ, ZGIMLET, ZSILVERFIZZ, ZHOTTODDY, ZMEXICANFIRINGSQUAD, ZMODERNCOCKTAIL)"

    private let folder: TemporaryFolder
    private let store: URL

    init() throws {
        folder = try TemporaryFolder()
        store = try Fixtures.copy(Fixtures.cocktails, into: folder)
    }

    private func list(_ arguments: String...) throws -> [[String: Any]] {
        let result = try CommandRunner.run(["list", store.path] + arguments + ["--format", "json"])
        #expect(result.status == 0, "\(result.errors)")
        return try result.json() as? [[String: Any]] ?? []
    }

    private func count(_ entity: String, _ format: String) throws -> String {
        let result = try CommandRunner.run("count", store.path, entity, "--where", format)
        #expect(result.status == 0, "\(result.errors)")
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // MARK: Showing

    @Test func theSchemaTellsEnumerationsAndStructs() throws {
        let string = try CommandRunner.run("schema", store.path).output
        let lines = string.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
        func line(_ name: String) -> String {
            lines.first { $0.first == Substring(name) }?.joined(separator: " ") ?? ""
        }
        #expect(line("glasswareType") == "glasswareType Enumeration of String")
        #expect(line("collection") == "collection Enumeration of Integer 64 optional")
        #expect(line("historicSpec").hasPrefix("historicSpec Enumeration optional, cases algonquin, alaska"))
        #expect(line("author") == "author Composite optional")
        #expect(line("author.person") == "author.person String optional")
        let document = try #require(try CommandRunner.run("schema", store.path, "--json").json() as? [String: Any])
        let entities = try #require(document["entities"] as? [[String: Any]])
        let attributes = try #require(
            entities.first { $0["name"] as? String == "Cocktail" }?["attributes"] as? [[String: Any]])
        func attribute(_ name: String) -> [String: Any]? { attributes.first { $0["name"] as? String == name } }
        let cases = (attribute("historicSpec")?["enumeration"] as? [String: Any])?["cases"] as? [String]
        #expect(cases?.count == 15)
        let elements = attribute("author")?["elements"] as? [[String: Any]]
        #expect(elements?.map { $0["name"] as? String } == ["id", "person", "place", "year"])
    }

    @Test func listsShowCasesAndElementsAndJSON() throws {
        let rows = try list("Cocktail", "--where", "cocktailName == 'Sloe Walker'")
        let row = try #require(rows.first)
        #expect(row["glasswareType"] as? String == "Coupe")
        #expect(row["ice"] is NSNull && row["collection"] as? Int == 2)
        let author = try #require(row["author"] as? [String: Any])
        #expect(author["person"] as? String == "Kenny Remster")
        let tags = try #require(row["compiledTags"] as? [String: Any])
        #expect(tags["flavors"] as? [String] == ["Grapefruit", "Sloe Berries (Blackthorn)", "Anise"])
        #expect((tags["booze"] as? [[String: Any]])?.first?["name"] as? String == "Fortified wine")
        let classic = try #require(try list("Cocktail", "--where", "historicSpec.gimlet != nil").first)
        #expect(classic["historicSpec"] as? String == "gimlet")
        let table = try CommandRunner.run(
            "list", store.path, "Cocktail", "--fields", "cocktailName,glasswareType,author.person", "--where",
            "cocktailName == 'Sloe Walker'")
        #expect(table.output.contains("Coupe") && table.output.contains("Kenny Remster"), "\(table.errors)")
        let unknown = try CommandRunner.run("list", store.path, "Cocktail", "--fields", "author.nosuch")
        #expect(unknown.status != 0 && unknown.errors.contains("nosuch") && unknown.errors.contains("person"))
    }

    @Test(arguments: [
        ("Cocktail", "glasswareType == 'Coupe'", "ZCOCKTAIL WHERE ZGLASSWARETYPE = 'Coupe'"),
        ("Cocktail", "glasswareType != 'Coupe'", "ZCOCKTAIL WHERE ZGLASSWARETYPE != 'Coupe'"),
        ("Cocktail", "ice == nil", "ZCOCKTAIL WHERE ZICE IS NULL"),
        ("Cocktail", "collection IN {1, 2}", "ZCOCKTAIL WHERE ZCOLLECTION IN (1, 2)"),
        ("Cocktail", "historicSpec == 'gimlet'", "ZCOCKTAIL WHERE ZGIMLET = 'gimlet'"),
        ("Cocktail", "historicSpec != nil", "ZCOCKTAIL WHERE \(chosen) NOT NULL"),
        ("Cocktail", "historicSpec == nil AND favorite == NO", "ZCOCKTAIL WHERE \(chosen) IS NULL AND ZFAVORITE = 0"),
        ("Cocktail", "historicSpec IN {'gimlet', 'alaska'}", "ZCOCKTAIL WHERE ZGIMLET NOT NULL OR ZALASKA NOT NULL"),
        (
            "Cocktail", "NOT (historicSpec == 'gimlet') AND author.year == '2018'",
            "ZCOCKTAIL WHERE ZGIMLET IS NULL AND ZYEAR = '2018'"
        ),
        (
            "Ingredient", "unit == 'dashes' AND ingredientBase.name BEGINSWITH 'A'",
            "ZINGREDIENT i JOIN ZINGREDIENTBASE b ON b.Z_PK = ZINGREDIENTBASE WHERE ZUNIT = 'dashes' AND b.ZNAME GLOB 'A*'"
        ),
    ])
    func predicatesNameEnumerationsAsProgramsDo(entity: String, format: String, sql: String) throws {
        #expect(try count(entity, format) == SQLiteShell.run("SELECT count(*) FROM \(sql)", on: store))
    }

    @Test func unknownCasesInPredicatesAreNamed() throws {
        let result = try CommandRunner.run("count", store.path, "Cocktail", "--where", "historicSpec == 'nosuch'")
        #expect(result.status != 0 && result.errors.contains("nosuch") && result.errors.contains("gimlet"))
        let compared = try CommandRunner.run("count", store.path, "Cocktail", "--where", "historicSpec > 'gimlet'")
        #expect(compared.status != 0 && compared.errors.contains("historicSpec"))
    }

    @Test func listsAreSortedByEnumerations() throws {
        let rows = try list(
            "Cocktail", "--sort", "glasswareType", "--sort", "cocktailName", "--fields", "glasswareType")
        let types = rows.compactMap { $0["glasswareType"] as? String }
        #expect(types.count == 416 && types == types.sorted())
    }

    // MARK: Changing

    @Test func enumerationsStructsAndElementsAreSet() throws {
        let edits = [
            ("glasswareType=Flute", "ZGLASSWARETYPE", "Flute"), ("collection=4", "ZCOLLECTION", "4"),
            ("historicSpec=bramble", "ZBRAMBLE", "bramble"), ("ice=null", "ZICE", ""),
            ("author.person=Ann B.", "ZPERSON", "Ann B."), ("author.year=null", "ZYEAR", ""),
            ("author={\"person\": \"Cy\", \"place\": \"Here\"}", "ZPERSON || ZPLACE", "CyHere"),
            ("compiledTags.flavors=[\"Lime/Lemon\"]", "CAST(ZFLAVORS AS TEXT)", "[\"Lime\\/Lemon\"]"),
        ]
        for (edit, column, string) in edits {
            let result = try CommandRunner.run("set", store.path, "Cocktail/p2", edit)
            #expect(result.status == 0, "\(edit): \(result.errors)")
            #expect(
                try SQLiteShell.run("SELECT \(column) FROM ZCOCKTAIL WHERE Z_PK = 2", on: store) == string, "\(edit)")
        }
        for (edit, word) in [
            ("historicSpec=nosuch", "gimlet"), ("author.nosuch=1", "person"), ("author=text", "object"),
            ("author={\"nosuch\": 1}", "person"), ("collection=many", "collection"),
        ] {
            let result = try CommandRunner.run("set", store.path, "Cocktail/p2", edit)
            #expect(result.status == 1 && result.errors.contains(word), "\(edit): \(result.errors)")
        }
        #expect(try CommandRunner.run("check", store.path).status == 0)
    }

    @Test func anImportedExportHasEveryByteOfTheRows() throws {
        // Bytes that are no JSON, or not as Foundation writes it, are kept as they are.
        try SQLiteShell.run(
            """
            UPDATE ZCOCKTAIL SET ZFLAVORS = x'5B22', ZSTYLES = CAST('[ 1, 2 ]' AS BLOB), ZBOOZE = x'' WHERE Z_PK = 5;
            UPDATE ZCOCKTAIL SET ZFLAVORS = CAST('[1.50,1e3,{"a":1,"a":2}]' AS BLOB), ZGLASSWARETYPE = 'Bucket',
            ZPROFILES = CAST('{"b":[true,null,-0,0.1],"a":"\\u0001\\/é😀"}' AS BLOB), ZGIMLET = 'other' WHERE Z_PK = 6;
            """, on: store)
        let (export, copy) = (folder.file("export.json"), folder.file("copy.store"))
        #expect(try CommandRunner.run("export", store.path, "--output", export.path).status == 0)
        let imported = try CommandRunner.run("import", copy.path, "--model", store.path, export.path)
        #expect(imported.status == 0, "\(imported.errors)")
        for table in ["ZCOCKTAIL", "ZINGREDIENT", "ZINGREDIENTBASE", "ZGARNISH"] {
            let columns = try SQLiteShell.run(
                "SELECT group_concat('quote(' || name || ')', ',') FROM pragma_table_info('\(table)') "
                    + "WHERE name NOT IN ('Z_PK', 'Z_OPT') AND name NOT LIKE 'Z1%' AND name != 'ZINGREDIENTBASE'",
                on: store)
            let rows = "SELECT \(columns) FROM \(table)"
            let (left, right) = (try SQLiteShell.run(rows, on: store), try SQLiteShell.run(rows, on: copy))
            #expect(left.split(separator: "\n").sorted() == right.split(separator: "\n").sorted(), "\(table)")
        }
        let statements =
            "SELECT sql FROM sqlite_master WHERE name NOT LIKE 'A%' AND sql NOT LIKE '%TRANSACTION%' ORDER BY 1"
        #expect(try SQLiteShell.run(statements, on: copy) == SQLiteShell.run(statements, on: store))
        #expect(try CommandRunner.run("check", copy.path).status == 0)
    }

    // MARK: Models

    @Test func extractedAndCompiledModelsKeepEverything() throws {
        let (source, compiled) = (folder.file("Cocktails.xcdatamodeld"), folder.file("Cocktails.momd"))
        let extracted = try CommandRunner.run("model", "extract", store.path, "--output", source.path)
        #expect(extracted.status == 0, "\(extracted.errors)")
        let made = try CommandRunner.run("model", "compile", source.path, "--output", compiled.path)
        #expect(made.status == 0, "\(made.errors)")
        let expected = try CommandRunner.run("schema", store.path).output
        #expect(try CommandRunner.run("schema", source.path).output == expected)
        #expect(try CommandRunner.run("schema", compiled.path).output == expected)
        let difference = try CommandRunner.run("model", "diff", store.path, source.path)
        #expect(difference.status == 0, "\(difference.output)\(difference.errors)")
        for model in [source, compiled] {
            let listed = try CommandRunner.run(
                "list", store.path, "Cocktail", "--model", model.path, "--limit", "1", "--format", "json",
                "--fields", "glasswareType")
            #expect(listed.status == 0 && listed.output.contains("\"glasswareType\": \""), "\(listed.errors)")
        }
        let validated = try CommandRunner.run("model", "validate", source.path)
        #expect(validated.status == 0, "\(validated.output)")
    }
}
