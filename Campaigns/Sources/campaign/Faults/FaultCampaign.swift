import CampaignCore
import Foundation
import OpenCoreData
import TestSupport

/// Each system call of each operation fails once, in each way: the store stays whole and retrying works.
struct FaultCampaign: Campaign {
    struct Input: Codable {
        var operation: FaultOperation
        var call: Int
        var effect: String
        var isForever: Bool
    }

    static let name = "faults"
    static let summary =
        "Each system call of saves, batches, migrations and more fails: stores stay whole, retries work."
    static let aim = "all calls"
    static let casesPerProcess = 2_000

    private static let effects: [(name: String, isForever: Bool)] = [
        ("EIO", false), ("ENOSPC", false), ("EINTR", false), ("SHORT", false), ("EIO", true), ("ENOSPC", true),
    ]

    private let workspace: Workspace
    private let server: ForkServer
    private var templates: [String: StoreTemplate] = [:]
    private let calls = CallCounts()

    init(_ workspace: Workspace) throws {
        self.workspace = workspace
        server = try ForkServer(
            workspace.program,
            environment: [
                "LD_PRELOAD": FaultLibrary.file(beside: workspace.program).path, "SWIFT_BACKTRACE": "enable=no",
            ])
        for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType] {
            templates[type] = try StoreTemplate(
                type: type, keepsLog: false, in: workspace.folder.appendingPathComponent("template"))
        }
    }

    /// How many calls each operation makes, counted on demand: inputs that are replayed don't need it.
    private final class CallCounts {
        var known: [Int]?
    }

    private func countCalls() throws -> [Int] {
        if let known = calls.known { return known }
        let counted = try FaultOperation.all.map { operation in
            if operation.kind == .fullDisk { return FaultOperation.diskSizes }
            let folder = workspace.folder.appendingPathComponent("count")
            defer { try? FileManager.default.removeItem(at: folder) }
            return try perform(Input(operation: operation, call: 0, effect: "EIO", isForever: false), folder).calls
        }
        calls.known = counted
        return counted
    }

    var cycle: Int? { (try? countCalls()).map { $0.reduce(0, +) * Self.effects.count } }

    func input(_ index: Int, _ random: inout SplitMix64) throws -> Input {
        // A cycle goes through all operations evenly, so that a short run touches each.
        let calls = try countCalls()
        var rest = index * 7_919 % max(calls.reduce(0, +) * Self.effects.count, 1)
        let (effect, isForever) = Self.effects[rest % Self.effects.count]
        rest /= Self.effects.count
        for (operation, count) in zip(FaultOperation.all, calls) {
            if rest < count {
                return Input(operation: operation, call: rest + 1, effect: effect, isForever: isForever)
            }
            rest -= count
        }
        throw CampaignFailure("There are no calls that could fail")
    }

    /// A small disk for the store, where it is to be filled.
    ///
    /// - Throws: When none can be mounted.
    private func makeDisk(_ input: Input) throws -> SmallDisk {
        let files = templates[input.operation.storeType]?.files ?? [:]
        let used = files.values.reduce(0) { $0 + $1.count } / 1_024
        let disk = try SmallDisk(kilobytes: 2 * used + Self.fillerSize + 64 + 24 * input.call)
        try Data(count: Self.fillerSize << 10).write(to: disk.file("filler"))
        return disk
    }

    /// Kilobytes of the file that goes when the disk is full.
    private static let fillerSize = 1_024

    private func perform(_ input: Input, _ folder: URL, _ disk: SmallDisk? = nil) throws -> FaultActor.Result {
        let location = disk?.url ?? folder.appendingPathComponent("disk")
        try FileManager.default.createDirectory(at: location, withIntermediateDirectories: true)
        try StoreTemplate.write(templates[input.operation.storeType]?.files ?? [:], to: location)
        let result = folder.appendingPathComponent("result")
        let errors = folder.appendingPathComponent("errors")
        let actor = FaultActor(
            operation: input.operation, call: input.call, effect: input.effect, isForever: input.isForever,
            folder: location.path, store: location.appendingPathComponent(StoreTemplate.name).path, result: result.path,
            isPlanted: workspace.isPlanted && input.call > 0)
        let argument = String(decoding: try JSONEncoder().encode(actor), as: UTF8.self)
        let process = try server.start([FaultActor.name, argument], errors: errors)
        let end = process.wait(atMostSeconds: 60)
        // What the engine wrote to its log comes before.
        let words = String(decoding: (try? Data(contentsOf: errors)) ?? Data(), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).drop { $0.contains(" OpenCoreData: [") }
            .joined(separator: "\n")
        let name = "\(input.operation.kind) on \(input.operation.storeType)"
        switch end {
        case .exited(0): return try JSONDecoder().decode(FaultActor.Result.self, from: Data(contentsOf: result))
        case .exited(CaseProcess.failed):
            let lines = words.split(separator: "\n", maxSplits: 1).map(String.init)
            throw CampaignFailure("\(name): \(lines.first ?? "")", lines.dropFirst().first ?? "")
        case .exited: throw CampaignFailure("\(name): the operation cannot be tried", words)
        case .killed(let signal): throw CampaignFailure("\(name): dies of signal \(signal)", words)
        case nil: throw CampaignFailure("\(name): hangs", words)
        }
    }

    mutating func run(_ input: Input, _ trial: Trial) throws {
        let folder = try trial.folder()
        let isFilled = input.operation.kind == .fullDisk
        if isFilled, !SmallDisk.isAvailable { return trial.count("full disk: skipped, no disk can be mounted") }
        let disk = isFilled ? try makeDisk(input) : nil
        defer { withExtendedLifetime(disk) {} }
        let result = try perform(input, folder, disk)
        trial.count(!result.hasFired ? "no fault" : result.error == nil ? "worked in spite of a fault" : "refused")
        trial.count("\(input.effect)\(input.isForever ? " from then on" : "")")
        guard input.operation.storeType == NSSQLiteStoreType, input.operation.kind != .destroy else { return }
        try Bank.check(
            (disk?.url ?? folder.appendingPathComponent("disk")).appendingPathComponent(StoreTemplate.name),
            version: input.operation.kind.target)
    }
}
