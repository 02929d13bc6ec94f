import Foundation
import ModelCodeGeneration
import TestSupport
import Testing

/// Generated classes for Apple's framework, type-checked against a module that has its names and nothing else.
@Suite struct AppleSideTests {
    private func code(_ change: (inout GenerationSettings) -> Void = { _ in }) throws -> String {
        var settings = GenerationSettings()
        settings.mode = .class
        settings.importedModule = "CoreData"
        settings.apple = .managed
        change(&settings)
        let location = try ModelLocation(path: Samples.library.path)
        let result = ModelCodeGenerator.renderer(
            contents: try location.read(), file: "contents", name: location.name, settings: settings)
        return result.value.singleFile(named: "Library.swift").content
    }

    /// The branch that Apple's compiler takes.
    private func appleSide(_ code: String) throws -> String {
        let start = try #require(code.range(of: "#if canImport(ObjectiveC)\n"))
        let end = try #require(code.range(of: "\n#else\n"))
        return String(code[start.upperBound..<end.lowerBound]) + "\n"
    }

    @Test func bothSidesHaveTheSameDeclarations() throws {
        for collections in GenerationSettings.Collections.allCases {
            let code = try code { $0.collections = collections }
            func declarations(_ string: some StringProtocol) -> [String] {
                string.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                    .filter { $0.contains("public var ") || $0.contains("func ") || $0.contains("class ") }
                    .filter { !$0.contains("ManagedProperty") && !$0.hasPrefix("//") }
                    .map { $0.replacingOccurrences(of: "@NSManaged ", with: "") }
                    .map { $0.hasSuffix(" {") ? String($0.dropLast(2)) : $0 }
            }
            let apple = declarations(try appleSide(code))
            let start = try #require(code.range(of: "\n#else\n"))
            let engine = Set(declarations(code[start.upperBound...]))
            #expect(apple.count > 40)
            #expect(apple.filter { !engine.contains($0) } == [])
        }
    }

    @Test func whatTheRuntimeCannotSupplyIsComputed() throws {
        let code = try appleSide(code { $0.collections = .swift })
        #expect(code.contains("@objc(Book)\npublic class Book: NSManagedObject {}"))
        #expect(code.contains("    @NSManaged public var title: "))
        #expect(code.contains("mutableOrderedSetValue(forKey: \"chapters\").array as? [Chapter] ?? []"))
        #expect(!code.contains("ManagedProperty") && !code.contains("mutableSetValue(forKey: \"chapters\")"))
    }

    @Test func withoutTheSettingXcodeMakesTheClasses() throws {
        #expect(try code { $0.apple = .xcode }.contains("#if !canImport(ObjectiveC)"))
        #expect(try !code { $0.importedModule = "OpenCoreData" }.contains("canImport"))
    }

    @Test(
        .enabled(if: SwiftCompiler.compiler != nil, "swiftc is missing"),
        arguments: GenerationSettings.Collections.allCases, GenerationSettings.Optionality.allCases)
    func theClassesCompileAgainstApplesNames(
        _ collections: GenerationSettings.Collections, _ optionality: GenerationSettings.Optionality
    ) throws {
        let folder = try TemporaryFolder()
        try SwiftCompiler.emitModule(
            "CoreData", source: Samples.folder.appendingPathComponent("Apple/CoreData.swift"), in: folder.url)
        let code = try code { settings in
            settings.collections = collections
            settings.optionality = optionality
            settings.makesTemplateFunctions = true
        }
        // The attribute needs the runtime; what else the code says is Swift.
        let source = try appleSide(code).split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("@objc(") }.joined(separator: "\n")
        let file = folder.file("Library.swift")
        try Data(source.utf8).write(to: file)
        try SwiftCompiler.check([file], in: folder.url)
    }
}
