import CampaignCore
import Dispatch
import Foundation
import Glibc
import OpenCoreDataKit
import Synchronization
import TestSupport

/// Random blocks of every kind at a time, on two databases of this process and in another process, which may be killed: what they
/// have read and appended to some lists has to be explained by one order of them.
struct KitHistory {
    private let work: HistoryWork
    private let folder: URL
    private let program: URL

    /// Runs blocks, and checks.
    ///
    /// - Returns: How many there were.
    static func run(_ input: KitCampaign.Input, _ folder: URL, _ workspace: Workspace) throws -> [String: Int] {
        var random = SplitMix64(seed: input.seed)
        let work = HistoryWork(
            store: HistoryStore.place(in: folder), layout: random.pick([0, 0, 1, 2, 3, 4]), seed: random.next() >> 12,
            blocks: 4 * input.operations, databases: 1 + random.below(2), isPlanted: workspace.isPlanted,
            log: folder.appendingPathComponent("blocks-0").path, firstValue: 0)
        return try KitHistory(work: work, folder: folder, program: workspace.program).run(&random)
    }

    private func run(_ random: inout SplitMix64) throws -> [String: Int] {
        try Waiting.wait {
            let database = try await work.open()
            try await HistoryWork.fill(database)
            try await database.close()
        }
        var counts: [String: Int] = [:]
        let others = try (0..<random.below(3)).map { number in
            try start(number + 1, seed: random.next() >> 12)
        }
        let delays = others.map { _ in random.chance(60) ? UInt32(random.below(400_000)) : nil }
        let own = Background { [work] in try Waiting.wait { try await work.run() } }
        for (process, delay) in zip(others, delays) {
            guard let delay else { continue }
            usleep(delay)
            if process.poll() == nil { counts["processes killed in a history", default: 0] += 1 }
            process.kill()
        }
        try own.wait()
        for (process, delay) in zip(others, delays) where delay == nil {
            guard process.wait(atMostSeconds: 100) == .exited(0) else {
                throw KitCampaign.failure("A process with blocks did not end well", words)
            }
        }
        let history = SerialHistory()
        for number in 0...others.count { HistoryLog.add(log(number), to: history) }
        let lists = try Waiting.wait {
            let database = try await work.open()
            let lists = try await HistoryWork.lists(database)
            try await database.close()
            return lists
        }
        let anomalies = history.anomalies(lists)
        guard anomalies.isEmpty else {
            throw KitCampaign.failure("No order of the blocks explains them", anomalies.joined(separator: "\n"))
        }
        counts["blocks of histories"] = history.count
        counts["blocks of histories on a server"] = work.store.isFileURL ? 0 : history.count
        counts["blocks of other processes"] = others.isEmpty ? 0 : history.count - history.count(named: "0 ")
        return counts
    }

    private func log(_ number: Int) -> String { folder.appendingPathComponent("blocks-\(number)").path }

    private var errorsFile: URL { folder.appendingPathComponent("errors") }
    private var words: String { (try? String(contentsOf: errorsFile, encoding: .utf8)) ?? "" }

    private func start(_ number: Int, seed: UInt64) throws -> ChildProcess {
        var work = work
        (work.seed, work.log, work.firstValue) = (seed, log(number), number * 1_000_000)
        (work.databases, work.isPlanted) = (1, false)
        let words = String(decoding: try JSONEncoder().encode(work), as: UTF8.self)
        return try ChildProcess(
            program, ["actor", HistoryActor.name, words], environment: ["SWIFT_BACKTRACE": "enable=no"],
            errors: errorsFile)
    }
}

/// A process that runs blocks of a history.
enum HistoryActor {
    static let name = "history"

    static func run(_ arguments: [String]) throws {
        let work = try JSONDecoder().decode(HistoryWork.self, from: Data((arguments.last ?? "").utf8))
        try Waiting.wait { try await work.run() }
    }
}

/// Work on a thread of its own.
private final class Background: Sendable {
    private let failure = Mutex<(any Error)?>(nil)
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () throws -> Void) {
        Thread { [self] in
            do { try body() } catch { failure.withLock { $0 = error } }
            done.signal()
        }.start()
    }

    func wait() throws {
        done.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
