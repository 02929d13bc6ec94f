import ArgumentParser
import BNRCoreDataStack
import CampaignCore
import Dispatch
import Foundation
import OpenCoreData
import OpenCoreDataKit
import Sticky

/// Awaits what can be awaited, on the main actor and on another one, and looks where it goes on. To be built optimized: in
/// builds without optimization the compiler makes no such mistakes.
struct IsolationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "isolation",
        abstract: "Looks whether code that awaits goes on where it is isolated.")

    func run() throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var wrong = try Waiting.wait { try await MainIsolation(folder.appendingPathComponent("main")).findings() }
        wrong += try Waiting.wait { try await QueueIsolation(folder.appendingPathComponent("actor")).findings() }
        for name in wrong { print("isolation: goes on elsewhere after: \(name)") }
        print("isolation: \(IsolationSteps.count * 2) ways to wait, \(wrong.count) failures")
        if !wrong.isEmpty { throw ExitCode(1) }
    }
}

/// What is awaited on the main actor.
@MainActor private final class MainIsolation {
    private let folder: URL

    nonisolated init(_ folder: URL) { self.folder = folder }

    func findings() async throws -> [String] {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let steps = try IsolationSteps(folder) { DispatchQueue.getSpecific(key: key) == true }
        return try await steps.run().map { "\($0) (main actor)" }
    }
}

/// Runs what an actor does on a queue.
private final class QueueExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "isolation")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// What is awaited on an actor that has a queue of its own.
private actor QueueIsolation {
    private let folder: URL
    private let executor = QueueExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ folder: URL) { self.folder = folder }

    func findings() async throws -> [String] {
        let key = DispatchSpecificKey<Bool>()
        executor.queue.setSpecific(key: key, value: true)
        let steps = try IsolationSteps(folder) { DispatchQueue.getSpecific(key: key) == true }
        return try await steps.run().map { "\($0) (actor)" }
    }
}
