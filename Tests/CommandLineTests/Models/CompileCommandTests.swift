import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct CompileCommandTests {
    private let models: ModelFolder

    init() throws { models = try ModelFolder() }

    @Test func allVersionsAreCompiledBesideTheSource() throws {
        let source = try models.versions(["Shop": ModelFolder.first, "Shop 2": ModelFolder.second], current: "Shop 2")
        let result = try CommandRunner.run("model", "compile", source)
        #expect(result.status == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first?.hasPrefix("Shop.mom: 2 entities, checksum ") == true)
        #expect(lines.dropFirst().first?.hasPrefix("Shop 2.mom (current): 3 entities, checksum ") == true)
        #expect(lines.last == "wrote \(models.path("Shop.momd"))")
        #expect(try models.names("Shop.momd") == ["Shop 2.mom", "Shop.mom", "VersionInfo.plist"])
        #expect(try models.names() == ["Shop.momd", "Shop.xcdatamodeld"])
        let url = models.folder.file("Shop.momd")
        let info = try #require(
            PropertyListSerialization.propertyList(
                from: Data(contentsOf: url.appendingPathComponent("VersionInfo.plist")), format: nil) as? [String: Any])
        #expect(info["NSManagedObjectModel_CurrentVersionName"] as? String == "Shop 2")
        for (name, source) in [("Shop", ModelFolder.first), ("Shop 2", ModelFolder.second)] {
            let path = try models.model(source, named: "Single.xcdatamodel")
            let expected = try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path)))
            let compiled = try #require(NSManagedObjectModel(contentsOf: url.appendingPathComponent("\(name).mom")))
            #expect(ModelSummary.differences(compiled, expected) == [])
            #expect(compiled.entityVersionHashesByName == expected.entityVersionHashesByName)
            let hashes = (info["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])?[name]
            #expect(hashes == expected.entityVersionHashesByName)
        }
        let current = try #require(NSManagedObjectModel(contentsOf: url))
        #expect(current.entitiesByName["Place"] != nil)
    }

    @Test func aSingleModelBecomesAFile() throws {
        let source = try models.model(ModelFolder.first)
        let result = try CommandRunner.run("model", "compile", source, "--output", models.path("Other.mom"))
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.isEmpty)
        let model = try #require(NSManagedObjectModel(contentsOf: models.folder.file("Other.mom")))
        let original = try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: source)))
        #expect(ModelSummary.differences(model, original) == [])
        let wrong = try CommandRunner.run("model", "compile", source, "--output", models.path("Other.momd"))
        #expect(wrong.status == 1)
        #expect(wrong.errors == "opencoredata: The output \(models.path("Other.momd")) must end in .mom.\n")
    }

    @Test func theModuleOfTheProgramsClassesIsWritten() throws {
        let entities = """
            <entity name="A" representedClassName=".A"><attribute name="t" attributeType="Transformable" customClassName=".T"/>
            </entity>
            <entity name="B" representedClassName="B"/><entity name="C" representedClassName="Kit.C"/><entity name="D"/>
            """
        let single = try models.model(entities)
        let several = try models.versions(["Shop": entities, "Shop 2": entities], current: "Shop 2")
        for (module, expected) in [("Shop_1", ["Shop_1.A", "B", "Kit.C"]), (nil, ["A", "B", "Kit.C"])] {
            for (source, output) in [(single, "One.mom"), (several, "All.momd")] {
                let path = models.path(output)
                let result = try CommandRunner.run(
                    ["model", "compile", source, "--quiet", "--force", "--output", path]
                        + (module.map { ["--module", $0] } ?? []))
                #expect(result.status == 0, "\(result.errors)")
                let model = try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path)))
                let names = ["A", "B", "C"].map { model.entitiesByName[$0]?.managedObjectClassName }
                #expect(names == expected)
                #expect(model.entitiesByName["D"]?.managedObjectClassName == "NSManagedObject")
                let value = model.entitiesByName["A"]?.attributesByName["t"]?.attributeValueClassName
                #expect(value == (module == nil ? "T" : "Shop_1.T"))
            }
        }
        let wrong = try CommandRunner.run("model", "compile", single, "--module", "1 Shop")
        #expect(wrong.status == 64 && wrong.errors.contains("'1 Shop' is not the name of a module."))
    }

    @Test func errorsNameFileAndElementAndLeaveWhatIsThere() throws {
        let source = try models.versions(["Shop": ModelFolder.first], current: nil)
        #expect(try CommandRunner.run("model", "compile", source).status == 0)
        let before = try Data(contentsOf: models.folder.file("Shop.momd/Shop.mom"))
        _ = try models.model(
            ModelFolder.first.replacingOccurrences(of: "Integer 16", with: "Integer 17"),
            named: "Shop.xcdatamodeld/Shop.xcdatamodel")
        let result = try CommandRunner.run("model", "compile", source)
        #expect(result.status == 1)
        #expect(
            result.errors
                == "\(source)/Shop.xcdatamodel/contents:4: error: Item.size: The type Integer 17 is not known.\n")
        #expect(result.output.isEmpty)
        #expect(try Data(contentsOf: models.folder.file("Shop.momd/Shop.mom")) == before)
        #expect(try models.names() == ["Shop.momd", "Shop.xcdatamodeld"])
    }

    @Test func warningsDoNotStopAndCanBeLeftOut() throws {
        let source = try models.model(
            "<entity name=\"A\"><relationship name=\"b\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"A\"/></entity>"
        )
        let result = try CommandRunner.run("model", "compile", source)
        #expect(result.status == 0)
        #expect(result.errors.contains("contents:2: warning: A.b: The relationship should have an inverse"))
        #expect(try CommandRunner.run("model", "compile", source, "--quiet", "--force").errors.isEmpty)
    }

    /// What is left of another type is passed over, as by Xcode.
    @Test func leftoverDefaultsAndLimitsAreWarnings() throws {
        let source = try models.model(
            """
            <entity name="Meal">
            <attribute name="id" optional="YES" attributeType="UUID" defaultValueString="empy"/>
            <attribute name="made" optional="YES" attributeType="Date" defaultDateTimeInterval="NO"/>
            <attribute name="day" optional="YES" attributeType="Date" defaultValueString="NO"/>
            <attribute name="price" optional="YES" attributeType="Decimal" defaultValueString="cheap"/>
            <attribute name="text" optional="YES" attributeType="String" minValueString="abc" maxValueString="few"/>
            <attribute name="count" optional="YES" attributeType="Integer 16" minValueString="none" maxValueString="7"/>
            </entity>
            """)
        for command in [["model", "compile", source], ["model", "validate", source], ["schema", source]] {
            let result = try CommandRunner.run(command)
            #expect(result.status == 0, "\(command): \(result.errors)")
        }
        let validated = try CommandRunner.run("model", "validate", source).output
        for (property, value) in [
            ("id", "empy"), ("made", "NO"), ("price", "cheap"), ("text", "abc"), ("count", "none"),
        ] {
            #expect(validated.contains("warning: Meal.\(property)"), "\(validated)")
            #expect(validated.contains("'\(value)'"), "\(validated)")
        }
        let model = try #require(NSManagedObjectModel(contentsOf: models.folder.file("Shop.mom")))
        let meal = try #require(model.entitiesByName["Meal"])
        for name in ["id", "made", "day", "price"] { #expect(meal.attributesByName[name]?.defaultValue == nil) }
        #expect(meal.attributesByName["text"]?.validationPredicates.isEmpty == true)
        #expect(meal.attributesByName["count"]?.validationPredicates.map(\.predicateFormat) == ["SELF <= 7"])
    }

    /// Xcode leaves such files; the first version by name is the current one then.
    @Test(arguments: ["<plist version=\"1.0\"><dict/></plist>", ""])
    func aCurrentVersionThatIsNotNamedIsTheFirst(_ content: String) throws {
        let source = try models.versions(["A": ModelFolder.first, "B": ModelFolder.second], current: nil)
        try Data(content.utf8).write(to: URL(fileURLWithPath: source).appendingPathComponent(".xccurrentversion"))
        #expect(try CommandRunner.run("model", "validate", source).status == 0)
        #expect(try CommandRunner.run("schema", source).output.contains("title"))
        let result = try CommandRunner.run("model", "compile", source)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("A.mom (current)"))
        let model = try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: models.path("Shop.momd"))))
        #expect(model.entitiesByName["Item"]?.attributesByName["title"] != nil)
        #expect(try CommandRunner.run("model", "generate", source, "-o", models.path("Classes")).status == 0)
    }

    @Test func anOldVersionInBinaryFormDoesNotStopTheOthers() throws {
        let source = try models.versions(["B": ModelFolder.first, "C": ModelFolder.second], current: "C")
        let old = URL(fileURLWithPath: source).appendingPathComponent("A.xcdatamodel")
        try FileManager.default.createDirectory(at: old, withIntermediateDirectories: true)
        for name in ["elements", "layout"] { try Data("bplist00".utf8).write(to: old.appendingPathComponent(name)) }
        let result = try CommandRunner.run("model", "compile", source)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("A.xcdatamodel: warning: This version is in the binary form"))
        #expect(try models.names("Shop.momd") == ["B.mom", "C.mom", "VersionInfo.plist"])
        let validated = try CommandRunner.run("model", "validate", source, "--all-versions")
        #expect(validated.status == 0)
        #expect(validated.output.contains("A.xcdatamodel: warning: "))
        #expect(try CommandRunner.run("model", "diff", "\(source):B", source).status == 1)
        // The current one is needed.
        _ = try models.versions([:], current: "A")
        let current = try CommandRunner.run("model", "compile", source)
        #expect(current.status == 1)
        #expect(current.errors.contains("binary form"), "\(current.errors)")
    }

    @Test func foldersThatDoNotSayTheCurrentVersionAreNotCompiled() throws {
        let source = try models.versions(["A": ModelFolder.first, "B": ModelFolder.second], current: nil)
        let result = try CommandRunner.run("model", "compile", source)
        #expect(result.status == 1)
        #expect(result.errors.contains("doesn't say which one is current"))
        #expect(!models.exists("Shop.momd"))
        _ = try models.versions([:], current: "C")
        let missing = try CommandRunner.run("model", "compile", source)
        #expect(missing.status == 1)
        #expect(missing.errors.contains("'C'"), "\(missing.errors)")
        let none = try CommandRunner.run("model", "compile", models.path("None.xcdatamodeld"))
        #expect(
            none.errors == "opencoredata: There is no file at \(models.path("None.xcdatamodeld")); did you mean "
                + "\(models.path("Shop.xcdatamodeld"))?\n")
    }

    @Test(
        .enabled(if: Fixtures.available),
        arguments: ["SampleModel/SampleModel", "SampleModel3/SampleModel3"])
    func theResultIsThatOfApplesCompiler(path: String) throws {
        let apple = try Fixtures.url("coredataplus/\(path).momd")
        let output = models.folder.file("Result.momd")
        let result = try CommandRunner.run(
            "model", "compile", try Fixtures.url("coredataplus/\(path).xcdatamodeld").path, "-o", output.path)
        #expect(result.status == 0, "\(result.errors)")
        func info(_ url: URL) throws -> NSDictionary {
            let data = try Data(contentsOf: url.appendingPathComponent("VersionInfo.plist"))
            return try #require(PropertyListSerialization.propertyList(from: data, format: nil) as? NSDictionary)
        }
        let (ours, theirs) = (try info(output), try info(apple))
        for key in theirs.allKeys.compactMap({ $0 as? String }) {
            #expect((ours[key] as? NSObject) == (theirs[key] as? NSObject), "\(key)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: apple.path).filter { $0.hasSuffix(".mom") }
        for name in names {
            let compiled = try #require(NSManagedObjectModel(contentsOf: output.appendingPathComponent(name)))
            let original = try #require(NSManagedObjectModel(contentsOf: apple.appendingPathComponent(name)))
            #expect(compiled.entityVersionHashesByName == original.entityVersionHashesByName)
            // The compiler leaves the class of transformable values out.
            #expect(ModelSummary.differences(compiled, original).filter { !$0.contains(": value class ") } == [])
        }
    }
}
