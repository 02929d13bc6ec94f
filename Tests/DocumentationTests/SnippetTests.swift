import Foundation
import TestSupport
import Testing

/// The Swift code in documents is code that compiles: each block stands in a file of the folder Snippets.
@Suite struct SnippetTests {
    @Test(arguments: try Documents.all().filter { !$0.swiftBlocks.isEmpty })
    func everyBlockIsCompiled(_ document: Documents.Document) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Snippets")
        let sources = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
        for block in document.swiftBlocks {
            let isCompiled = sources.contains { $0.contains(block + "\n") }
            #expect(isCompiled, "No file in Snippets has this block of \(document.name):\n\(block)")
        }
    }

    @Test func theExampleOfTheReadmeRuns() throws {
        let folder = try TemporaryFolder()
        #expect(try run(in: folder.url) == ["Solaris", "The Name of the Rose"])
    }
}
