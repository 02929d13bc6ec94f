import Foundation
import Testing

/// The project's documents are complete and point to things that are there.
@Suite struct DocumentFileTests {
    @Test(arguments: ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "DEVIATIONS.md", "LICENSE"])
    func isThere(_ name: String) throws {
        #expect(!(try String(contentsOf: Documents.root.appendingPathComponent(name), encoding: .utf8)).isEmpty)
    }

    @Test(arguments: try Documents.all())
    func linksLeadSomewhere(_ document: Documents.Document) {
        for link in document.relativeLinks {
            let target = document.url.deletingLastPathComponent().appendingPathComponent(link)
            #expect(FileManager.default.fileExists(atPath: target.path), "\(document.name) links to \(link)")
        }
    }
}
