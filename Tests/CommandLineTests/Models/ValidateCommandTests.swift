import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct ValidateCommandTests {
    private let models: ModelFolder

    init() throws { models = try ModelFolder() }

    /// What is wrong with a model, and what is found of it.
    struct Example: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let source: String
        let found: [String]

        init(_ name: String, _ source: String, _ found: String...) {
            testDescription = name
            self.source = source
            self.found = found
        }
    }

    private static func attribute(_ text: String) -> String {
        "<entity name=\"A\"><attribute name=\"a\" \(text)/></entity>"
    }

    /// A relationship from A to B with an inverse.
    private static func pair(_ forth: String, _ back: String) -> String {
        """
        <entity name="A"><relationship name="b" destinationEntity="B" inverseName="a" inverseEntity="B" \(forth)/></entity>
        <entity name="B"><relationship name="a" destinationEntity="A" inverseName="b" inverseEntity="A" \(back)/></entity>
        """
    }

    private static let toOne = "optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\""
    private static let toMany = "optional=\"YES\" toMany=\"YES\" deletionRule=\"Nullify\""
    private static let string = "optional=\"YES\" attributeType=\"String\""

    static let entities: [Example] = [
        Example("lower case", "<entity name=\"a\"><attribute name=\"x\" \(string)/></entity>", "warning entity-case a"),
        Example("no name", "<entity><attribute name=\"x\" \(string)/></entity>", "error name "),
        Example("wrong name", "<entity name=\"A b\"><attribute name=\"x\" \(string)/></entity>", "error name A b"),
        Example(
            "twice",
            "<entity name=\"A\"><attribute name=\"x\" \(string)/></entity>\n<entity name=\"A\"><attribute name=\"x\" \(string)/></entity>",
            "error duplicate-entity A"),
        Example(
            "no parent", "<entity name=\"A\" parentEntity=\"B\"/>", "error missing-parent A", "note empty-entity A"),
        Example(
            "cycle",
            "<entity name=\"A\" parentEntity=\"B\"><attribute name=\"x\" \(string)/></entity>\n<entity name=\"B\" parentEntity=\"A\"/>",
            "error inheritance A", "error inheritance B"),
        Example(
            "one class",
            "<entity name=\"A\" representedClassName=\"X\"><attribute name=\"x\" \(string)/></entity>\n<entity name=\"B\" representedClassName=\".X\"><attribute name=\"x\" \(string)/></entity>",
            "warning duplicate-class B"),
        Example(
            "abstract", "<entity name=\"A\" isAbstract=\"YES\"><attribute name=\"x\" \(string)/></entity>",
            "note abstract A"),
        Example("empty", "<entity name=\"A\"/>", "note empty-entity A"),
        Example(
            "renamed twice",
            "<entity name=\"A\" elementID=\"B\"><attribute name=\"x\" \(string)/></entity>\n<entity name=\"B\"><attribute name=\"x\" \(string)/></entity>",
            "warning renaming A"),
        Example("nothing", "", "note empty-model "),
    ]

    static let names: [Example] = [
        Example(
            "reserved", attribute(string).replacingOccurrences(of: "\"a\"", with: "\"description\""),
            "error reserved-name A.description"),
        Example(
            "objectID", attribute(string).replacingOccurrences(of: "\"a\"", with: "\"objectID\""),
            "error reserved-name A.objectID"),
        Example(
            "hasChanges", attribute(string).replacingOccurrences(of: "\"a\"", with: "\"hasChanges\""),
            "error reserved-name A.hasChanges"),
        Example(
            "fetchRequest", attribute(string).replacingOccurrences(of: "\"a\"", with: "\"fetchRequest\""),
            "warning reserved-name A.fetchRequest"),
        Example(
            "upper case", attribute(string).replacingOccurrences(of: "\"a\"", with: "\"Size\""),
            "warning property-case A.Size"),
        Example("no name", attribute(string).replacingOccurrences(of: "name=\"a\"", with: ""), "error name A"),
        Example("digits", attribute(string).replacingOccurrences(of: "\"a\"", with: "\"2a\""), "error name A.2a"),
        Example(
            "inherited",
            "<entity name=\"A\"><attribute name=\"x\" \(string)/></entity>\n<entity name=\"B\" parentEntity=\"A\"><attribute name=\"x\" \(string)/></entity>",
            "error duplicate-property B.x"),
        Example(
            "twice", "<entity name=\"A\"><attribute name=\"x\" \(string)/>\n<attribute name=\"x\" \(string)/></entity>",
            "error duplicate-property A.x"),
    ]

    static let attributes: [Example] = [
        Example("no type", attribute("optional=\"YES\""), "error type A.a"),
        Example("transient", attribute("optional=\"YES\" transient=\"YES\"")),
        Example("unknown type", attribute("attributeType=\"Integer 17\""), "error type A.a"),
        Example("object ID", attribute("attributeType=\"ObjectID\""), "error type A.a"),
        Example("composite", attribute("attributeType=\"Composite\" composite=\"Point\""), "error composite A.a"),
        Example("no transformer", attribute("attributeType=\"Transformable\""), "warning transformer A.a"),
        Example(
            "insecure transformer",
            attribute("attributeType=\"Transformable\" valueTransformerName=\"NSKeyedUnarchiveFromData\""),
            "warning transformer A.a"),
        Example(
            "secure transformer",
            attribute("attributeType=\"Transformable\" valueTransformerName=\"NSSecureUnarchiveFromData\"")),
        Example(
            "optional scalar", attribute("optional=\"YES\" attributeType=\"Integer 64\" usesScalarValueType=\"YES\""),
            "note optional-scalar A.a"),
        Example(
            "default is no number", attribute("attributeType=\"Integer 16\" defaultValueString=\"NO\""),
            "warning default A.a"),
        Example(
            "default is too large", attribute("attributeType=\"Integer 16\" defaultValueString=\"70000\""),
            "warning default A.a"),
        Example(
            "default is no UUID", attribute("attributeType=\"UUID\" defaultValueString=\"x\""), "warning default A.a"),
        Example(
            "default below the limit",
            attribute("attributeType=\"Integer 16\" defaultValueString=\"1\" minValueString=\"2\""),
            "warning default A.a"),
        Example(
            "default too long",
            attribute("attributeType=\"String\" defaultValueString=\"abc\" maxValueString=\"2\""),
            "warning default A.a"),
        Example(
            "default of another pattern",
            attribute("attributeType=\"String\" defaultValueString=\"abc\" regularExpressionString=\"[0-9]+\""),
            "warning default A.a"),
        Example(
            "pattern", attribute("attributeType=\"String\" regularExpressionString=\"[0-9\""), "warning pattern A.a"),
        Example(
            "limits", attribute("attributeType=\"Double\" minValueString=\"2\" maxValueString=\"1.5\""),
            "warning limits A.a"),
        Example(
            "derived from members, the operator last",
            "<entity name=\"A\"><relationship name=\"b\" destinationEntity=\"B\" inverseName=\"a\" inverseEntity=\"B\" \(toMany)/><attribute name=\"s\" optional=\"YES\" attributeType=\"Integer 64\" derived=\"YES\" derivationExpression=\"b.n.@sum\"/></entity>\n<entity name=\"B\"><relationship name=\"a\" destinationEntity=\"A\" inverseName=\"b\" inverseEntity=\"A\" \(toOne)/><attribute name=\"n\" optional=\"YES\" attributeType=\"Integer 64\"/></entity>"
        ),
        Example(
            "derived from what members lack, the operator last",
            "<entity name=\"A\"><relationship name=\"b\" destinationEntity=\"B\" inverseName=\"a\" inverseEntity=\"B\" \(toMany)/><attribute name=\"s\" optional=\"YES\" attributeType=\"Integer 64\" derived=\"YES\" derivationExpression=\"b.m.@sum\"/></entity>\n<entity name=\"B\"><relationship name=\"a\" destinationEntity=\"A\" inverseName=\"b\" inverseEntity=\"A\" \(toOne)/><attribute name=\"n\" optional=\"YES\" attributeType=\"Integer 64\"/></entity>",
            "error derivation A.s"),
        Example("derived from nothing", attribute("attributeType=\"String\" derived=\"YES\""), "error derivation A.a"),
        Example(
            "derived from nonsense",
            attribute("attributeType=\"String\" derived=\"YES\" derivationExpression=\"uppercase:(\""),
            "error derivation A.a"),
        Example(
            "derived from what is not there",
            attribute("attributeType=\"String\" derived=\"YES\" derivationExpression=\"uppercase:(b)\""),
            "error derivation A.a"),
        Example(
            "derived",
            "<entity name=\"A\"><attribute name=\"b\" \(string)/><attribute name=\"a\" \(string) derived=\"YES\" derivationExpression=\"canonical:(b)\"/></entity>"
        ),
    ]

    static let relationships: [Example] = [
        Example(
            "no destination", "<entity name=\"A\"><relationship name=\"b\" \(toOne)/></entity>",
            "error destination A.b"),
        Example(
            "missing destination",
            "<entity name=\"A\"><relationship name=\"b\" destinationEntity=\"B\" \(toOne)/></entity>",
            "error destination A.b"),
        Example(
            "no inverse", "<entity name=\"A\"><relationship name=\"b\" destinationEntity=\"A\" \(toOne)/></entity>",
            "warning inverse A.b"),
        Example("good", pair(toMany, toOne)),
        Example(
            "no action", pair(toMany.replacingOccurrences(of: "Nullify", with: "No Action"), toOne),
            "warning delete-rule A.b"),
        Example(
            "nullify what is needed", pair(toMany, toOne.replacingOccurrences(of: "optional=\"YES\"", with: "")),
            "warning nullify A.b"),
        Example("counts", pair(toMany + " minCount=\"3\" maxCount=\"2\"", toOne), "error counts A.b"),
        Example(
            "to one of five", pair(toMany, toOne.replacingOccurrences(of: "\"1\"", with: "\"5\"")), "warning counts B.a"
        ),
        Example("ordered to one", pair(toMany, toOne + " ordered=\"YES\""), "warning ordered B.a"),
        Example("ordered many to many", pair(toMany + " ordered=\"YES\"", toMany), "note ordered A.b"),
        Example(
            "another inverse",
            pair(toMany, toOne) + """
                <entity name="C"><relationship name="b" destinationEntity="B" inverseName="a" inverseEntity="B" \(toMany)/></entity>
                """, "error inverse C.b"),
        Example(
            "unknown inverse",
            pair(toMany, toOne).replacingOccurrences(of: "inverseName=\"a\"", with: "inverseName=\"x\""),
            "error inverse A.b", "error inverse B.a"),
        Example(
            "half an inverse", pair(toMany, toOne).replacingOccurrences(of: "inverseName=\"b\"", with: ""),
            "warning inverse A.b", "warning inverse B.a"),
    ]

    static let others: [Example] = [
        Example(
            "index",
            "<entity name=\"A\"><attribute name=\"a\" \(string)/><fetchIndex name=\"i\"><fetchIndexElement property=\"b\" type=\"Binary\" order=\"ascending\"/></fetchIndex></entity>",
            "error index A"),
        Example(
            "index of a transient",
            "<entity name=\"A\"><attribute name=\"a\" \(string) transient=\"YES\"/><fetchIndex name=\"i\"><fetchIndexElement property=\"a\" type=\"Binary\" order=\"ascending\"/></fetchIndex></entity>",
            "warning index A"),
        Example(
            "constraint",
            "<entity name=\"A\"><attribute name=\"a\" \(string)/><uniquenessConstraints><uniquenessConstraint><constraint value=\"b\"/></uniquenessConstraint></uniquenessConstraints></entity>",
            "error constraint A"),
        Example(
            "constraint of many",
            pair(toMany, toOne).replacingOccurrences(
                of: "</entity>\n",
                with:
                    "<uniquenessConstraints><uniquenessConstraint><constraint value=\"b\"/></uniquenessConstraint></uniquenessConstraints></entity>\n"
            ), "warning constraint A"),
        Example(
            "request", attribute(string) + "<fetchRequest name=\"all\" entity=\"B\"/>", "error fetch-request "),
        Example(
            "predicate", attribute(string) + "<fetchRequest name=\"all\" entity=\"A\" predicateString=\"a ==\"/>",
            "error fetch-request "),
        Example(
            "predicate of an unknown property",
            attribute(string) + "<fetchRequest name=\"all\" entity=\"A\" predicateString=\"a == $X OR b.c &gt; 1\"/>",
            "warning fetch-request "),
        Example(
            "predicate",
            attribute(string)
                + "<fetchRequest name=\"all\" entity=\"A\" predicateString=\"SELF == $X OR a.length &gt; 1\"/>"),
        Example(
            "limits of no number", attribute("attributeType=\"Integer 16\" minValueString=\"x\""), "warning limits A.a"),
        Example(
            "configuration",
            attribute(string) + "<configuration name=\"C\"><memberEntity name=\"B\"/></configuration>",
            "error configuration "),
        Example(
            "cloud",
            attribute("attributeType=\"String\"")
                + "<configuration name=\"C\" usedWithCloudKit=\"YES\"><memberEntity name=\"A\"/></configuration>",
            "warning cloud A.a"),
        Example("no cloud", attribute("attributeType=\"String\"")),
    ]

    @Test(arguments: entities + names + attributes + relationships + others)
    func everyRuleFindsWhatItIsFor(_ example: Example) throws {
        let model = try models.model(example.source)
        let result = try CommandRunner.run("model", "validate", model, "--json")
        let findings = try #require(try result.json() as? [[String: Any]])
        let found = findings.map { finding in
            let path = [finding["entity"], finding["property"]].compactMap { $0 as? String }.joined(separator: ".")
            return "\(finding["severity"] ?? "") \(finding["rule"] ?? "") \(path)"
        }
        #expect(found.sorted() == example.found.sorted(), "\(result.output)")
        #expect(result.status == (example.found.contains { $0.hasPrefix("error") } ? 1 : 0))
        #expect(result.errors.isEmpty)
    }

    @Test func findingsAreLinesThatEditorsUnderstand() throws {
        let model = try models.model(
            Self.pair(Self.toMany.replacingOccurrences(of: "Nullify", with: "No Action"), Self.toOne))
        let result = try CommandRunner.run("model", "validate", model)
        #expect(
            result.output == """
                \(model)/contents:2: warning: A.b: The delete rule No Action leaves objects that refer to a deleted one.
                0 errors, 1 warning, 0 notes

                """)
        #expect(result.status == 0)
        #expect(try CommandRunner.run("model", "validate", model, "--strict").status == 1)
    }

    @Test func notesAreShownWhenAskedFor() throws {
        let model = try models.model("<entity name=\"A\"/>")
        #expect(
            try CommandRunner.run("model", "validate", model).output
                == "0 errors, 0 warnings, 1 note (--notes shows them)\n")
        let result = try CommandRunner.run("model", "validate", model, "--notes", "--strict")
        #expect(result.output.hasPrefix("\(model)/contents:2: note: A: The entity has no properties.\n"))
        #expect(result.status == 0)
    }

    @Test func oneVersionOrAllAreLookedAt() throws {
        let source = try models.versions(
            ["Old": "<entity name=\"a\"><attribute name=\"x\" \(Self.string)/></entity>", "New": ModelFolder.first],
            current: "New")
        #expect(try CommandRunner.run("model", "validate", source).output == "0 errors, 0 warnings, 0 notes\n")
        let old = try CommandRunner.run("model", "validate", source + ":Old")
        #expect(old.output.contains("Old.xcdatamodel/contents:2: warning: a: "))
        #expect(try CommandRunner.run("model", "validate", source, "--all-versions").output == old.output)
        let none = try CommandRunner.run("model", "validate", source + ":None")
        #expect(none.status == 1)
        #expect(none.errors == "opencoredata: \(source) has no version None; it has New, Old.\n")
    }

    /// A folder that doesn't say which version is current has versions all the same.
    @Test func aVersionIsCheckedWithoutACurrentOne() throws {
        let entity = "<entity name=\"A\"><attribute name=\"x\" \(Self.string)/></entity>"
        let source = try models.versions(["One": entity, "Two": entity], current: nil)
        for arguments in [[source + ":One"], [source, "--all-versions"]] {
            let result = try CommandRunner.run(["model", "validate"] + arguments)
            #expect(result.output == "0 errors, 0 warnings, 0 notes\n", "\(result.errors)")
        }
        let unclear = try CommandRunner.run("model", "validate", source)
        #expect(unclear.status == 1 && unclear.errors.contains("doesn't say which one is current"))
    }

    @Test func compiledModelsAreLookedAtToo() throws {
        let source = try models.model(
            Self.pair(Self.toMany, Self.toOne.replacingOccurrences(of: "optional=\"YES\"", with: "")))
        #expect(try CommandRunner.run("model", "compile", source, "--quiet").status == 0)
        let compiled = models.path("Shop.mom")
        let result = try CommandRunner.run("model", "validate", compiled)
        #expect(result.output.hasPrefix("\(compiled): warning: A.b: Deleting an object sets B.a to nil"))
    }

    @Test func damagedSourceIsOneSentence() throws {
        let model = try models.model("<entity")
        let result = try CommandRunner.run("model", "validate", model)
        #expect(result.status == 1)
        #expect(result.errors.hasPrefix("opencoredata: contents: "))
        #expect(result.errors.split(separator: "\n").count == 1)
    }

    /// Apple's compiler took them all, so nothing in them is an error.
    @Test(.enabled(if: Fixtures.available), arguments: FixtureModels.all)
    func modelsThatAppleCompiledHaveNoErrors(_ path: String) throws {
        let result = try CommandRunner.run("model", "validate", try Fixtures.url(path).path, "--json")
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
}
