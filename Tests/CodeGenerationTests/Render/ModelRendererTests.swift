import Foundation
import ModelCodeGeneration
import Testing

@Suite struct ModelRendererTests {
    private func renderer(_ change: (inout GenerationSettings) -> Void) throws -> ModelRenderer {
        var settings = GenerationSettings()
        change(&settings)
        let location = try ModelLocation(path: Samples.library.path)
        let result = ModelCodeGenerator.renderer(
            contents: try location.read(), file: "contents", name: location.name, settings: settings)
        #expect(result.diagnostics.map(\.description) == [])
        return result.value
    }

    @Test func eachEntityGetsWhatTheModelSays() throws {
        let files = try renderer { _ in }.files()
        #expect(
            files.map(\.name) == [
                "Book+CoreDataClass.swift", "Book+CoreDataProperties.swift", "Item+CoreDataClass.swift",
                "Item+CoreDataProperties.swift", "Map+CoreDataClass.swift", "Map+CoreDataProperties.swift",
                "Novel+CoreDataClass.swift", "Novel+CoreDataProperties.swift", "Chapter+CoreDataProperties.swift",
            ])
        for file in files { try Samples.expect(file.content, isFile: file.name) }
    }

    @Test func oneFileHoldsEverything() throws {
        let file = try renderer { settings in
            settings.mode = .class
            settings.makesTemplateFunctions = true
        }.singleFile(named: "Library+CoreDataModel.swift")
        try Samples.expect(file.content, isFile: file.name)
    }

    @Test func settingsChangeTypesAndAccess() throws {
        let file = try renderer { settings in
            settings.mode = .category
            settings.access = .internal
            settings.collections = .swift
            settings.optionality = .xcode
            settings.importedModule = "CoreData"
        }.singleFile(named: "Library+Swift.swift")
        try Samples.expect(file.content, isFile: file.name)
    }

    @Test func manualMakesNothing() throws {
        let renderer = try renderer { $0.mode = .manual }
        #expect(renderer.files().isEmpty)
        #expect(renderer.singleFile(named: "M.swift").content == "// M.swift\n// The model asks for no code.\n")
    }

    @Test func onlyARootClassIsMadeIdentifiable() throws {
        let files = try renderer { $0.mode = .class }.files()
        let identifiable = files.filter { $0.content.contains(": Identifiable {}") }.map(\.name)
        #expect(
            identifiable == [
                "Book+CoreDataProperties.swift", "Item+CoreDataProperties.swift", "Author+CoreDataProperties.swift",
                "Chapter+CoreDataProperties.swift",
            ])
    }

    @Test func anIDThatCannotIdentifyLeavesIdentifiableOut() {
        var settings = GenerationSettings()
        settings.mode = .class
        let code = Samples.code(
            """
            <entity name="A" representedClassName="A"><attribute name="id" attributeType="Transformable"
            customClassName="[String: Any]"/></entity>
            """, settings)
        #expect(code.contains("public var id: [String: Any]? {"))
        #expect(!code.contains("Identifiable"))
    }
}
