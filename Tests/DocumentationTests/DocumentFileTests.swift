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

    @Test func everyDeviationHasATestThatIsThere() throws {
        let deviations = try #require(try Documents.all().first { $0.name == "DEVIATIONS.md" })
        let functions = try Documents.testFunctions()
        let tests = try Documents.deviationTests()
        let headings = deviations.headings(level: 3)
        #expect(headings.count > 80)
        #expect(Set(headings).count == headings.count)
        #expect(Set(headings) == Set(tests.keys))
        for (deviation, names) in tests {
            #expect(!names.isEmpty, "no test is named for: \(deviation)")
            for name in names { #expect(functions.contains(name), "\(name) is named for: \(deviation)") }
        }
    }

    @Test(arguments: [
        "NSPersistentCloudKitContainer", "NSCoreDataCoreSpotlightDelegate", "NSPersistentDocument",
        "NSPersistentStoreUbiquitousContentNameKey",
    ])
    func whatIsLeftOutIsDeclaredNowhere(name: String) throws {
        let sources = try Documents.swiftFiles(under: "Sources")
        #expect(sources.count > 300)
        for kind in ["class", "struct", "enum", "protocol", "typealias", "let"] {
            #expect(!sources.contains { $0.contains("\(kind) \(name)") })
        }
    }

    @Test func everyFactOfTheComparisonHasASourceOrACommand() throws {
        let comparison = try #require(try Documents.all().first { $0.name == "Documentation/Comparison.md" })
        let sources = Set(comparison.text.matches(of: /(?m)^(\d+)\. \[/).compactMap { Int($0.1) })
        #expect(sources.count > 20)
        #expect(sources == Set(1...sources.count))
        var named: Set<Int> = []
        // The first row says what each is best at.
        for row in comparison.tableRows.dropFirst() {
            for cell in row.dropFirst() {
                let numbers = cell.matches(of: /\[(\d+)\]/).compactMap { Int($0.1) }
                named.formUnion(numbers)
                let isShown =
                    !numbers.isEmpty || cell == "–" || cell == "its own" || cell.contains("`") || cell.contains("](")
                #expect(isShown, "\(row[0]): \(cell)")
                #expect(sources.isSuperset(of: numbers), "\(row[0]): \(cell)")
            }
        }
        #expect(named == sources)
    }

    @Test(arguments: [
        "Scripts/test", "Scripts/check-apple-side", "Scripts/check-api", "Scripts/docs", "Scripts/release",
    ])
    func scriptsThatDocumentsNameAreThere(_ path: String) throws {
        #expect(FileManager.default.isExecutableFile(atPath: Documents.root.appendingPathComponent(path).path))
        #expect(try Documents.all().contains { $0.text.contains(path) })
    }
}
