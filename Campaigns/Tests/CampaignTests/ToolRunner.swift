import CampaignCore
import Foundation

/// Runs the command, which is built beside the tests.
struct ToolRunner {
    struct Outcome {
        var status: Int32
        var output: String
    }

    let folder: URL

    init() throws { folder = try Scratch.folder() }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    var failures: URL { folder.appendingPathComponent("failures") }
    var totals: URL { folder.appendingPathComponent("totals.json") }

    private static var program: URL {
        var folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        if !FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent("campaign").path) {
            folder = Bundle.main.bundleURL
        }
        return folder.appendingPathComponent("campaign")
    }

    /// Runs the command and waits for it.
    func callAsFunction(_ arguments: [String]) throws -> Outcome {
        let output = folder.appendingPathComponent("output-\(UUID().uuidString)")
        let end = try ChildProcess(Self.program, arguments, output: output, errors: output).wait()
        let string = String(decoding: (try? Data(contentsOf: output)) ?? Data(), as: UTF8.self)
        guard case .exited(let status) = end else { return Outcome(status: -1, output: "\(end): \(string)") }
        return Outcome(status: status, output: string)
    }

    /// Runs a campaign whose files are in the runner's folder.
    func run(_ name: String, _ arguments: [String]) throws -> Outcome {
        try self(["run", name, "--failures", failures.path, "--totals", totals.path] + arguments)
    }
}
