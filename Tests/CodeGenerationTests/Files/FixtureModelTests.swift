import Foundation
import ModelCodeGeneration
import TestSupport
import Testing

/// Models that Apple's tools wrote. That their classes compile is what `Scripts/check-generated-models` sees to.
@Suite struct FixtureModelTests {
    @Test(.enabled(if: Fixtures.available, "the models of Apple's tools are not here"))
    func everyModelGetsClasses() throws {
        let versions = Fixtures.files(withExtensions: "xcdatamodel")
        #expect(versions.count > 10)
        var settings = GenerationSettings()
        settings.mode = .class
        for version in versions {
            let url = try Fixtures.url(version)
            guard let location = try? ModelLocation(path: url.path) else {
                // The one model in the form of Xcode 3.
                #expect(FileManager.default.fileExists(atPath: url.appendingPathComponent("elements").path))
                continue
            }
            let result = ModelCodeGenerator.renderer(
                contents: try location.read(), file: version, name: location.name, settings: settings)
            #expect(result.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
            let document = try ModelParser.parse(try location.read(), file: version)
            let classes = document.entities.filter { $0.className != nil && $0.className != "NSManagedObject" }
            #expect(result.value.files().count == 2 * classes.count)
        }
    }
}
