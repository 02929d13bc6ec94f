package import Foundation

/// A failing case as its file keeps it.
package struct FailureReport: Codable, Sendable {
    /// The campaign's name.
    package var campaign: String
    package var seed: UInt64
    package var index: Int
    /// The commit of the project that the case failed with.
    package var commit: String
    /// What is wrong, the same for all cases of the same kind.
    package var title: String
    /// What is wrong in this case: the campaign's own words, or what the process said when it died.
    package var detail: String
    /// The case's input as JSON; nil where it could not be made.
    package var input: String?

    /// Writes the report into a folder.
    ///
    /// - Returns: The file.
    package func write(into folder: URL) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let url = folder.appendingPathComponent("\(campaign)-\(Self.hash(title))-\(seed)-\(index).json")
        try encoder.encode(self).write(to: url, options: .atomic)
        return url
    }

    package static func read(_ url: URL) throws -> FailureReport {
        try JSONDecoder().decode(FailureReport.self, from: Data(contentsOf: url))
    }

    /// Eight hexadecimal digits that are the same for the same string (FNV-1a).
    static func hash(_ string: String) -> String {
        let value = string.utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
