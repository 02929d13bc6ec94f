public import Foundation

/// A failing case as its file keeps it.
public struct FailureReport: Codable, Sendable {
    /// The campaign's name.
    public var campaign: String
    public var seed: UInt64
    public var index: Int
    /// The commit of the project that the case failed with.
    public var commit: String
    /// What is wrong, the same for all cases of the same kind.
    public var title: String
    /// What is wrong in this case: the campaign's own words, or what the process said when it died.
    public var detail: String
    /// The case's input as JSON; nil where it could not be made.
    public var input: String?

    /// Writes the report into a folder.
    ///
    /// - Returns: The file.
    public func write(into folder: URL) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let url = folder.appendingPathComponent("\(campaign)-\(Self.hash(title))-\(seed)-\(index).json")
        try encoder.encode(self).write(to: url, options: .atomic)
        return url
    }

    public static func read(_ url: URL) throws -> FailureReport {
        try JSONDecoder().decode(FailureReport.self, from: Data(contentsOf: url))
    }

    /// Eight hexadecimal digits that are the same for the same string (FNV-1a).
    static func hash(_ string: String) -> String {
        let value = string.utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
