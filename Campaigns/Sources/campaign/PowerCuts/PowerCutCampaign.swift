import CampaignCore
import Foundation
import OpenCoreData

/// The power is cut while a process writes: what was not flushed is lost in part. The store is whole, and what was
/// flushed after it was acknowledged is there.
struct PowerCutCampaign: Campaign {
    struct Input: Codable {
        var kind: BankWork.Kind
        var storeType: String
        var seed: UInt64
        /// The files that the cut has left, and the lowest number of transfers that must be there.
        var files: [String: Data]
        var acknowledged: Int64
    }

    static let name = "powercuts"
    static let summary = "What is left of a store when unflushed writes are lost, whole, or in part."
    static let aim = "none is named"
    static let casesPerProcess = 200
    /// How many cuts are made of one process's writing.
    private static let cutsPerRecording = 60

    private let workspace: Workspace
    private var templates: [String: StoreTemplate] = [:]
    private var recording: (number: Int, kind: BankWork.Kind, type: String, changes: [DiskChange])?

    init(_ workspace: Workspace) throws {
        self.workspace = workspace
        for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType] {
            templates[type] = try StoreTemplate(
                type: type, keepsLog: false, in: workspace.folder.appendingPathComponent("template"))
        }
    }

    /// Lets a process write, and keeps all its changes of files.
    private mutating func record(_ number: Int) throws -> (kind: BankWork.Kind, type: String, changes: [DiskChange]) {
        if let recording, recording.number == number { return (recording.kind, recording.type, recording.changes) }
        var random = SplitMix64(seed: 0xC07, case: number)
        let kind = random.pick(
            [.transfers, .transfers, .transfers, .tableMigration, .objectMigration] as [BankWork.Kind])
        let type = random.pick([NSSQLiteStoreType, NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
        let folder = workspace.folder.appendingPathComponent("recording")
        defer { try? FileManager.default.removeItem(at: folder) }
        let disk = folder.appendingPathComponent("disk")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
        try StoreTemplate.write(templates[type]?.files ?? [:], to: disk)
        let log = folder.appendingPathComponent("log")
        let errors = folder.appendingPathComponent("errors")
        let work = BankWork(
            kind: kind, store: disk.appendingPathComponent(StoreTemplate.name).path, storeType: type,
            seed: random.next() >> 12, steps: 3 + random.below(12),
            acknowledgments: folder.appendingPathComponent("acks").path)
        let environment = [
            "LD_PRELOAD": try FaultLibrary.file(beside: workspace.program).path, "FAULT_FOLDER": disk.path,
            "FAULT_LOG": log.path,
        ]
        let end = try BankActor.start(work, workspace.program, environment: environment, errors: errors).wait()
        guard end == .exited(0) else {
            let words = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
            throw CampaignFailure("The writing cannot be recorded", "\(kind) on \(type): \(end): \(words)")
        }
        let changes = DiskChange.read(try Data(contentsOf: log))
        recording = (number, kind, type, changes)
        return (kind, type, changes)
    }

    mutating func input(_ index: Int, _ random: inout SplitMix64) throws -> Input {
        let number = index / Self.cutsPerRecording
        let (kind, type, changes) = try record(number)
        let cut = random.below(changes.count + 1)
        var disk = SimulatedDisk(templates[type]?.files ?? [:])
        var (marked, durable): (Int64, Int64) = (0, 0)
        for change in changes.prefix(cut) {
            disk.apply(change)
            if case .mark(let number) = change { marked = number }
            // SQLite flushes the log; files that are replaced are flushed by way of their folder. The planted defect
            // takes a save for flushed when it is only written.
            switch change {
            case .flush(let name) where type != NSSQLiteStoreType ? name.isEmpty : name.hasSuffix("-wal"):
                durable = marked
            case .mark where workspace.isPlanted: durable = marked
            default: break
            }
        }
        return Input(
            kind: kind, storeType: type, seed: UInt64(number), files: disk.afterPowerCut(&random), acknowledged: durable
        )
    }

    mutating func run(_ input: Input, _ trial: Trial) throws {
        let folder = try trial.folder()
        let disk = folder.appendingPathComponent("disk")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
        try StoreTemplate.write(input.files, to: disk)
        let work = BankWork(
            kind: input.kind, store: disk.appendingPathComponent(StoreTemplate.name).path, storeType: input.storeType,
            seed: 1, acknowledgments: folder.appendingPathComponent("acks").path)
        do {
            guard input.files[StoreTemplate.name] != nil else { throw CampaignFailure("The store's file is missing") }
            try AckFile(work.acknowledgments).value = input.kind.isMigration ? 0 : input.acknowledged
            let step: Int64
            do { step = try work.verify() } catch let error where !(error is CampaignFailure) {
                throw CampaignFailure("The store cannot be opened or read", "\(error)")
            }
            trial.count("\(input.kind) on \(input.storeType)")
            trial.count(step > input.acknowledged ? "more than was flushed is there" : "what was flushed is there")
        } catch let failure as CampaignFailure {
            throw CampaignFailure("\(input.kind) on \(input.storeType): \(failure.title)", failure.detail)
        }
    }
}
