import Foundation
import ModelCodeGeneration
import TestSupport
import Testing

@Suite struct ModelLocationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func makeVersion(_ name: String, in bundle: String) throws {
        let version = folder.file(bundle).appendingPathComponent("\(name).xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try Samples.model("").write(to: version.appendingPathComponent("contents"))
    }

    private func makeCurrent(_ name: String, in bundle: String) throws {
        let plist = try PropertyListSerialization.data(
            fromPropertyList: ["_XCCurrentVersionName": name], format: .xml, options: 0)
        try plist.write(to: folder.file(bundle).appendingPathComponent(".xccurrentversion"))
    }

    private func found(_ name: String) -> String {
        do throws(Diagnostic) {
            let contents = try ModelLocation(path: folder.file(name).path).contents
            return contents.deletingLastPathComponent().lastPathComponent
        } catch {
            return error.message
        }
    }

    @Test func theCurrentVersionIsFound() throws {
        try makeVersion("A", in: "M.xcdatamodeld")
        #expect(found("M.xcdatamodeld") == "A.xcdatamodel")
        try makeVersion("A 2", in: "M.xcdatamodeld")
        #expect(
            found("M.xcdatamodeld") == "there are 2 versions and no .xccurrentversion that says which one is current")
        try makeCurrent("A 2.xcdatamodel", in: "M.xcdatamodeld")
        #expect(found("M.xcdatamodeld") == "A 2.xcdatamodel")
        #expect(found("M.xcdatamodeld/A.xcdatamodel") == "A.xcdatamodel")
        try makeCurrent("../../etc.xcdatamodel", in: "M.xcdatamodeld")
        #expect(found("M.xcdatamodeld") == "the current version, '../../etc.xcdatamodel', doesn't exist")
    }

    @Test func whatIsMissingIsSaid() throws {
        #expect(found("M.txt") == "this is neither an .xcdatamodeld nor an .xcdatamodel")
        #expect(found("M.xcdatamodeld").hasPrefix("the folder cannot be read"))
        #expect(found("M.xcdatamodel").hasPrefix("there is no file"))
        try FileManager.default.createDirectory(at: folder.file("M.xcdatamodel"), withIntermediateDirectories: true)
        try Data([0]).write(to: folder.file("M.xcdatamodel").appendingPathComponent("elements"))
        #expect(found("M.xcdatamodel").contains("binary form of Xcode 3"))
        try FileManager.default.createDirectory(at: folder.file("E.xcdatamodeld"), withIntermediateDirectories: true)
        #expect(found("E.xcdatamodeld") == "there is no version of the model in the folder")
    }

    @Test func aFileThatIsTheSameKeepsItsDate() throws {
        let file = GeneratedFile(name: "A.swift", content: "// A\n")
        let target = folder.url.appendingPathComponent("deep/folder", isDirectory: true)
        #expect(try file.write(into: target))
        #expect(try !file.write(into: target))
        #expect(try GeneratedFile(name: "A.swift", content: "// B\n").write(into: target))
    }

    @Test(arguments: [
        ("{ \"import\": \"CoreData\", \"mode\": \"class\", \"access\": \"internal\" }", nil),
        ("{ \"mode\": \"model\", \"templates\": true }", nil),
        ("[]", "the settings aren't a JSON object"),
        (
            "{ \"color\": 1 }",
            "there is no setting 'color'; there are access, apple, collections, import, mode, module, optionality, "
                + "templates"
        ),
        ("{ \"mode\": 1 }", "the settings must be strings, and 'templates' must be true or false"),
        ("{ \"mode\": \"magic\" }", "'magic' isn't a value of 'mode'; the values are class, category, manual"),
        ("{ \"import\": \"A B\" }", "'A B' isn't a valid module name"),
    ])
    func settingsAreReadFromAFile(_ string: String, _ message: String?) throws {
        let file = folder.file(".model-codegen.json")
        try Data(string.utf8).write(to: file)
        var settings = GenerationSettings()
        do throws(Diagnostic) {
            try GenerationOptions(contentsOf: file).apply(to: &settings, file: file.path)
            #expect(message == nil)
        } catch {
            #expect(error.message == message)
        }
    }
}
