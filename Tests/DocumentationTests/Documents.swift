import Foundation
import Testing

/// The Markdown files of the project, and what tests want to know about them.
enum Documents {
    struct Document: Sendable, CustomTestStringConvertible {
        let name: String
        let url: URL
        let text: String

        var testDescription: String { name }

        /// The targets of links and images that are paths in this project, without their fragments.
        var relativeLinks: [String] {
            text.matches(of: /\]\(([^)\s#]+)[^)]*\)/)
                .map { String($0.1) }
                .filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }
        }

        /// The rows of the tables, without their heads, by cells.
        var tableRows: [[String]] {
            var rows: [[String]] = []
            var isBelowHead = false
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("| ---") {
                    isBelowHead = true
                } else if !line.hasPrefix("|") {
                    isBelowHead = false
                } else if isBelowHead {
                    rows.append(line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) })
                }
            }
            return rows
        }

        /// The headings of a level, in order, without their number signs.
        func headings(level: Int) -> [String] {
            let start = String(repeating: "#", count: level) + " "
            return text.split(separator: "\n").filter { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
        }

        /// The fenced blocks marked `swift`, in order.
        var swiftBlocks: [String] {
            var blocks: [String] = []
            var current: [Substring]?
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if let lines = current {
                    if line == "```" {
                        blocks.append(lines.joined(separator: "\n"))
                        current = nil
                    } else {
                        current = lines + [line]
                    }
                } else if line == "```swift" {
                    current = []
                }
            }
            return blocks
        }
    }

    /// The root of the package.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The Markdown files at the root and under Documentation.
    static func all() throws -> [Document] {
        let manager = FileManager.default
        var names = try manager.contentsOfDirectory(atPath: root.path)
        let folder = root.appendingPathComponent("Documentation").path
        names += manager.enumerator(atPath: folder)?.compactMap { ($0 as? String).map { "Documentation/" + $0 } } ?? []
        return try names.filter { $0.hasSuffix(".md") }.sorted().map { name in
            let url = root.appendingPathComponent(name)
            return Document(name: name, url: url, text: try String(contentsOf: url, encoding: .utf8))
        }
    }

    /// The tests of each deviation from Apple's framework, as `Tests/deviations.tsv` lists them.
    static func deviationTests() throws -> [String: [String]] {
        let list = try String(contentsOf: root.appendingPathComponent("Tests/deviations.tsv"), encoding: .utf8)
        let rows = list.split(separator: "\n").dropFirst().map { $0.split(separator: "\t").map(String.init) }
        return Dictionary(rows.map { ($0[0], $0.dropFirst().flatMap { $0.split(separator: " ").map(String.init) }) }) {
            $0 + $1
        }
    }

    /// The texts of the Swift files in a folder of the package and below.
    static func swiftFiles(under name: String) throws -> [String] {
        let folder = root.appendingPathComponent(name)
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        // Examples that were built have the sources of other packages in a hidden folder.
        return try paths.filter { $0.hasSuffix(".swift") && !$0.contains("/.") && !$0.hasPrefix(".") }
            .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
    }

    /// The functions of the tests, as `Type.function`, with each type that their file has.
    static func testFunctions() throws -> Set<String> {
        var names: Set<String> = []
        for text in try swiftFiles(under: "Tests") {
            let types = text.matches(of: /(?:struct|class|enum|actor|extension) (\w+)/).map { $0.1 }
            for function in text.matches(of: /func `?(\w+)/) {
                for type in types { names.insert("\(type).\(function.1)") }
            }
        }
        return names
    }
}
