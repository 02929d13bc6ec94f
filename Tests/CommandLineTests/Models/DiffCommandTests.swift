import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct DiffCommandTests {
    private let models: ModelFolder

    init() throws { models = try ModelFolder() }

    private func versions() throws -> String {
        try models.versions(["Shop": ModelFolder.first, "Shop 2": ModelFolder.second], current: "Shop 2")
    }

    @Test func equalModelsAreEqualInWhateverForm() throws {
        let source = try models.model(ModelFolder.first)
        #expect(try CommandRunner.run("model", "compile", source).status == 0)
        let result = try CommandRunner.run("model", "diff", source, models.path("Shop.mom"))
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("The models are equal."))
    }

    /// Source has predicates as they were typed.
    @Test func aSourceAndItsCompilationAreEqual() throws {
        let source = try models.model(
            ModelFolder.first + """

                <fetchRequest name="large" entity="Item" predicateString="size&gt;3 &amp;&amp; title like[c] 'x*' or not (size==$N)"/>
                <fetchRequest name="owned" entity="Owner" predicateString="ANY items.size in {1,2} and name beginswith 'q'"/>
                """)
        #expect(try CommandRunner.run("model", "compile", source).status == 0)
        let result = try CommandRunner.run("model", "diff", source, models.path("Shop.mom"))
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        let other = try models.model(
            ModelFolder.first
                + "<fetchRequest name=\"large\" entity=\"Item\" predicateString=\"size &gt; 4\"/>"
                + "<fetchRequest name=\"owned\" entity=\"Owner\"/>", named: "Other.xcdatamodel")
        #expect(try CommandRunner.run("model", "diff", other, models.path("Shop.mom")).status == 1)
    }

    @Test func changesAreNamedWithOldAndNew() throws {
        let source = try versions()
        let result = try CommandRunner.run(
            "model", "diff", source, source, "--version-a", "Shop", "--version-b", "Shop 2")
        #expect(result.status == 1)
        #expect(result.errors.isEmpty)
        let lines = result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for line in [
            "changed entity Item", "changed entity Owner", "added entity Place (abstract)", "+ code  String",
            "~ title → heading", "~ size", "type: Integer 16 → Integer 32", "- name  String, optional",
            "delete rule: cascade → deny", "migration: inferred", "The values of Owner.name are dropped.",
            "Item.code is required but gets no value: existing objects must be given one before they can be saved.",
        ] {
            #expect(lines.contains(line), "\(line) is not in\n\(result.output)")
        }
        let byColon = try CommandRunner.run("model", "diff", source + ":Shop", source)
        #expect(byColon.output.split(separator: "\n").dropFirst(2) == result.output.split(separator: "\n").dropFirst(2))
        let back = try CommandRunner.run("model", "diff", source, source + ":Shop")
        #expect(back.output.contains("migration: inferred"))
    }

    @Test func whatCantBeInferredIsNamed() throws {
        let source = try versions()
        let text = ModelFolder.first.replacingOccurrences(of: "Integer 16", with: "String")
        #expect(text != ModelFolder.first)
        let other = try models.model(text, named: "Other.xcdatamodel")
        let result = try CommandRunner.run("model", "diff", source + ":Shop", other)
        #expect(result.output.contains("migration: mapping model"))
        #expect(result.output.contains("No mapping model can be inferred for Item.size"), "\(result.output)")
    }

    @Test func jsonHasHashesAndTheMigration() throws {
        let source = try versions()
        let result = try CommandRunner.run("model", "diff", source + ":Shop", source, "--json")
        #expect(result.status == 1)
        let json = try #require(try result.json() as? [String: Any])
        #expect(json["equal"] as? Bool == false)
        let entities = try #require(json["entities"] as? [[String: Any]])
        #expect(entities.compactMap { $0["name"] as? String } == ["Item", "Owner", "Place"])
        let folder = URL(fileURLWithPath: source)
        for (version, key) in [("Shop", "oldHash"), ("Shop 2", "newHash")] {
            let model = try #require(
                NSManagedObjectModel(contentsOf: folder.appendingPathComponent("\(version).xcdatamodel")))
            #expect(
                entities[0][key] as? String
                    == model.entityVersionHashesByName["Item"]?.base64EncodedString())
        }
        #expect((json["migration"] as? [String: Any])?["kind"] as? String == "inferred")
    }

    @Test func whatStoresDoNotSeeNeedsNoMigration() throws {
        let first = try models.model(ModelFolder.first)
        let second = try models.model(
            ModelFolder.first.replacingOccurrences(of: "\"0\"", with: "\"1\""), named: "Other.xcdatamodel")
        let result = try CommandRunner.run("model", "diff", first, second)
        #expect(result.status == 1)
        #expect(result.output.contains("default: 0 → 1"))
        #expect(result.output.contains("migration: none"))
        #expect(result.output.contains(", the same"))
    }

    /// What is said of a migration is what `migrate` then does.
    @Test func theMigrationIsTheOneThatIsCarriedOut() throws {
        let store = try SampleStore.make(in: models.folder)
        let model = SampleStore.model()
        model.entitiesByName["Person"]?.attributesByName["height"]?.renamingIdentifier = "height"
        model.entitiesByName["Person"]?.attributesByName["height"]?.name = "size"
        let next = models.folder.file("Next.mom")
        try model.encodedCompiledModel().write(to: next)
        let difference = try CommandRunner.run("model", "diff", store.path, next.path)
        #expect(difference.status == 1)
        #expect(difference.output.contains("~ height → size"))
        #expect(difference.output.contains("migration: inferred"))
        let before = try SQLiteShell.run("SELECT Z_PK, ZHEIGHT FROM ZPERSON ORDER BY 1", on: store)
        #expect(try CommandRunner.run("migrate", store.path, "--to", next.path).status == 0)
        #expect(try SQLiteShell.run("SELECT Z_PK, ZSIZE FROM ZPERSON ORDER BY 1", on: store) == before)
        let again = try CommandRunner.run("model", "diff", store.path, next.path)
        #expect(again.output.contains("Stores need no migration") || again.status == 0, "\(again.output)")
    }

    @Test func troubleHasAnExitCodeOfItsOwn() throws {
        let source = try models.model(ModelFolder.first)
        let missing = try CommandRunner.run("model", "diff", source, models.path("None.mom"))
        #expect(missing.status == 2)
        #expect(missing.errors == "opencoredata: There is no file at \(models.path("None.mom")).\n")
        let version = try CommandRunner.run("model", "diff", source, source, "--version-b", "X")
        #expect(version.status == 2)
        #expect(version.errors == "opencoredata: \(source) has no versions, but X was requested.\n")
        #expect(try CommandRunner.run("model", "diff", source).status == 64)
    }

    @Test(.enabled(if: Fixtures.available)) func aStoreAndItsSourceAreComparedByWhatTheyHold() throws {
        let source = try Fixtures.url("coredataplus/SampleModel3/SampleModel3.xcdatamodeld").path
        let store = try Fixtures.copy("coredataplus/SampleModel3/SampleModel3_V1.sqlite", into: models.folder)
        let same = try CommandRunner.run("model", "diff", store.path, source + ":SampleModel3", "--json")
        let json = try #require(try same.json() as? [String: Any])
        #expect((json["migration"] as? [String: Any])?["kind"] as? String == "none", "\(same.output)")
        let next = try CommandRunner.run("model", "diff", store.path, source + ":SampleModel3_v2")
        #expect(next.status == 1)
        #expect(next.output.contains("added entity Pet"))
    }
}
