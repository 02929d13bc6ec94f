import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct ModelCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func makeModel(_ entities: String) throws -> String {
        let model = folder.file("Shop.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data("<model>\(entities)</model>".utf8).write(to: model.appendingPathComponent("contents"))
        return model.path
    }

    private static let shop = """
        <entity name="Item" representedClassName="Item" codeGenerationType="class">
        <attribute name="title" optional="YES" attributeType="String"/></entity>
        <entity name="Owner" representedClassName="Owner"/>
        """

    @Test func generateWritesWhatTheModelAsksFor() throws {
        let model = try makeModel(Self.shop)
        let output = folder.file("Generated")
        let result = try CommandRunner.run("model", "generate", model, "-o", output.path)
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        #expect(result.output == "wrote  Item+CoreDataClass.swift\nwrote  Item+CoreDataProperties.swift\n")
        let code = try String(
            contentsOf: output.appendingPathComponent("Item+CoreDataProperties.swift"), encoding: .utf8)
        #expect(code.contains("public import OpenCoreData"))
        #expect(code.contains("public var title: String? {"))
        let again = try CommandRunner.run("model", "generate", model, "-o", output.path)
        #expect(again.output == "same   Item+CoreDataClass.swift\nsame   Item+CoreDataProperties.swift\n")
    }

    @Test func oneVersionIsGeneratedAndCompiled() throws {
        let bundle = folder.file("Shop.xcdatamodeld")
        for (name, attribute) in [("Shop", "title"), ("Shop 2", "label")] {
            let version = bundle.appendingPathComponent("\(name).xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            let entities = Self.shop.replacingOccurrences(of: "title", with: attribute)
            try Data("<model>\(entities)</model>".utf8).write(to: version.appendingPathComponent("contents"))
        }
        for (version, attribute) in [("Shop", "title"), ("Shop 2", "label")] {
            let output = folder.file("Generated \(version)")
            let generate = try CommandRunner.run(
                "model", "generate", "\(bundle.path):\(version)", "-o", output.path)
            #expect(generate.status == 0, "\(generate.errors)")
            let code = try String(
                contentsOf: output.appendingPathComponent("Item+CoreDataProperties.swift"), encoding: .utf8)
            #expect(code.contains("public var \(attribute): String? {"))
            #expect(code.contains("Shop.xcdatamodeld") || !code.contains(".xcdatamodel"))

            let compile = try CommandRunner.run("model", "compile", "\(bundle.path):\(version)")
            #expect(compile.status == 0, "\(compile.errors)")
            let schema = try CommandRunner.run("schema", folder.file("\(version).mom").path, "Item")
            #expect(schema.output.contains(attribute), "\(schema.errors)")
        }
        for command in ["generate", "compile"] {
            let missing = try CommandRunner.run(
                "model", command, "\(bundle.path):Shop 3", "-o", folder.file("x.mom").path)
            #expect(missing.status == 1)
            #expect(missing.errors.contains("has no version Shop 3; did you mean Shop 2?"), "\(missing.errors)")
        }
    }

    @Test func generateTakesSettings() throws {
        let model = try makeModel(Self.shop)
        let output = folder.file("Generated")
        let result = try CommandRunner.run(
            "model", "generate", model, "--output", output.path, "--mode", "class", "--import", "CoreData", "--access",
            "internal", "--module", "Shop")
        #expect(result.output.split(separator: "\n").count == 4)
        let code = try String(contentsOf: output.appendingPathComponent("Owner+CoreDataClass.swift"), encoding: .utf8)
        #expect(code.contains("\nimport CoreData\n"))
        #expect(code.contains("\nclass Owner: NSManagedObject {}\n"))
    }

    @Test func generateSaysWhatIsWrong() throws {
        let model = try makeModel(
            "<entity name=\"A\" representedClassName=\"A B\" codeGenerationType=\"class\"/>")
        let output = folder.file("Generated")
        let result = try CommandRunner.run("model", "generate", model, "-o", output.path)
        #expect(result.status == 1)
        #expect(
            result.errors
                == "\(model)/contents:1: error: the class 'A B' of the entity 'A' has a name that isn't valid in Swift\n"
        )
        #expect(!FileManager.default.fileExists(atPath: output.path))
        let missing = try CommandRunner.run("model", "generate", "\(model)d", "-o", output.path)
        #expect(missing.status == 1)
        #expect(missing.errors.contains("Shop.xcdatamodeld: the folder cannot be read"))
        let wrong = try CommandRunner.run("model", "generate", model, "-o", output.path, "--mode", "magic")
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("'magic' isn't a value of 'mode'; the values are class, category, manual"))
    }

    @Test func aModelThatAsksForNothingIsSaidSo() throws {
        let model = try makeModel("<entity name=\"A\" representedClassName=\"A\"/>")
        let result = try CommandRunner.run("model", "generate", model, "-o", folder.file("Generated").path)
        #expect(result.status == 0)
        #expect(result.output == "Shop.xcdatamodel doesn't ask for code; --mode class generates all classes.\n")
    }

    @Test func portShowsAndMakesTheChange() throws {
        let sources = folder.file("Sources")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        let file = sources.appendingPathComponent("Item.swift")
        let old =
            "import CoreData\n@objc(Item)\nclass Item: NSManagedObject {\n    @NSManaged private var title: String?\n}\n"
        try Data(old.utf8).write(to: file)
        try Data("struct Other {}\n".utf8).write(to: sources.appendingPathComponent("Other.swift"))

        let shown = try CommandRunner.run("model", "port", sources.path, "--dry-run")
        #expect(shown.status == 0)
        #expect(try String(contentsOf: file, encoding: .utf8) == old)
        let result = try CommandRunner.run("model", "port", sources.path)
        #expect(result.output == shown.output)
        #expect(
            result.output.contains("-    @NSManaged private var title: String?\n+    @NSManaged var title: String?\n"))
        #expect(!result.output.contains("Other"))
        #expect(
            try String(contentsOf: file, encoding: .utf8)
                == "import CoreData\n#if canImport(ObjectiveC)\n@objc(Item)\n#endif\nclass Item: NSManagedObject {\n"
                + "    @NSManaged var title: String?\n}\n")
        let again = try CommandRunner.run("model", "port", sources.path)
        #expect(again.output.isEmpty && again.errors.hasPrefix("Nothing needs to be changed in"), "\(again.errors)")
        #expect(result.errors.isEmpty)
        #expect(try CommandRunner.run("model", "port", folder.file("none").path).status == 1)
    }

    @Test func portNamesWhatItLeavesAndAMissingPlugin() throws {
        let sources = folder.file("Sources")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        let source =
            "import CoreData\nclass Item: NSManagedObject {\n    @NSManaged var title: String?\n}\nlet a = #selector(Item.go)\n"
        try Data(source.utf8).write(to: sources.appendingPathComponent("Item.swift"))
        try Data("let package = Package(name: \"Shop\")\n".utf8).write(to: folder.file("Package.swift"))
        let result = try CommandRunner.run("model", "port", sources.path)
        #expect(result.status == 0 && result.output.isEmpty)
        #expect(result.errors.contains("Item.swift:5: warning: #selector needs Objective-C"))
        #expect(result.errors.contains("Package.swift: warning: no target uses the plugin GenerateModels"))
        try Data("// GenerateModels\n".utf8).write(to: folder.file("Package.swift"))
        #expect(try !CommandRunner.run("model", "port", sources.path).errors.contains("GenerateModels"))
    }

    @Test func portNamesComputedPropertiesThatKeysOfOtherFilesName() throws {
        let sources = folder.file("Sources")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        let item =
            "class Item: NSManagedObject {\n    @objc var initial: String { \"\" }\n    @objc var other: Int { 1 }\n}\n"
        let list =
            "import UIKit\nlet a = NSFetchedResultsController<Item>(fetchRequest: b, managedObjectContext: c, "
            + "sectionNameKeyPath: #keyPath(Item.initial), cacheName: nil)\n"
        try Data(list.utf8).write(to: sources.appendingPathComponent("AList.swift"))
        try Data(item.utf8).write(to: sources.appendingPathComponent("Item.swift"))
        for _ in 1...2 {
            let result = try CommandRunner.run("model", "port", sources.path)
            #expect(result.status == 0)
            let lines = result.errors.split(separator: "\n")
            #expect(lines.count == 1)
            #expect(lines.first?.contains("Item.swift:7: warning: Item.initial isn't a property of the model") == true)
        }
        let ported = try String(contentsOf: sources.appendingPathComponent("AList.swift"), encoding: .utf8)
        #expect(
            ported.hasPrefix("import CoreData\nimport UIKit\n") && ported.contains("sectionNameKeyPath: \"initial\""))
    }
}
