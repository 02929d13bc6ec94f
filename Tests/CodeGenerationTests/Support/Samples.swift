import Foundation
import ModelCodeGeneration
import Testing

/// The models and expected texts of these tests.
enum Samples {
    /// The folder of the tests.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    /// The model of the client package, which has everything that code is made for, and builds there.
    static let library = folder.deletingLastPathComponent()
        .appendingPathComponent("ClientPackages/GeneratedModel/Sources/Library/Library.xcdatamodeld")

    /// The source of a model with what stands inside of its root element.
    static func model(_ content: String) -> Data {
        Data("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<model>\n\(content)\n</model>\n".utf8)
    }

    /// The diagnostics of a model.
    static func diagnostics(_ content: String, _ settings: GenerationSettings = GenerationSettings()) -> [String] {
        ModelCodeGenerator.renderer(contents: model(content), file: "M.xml", name: "M", settings: settings)
            .diagnostics.map(\.description)
    }

    /// The code of a model without its head.
    static func code(_ content: String, _ settings: GenerationSettings = GenerationSettings()) -> String {
        let result = ModelCodeGenerator.renderer(contents: model(content), file: "M.xml", name: "M", settings: settings)
        #expect(result.diagnostics.map(\.description) == [])
        return result.value.singleFile(named: "M.swift").content
    }

    /// Compares a text with the file that holds what it should be.
    ///
    /// With `OPENCOREDATA_WRITE_EXPECTED` set, the file is written instead.
    static func expect(_ string: String, isFile name: String, sourceLocation: SourceLocation = #_sourceLocation) throws
    {
        let file = folder.appendingPathComponent("Expected/\(name).expected")
        if ProcessInfo.processInfo.environment["OPENCOREDATA_WRITE_EXPECTED"] != nil {
            try Data(string.utf8).write(to: file)
            return
        }
        let expected = try String(contentsOf: file, encoding: .utf8)
        guard string != expected else { return }
        let difference = UnifiedDiff.text(from: expected, to: string, file: name)
        Issue.record("The text differs from the expected one:\n\(difference)", sourceLocation: sourceLocation)
    }
}
