package import Foundation

/// Runs one case in a child process of its own, with a backtrace when it traps.
package struct CaseProcess {
    /// What came of it.
    package enum Outcome: Equatable, Sendable {
        case passed
        case failed(title: String, detail: String)
    }

    let campaign: AnyCampaign
    let program: URL
    let isPlanted: Bool

    package init(_ campaign: AnyCampaign, program: URL, isPlanted: Bool) {
        self.campaign = campaign
        self.program = program
        self.isPlanted = isPlanted
    }

    /// The exit status of a case that throws.
    package static let failed: Int32 = 3

    /// Runs the case of a seed.
    package func run(seed: UInt64, _ index: Int) throws -> Outcome {
        try run(["case", campaign.name, "--seed", "\(seed)", "--index", "\(index)"])
    }

    /// Runs a kept input.
    package func run(_ file: URL) throws -> Outcome {
        try run(["case", campaign.name, "--file", file.path])
    }

    /// The input of a case of a seed.
    func input(seed: UInt64, _ index: Int) -> String? {
        guard let folder = try? Scratch.folder() else { return nil }
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appendingPathComponent("output")
        let arguments = ["input", campaign.name, "--seed", "\(seed)", "--index", "\(index)"]
        let process = try? ChildProcess(program, arguments + planted, output: output)
        guard process?.wait(atMostSeconds: 120) == .exited(0), let data = try? Data(contentsOf: output) else {
            return nil
        }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private var planted: [String] { isPlanted ? ["--planted"] : [] }

    private func run(_ arguments: [String]) throws -> Outcome {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let errors = folder.appendingPathComponent("errors")
        let hasBacktrace = getenv("CAMPAIGN_WITHOUT_BACKTRACES") == nil
        let backtrace =
            "enable=\(hasBacktrace ? "yes" : "no"),color=no,interactive=no,output-to=stderr,threads=crashed,images=none,registers=none,unwind=precise,limit=80"
        let process = try ChildProcess(
            program, arguments + planted + ["--folder", folder.path],
            environment: ["SWIFT_BACKTRACE": backtrace], errors: errors)
        let end = process.wait(atMostSeconds: Double(campaign.secondsPerCase) + 60)
        let words = String(decoding: (try? Data(contentsOf: errors)) ?? Data(), as: UTF8.self)
        switch end {
        case .exited(0): return .passed
        case .exited(Self.failed):
            let lines = words.split(separator: "\n", maxSplits: 1)
            return .failed(title: String(lines.first ?? ""), detail: String(lines.dropFirst().first ?? ""))
        case .exited(let status):
            let sentence = Crash.fatalError(words).map { ": \($0)" } ?? ""
            return .failed(title: "Exit status \(status)\(sentence)", detail: words)
        case .killed(let signal):
            guard hasBacktrace, Crash.frames(words).isEmpty, Crash.mayDebug(words),
                let backtrace = Debugger.backtrace(program, arguments + planted)
            else { return .failed(title: Crash.title(signal, words), detail: words) }
            let functions = Debugger.functions(backtrace).prefix(3).joined(separator: " < ")
            return .failed(title: "\(Crash.title(signal, words)) in \(functions)", detail: words + backtrace)
        case nil: return .failed(title: "Hangs", detail: words)
        }
    }
}
