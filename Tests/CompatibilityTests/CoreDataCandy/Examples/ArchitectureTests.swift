import CoreDataCandy
import Testing

@Suite struct ArchitectureTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    // Feature CANDY-55
    @Test func thePageHasADrawingOfTheTypesThatThereAre() throws {
        let page = try String(
            contentsOf: Self.root.appendingPathComponent("Documentation/Libraries/CoreDataCandy.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "## Architecture").dropFirst().first)
        let drawing = try #require(section.components(separatedBy: "```").dropFirst().first)
        let drawn = drawing.matches(of: /\b(?:[A-Z][a-z]+){2,}\b/).map { String($0.0) }
        let names = Set(drawn).subtracting(["CoreDataCandy", "OpenCoreDataKit"])
        let folders = ["Sources/CoreDataCandy", "Sources/OpenCoreDataKit", "Sources/CoreDataEngine"]
        var declared: Set<String> = []
        for folder in folders {
            let files = FileManager.default.enumerator(atPath: Self.root.appendingPathComponent(folder).path)
            for case let file as String in try #require(files) where file.hasSuffix(".swift") {
                let url = Self.root.appendingPathComponent(folder).appendingPathComponent(file)
                let source = try String(contentsOf: url, encoding: .utf8)
                for found in source.matches(of: /(?:class|struct|enum|protocol|typealias) ([A-Za-z]+)/) {
                    declared.insert(String(found.1))
                }
            }
        }
        #expect(names.count >= 8)
        #expect(names.subtracting(declared).isEmpty)
    }
}
