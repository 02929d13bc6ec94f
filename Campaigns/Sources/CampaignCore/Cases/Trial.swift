package import Foundation

/// One run of a case: counts what happens, and has a folder that is removed afterwards.
///
/// A trial belongs to the thread that runs the case.
package final class Trial {
    /// How often each thing happened in all cases of the process.
    package private(set) var outcomes: [String: Int] = [:]
    private let root: URL
    private var made: URL?
    private var number = 0

    /// - Parameter root: The folder in which the cases' folders are made.
    package init(root: URL) { self.root = root }

    /// Counts something that happened, so that a campaign which never reaches anything is seen.
    package func count(_ outcome: String, by amount: Int = 1) { outcomes[outcome, default: 0] += amount }

    /// The outcome under which compared operations are counted.
    package static let operations = "operations compared"

    /// Counts operations of the case whose results were compared: a case may be one of them or hundreds.
    package func compared(_ amount: Int = 1) { count(Self.operations, by: amount) }

    /// An empty folder for this case.
    package func folder() throws -> URL {
        if let made { return made }
        number += 1
        let url = root.appendingPathComponent("case\(number)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        made = url
        return url
    }

    /// Removes the case's folder.
    package func finish() {
        if let made { try? FileManager.default.removeItem(at: made) }
        made = nil
    }
}
