import OpenCoreDataKit
import TestSupport
import Testing

/// The Swift code in documents is code that compiles: each block stands in a file of a folder Snippets, here or beside the
/// tests of a library, or in a client package. `Scripts/check-readme` builds the pages that are whole programs.
@Suite struct SnippetTests {
    static let programs = ["README.md", "Documentation/Guides/FirstApp.md"]

    @Test(arguments: try Documents.all().filter { !$0.swiftBlocks.isEmpty && !programs.contains($0.name) })
    func everyBlockIsCompiled(_ document: Documents.Document) throws {
        let tests = Documents.root.appendingPathComponent("Tests")
        let sources = try FileManager.default.subpathsOfDirectory(atPath: tests.path)
            .filter { ($0.contains("/Snippets/") || $0.hasPrefix("ClientPackages/")) && $0.hasSuffix(".swift") }
            .map { try String(contentsOf: tests.appendingPathComponent($0), encoding: .utf8) }
        for block in document.swiftBlocks {
            // What needs a trait is within #if, one step further in.
            let indented = block.replacing(/(?m)^(?=.)/, with: "    ")
            let isCompiled = sources.contains { $0.contains(block + "\n") || $0.contains(indented + "\n") }
            #expect(
                isCompiled,
                "No file in a folder Snippets, or of a client package, has this block of \(document.name):\n\(block)")
        }
    }

    @Test func theExampleOfTheReadmeRuns() throws {
        let folder = try TemporaryFolder()
        #expect(try run(in: folder.url) == ["Solaris", "The Name of the Rose"])
    }
}
