import CampaignCore
import Foundation
import OpenCoreData

/// Processes that write a store and are killed at any moment: what they acknowledged is there, and nothing by half.
struct KillCampaign: Campaign {
    struct Input: Codable {
        var kind: BankWork.Kind
        var storeType: String
        var seed: UInt64
        /// For each round: how long the processes may write, in microseconds, and how many there are.
        var rounds: [Round]
    }

    struct Round: Codable {
        var microseconds: Int
        var processes: Int
    }

    static let name = "kills"
    static let summary = "Writers, batches and migrations in processes that are killed: nothing acknowledged is lost."
    static let aim = "10,000 kills"
    static let casesPerProcess = 100
    static let secondsPerCase = 300

    private let workspace: Workspace
    private var templates: [String: StoreTemplate] = [:]

    init(_ workspace: Workspace) throws {
        self.workspace = workspace
        for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType] {
            templates[type] = try StoreTemplate(
                type: type, keepsLog: false, in: workspace.folder.appendingPathComponent("template"))
        }
    }

    func input(_ index: Int, _ random: inout SplitMix64) throws -> Input {
        let kind = random.pick([.transfers, .transfers, .transfers] + BankWork.Kind.allCases)
        let types =
            kind == .batches
            ? [NSSQLiteStoreType]
            : kind == .imports
                ? [NSSQLiteStoreType, NSSQLiteStoreType, NSBinaryStoreType]
                : [
                    NSSQLiteStoreType, NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType,
                ]
        let type = random.pick(types)
        let mayShare = (kind == .transfers || kind.isMigration) && type == NSSQLiteStoreType
        let rounds = (0..<(kind.isMigration ? 1 : 1 + random.below(4))).map { _ in
            Round(
                microseconds: random.chance(50)
                    ? random.below(5_000) : random.below(kind.isMigration ? 250_000 : 60_000),
                processes: mayShare && random.chance(40) ? 2 + random.below(2) : 1)
        }
        return Input(kind: kind, storeType: type, seed: random.next() >> 12, rounds: rounds)
    }

    mutating func run(_ input: Input, _ trial: Trial) throws {
        let folder = try trial.folder()
        try StoreTemplate.write(templates[input.storeType]?.files ?? [:], to: folder)
        for (number, round) in input.rounds.enumerated() {
            try run(input, number, round, folder, trial)
        }
        trial.count("\(input.kind) on \(input.storeType)")
    }

    private func run(_ input: Input, _ number: Int, _ round: Round, _ folder: URL, _ trial: Trial) throws {
        let errors = folder.appendingPathComponent("errors")
        let works = (0..<round.processes).map { process in
            BankWork(
                kind: input.kind, store: folder.appendingPathComponent(StoreTemplate.name).path,
                storeType: input.storeType, seed: input.seed &+ UInt64(number * 10 + process), steps: nil,
                acknowledgments: folder.appendingPathComponent(
                    input.kind == .batches ? "acks" : "acks-\(number)-\(process)"
                ).path,
                isShared: input.kind.isMigration && round.processes > 1, acknowledgesEarly: workspace.isPlanted)
        }
        let processes = try works.map { try BankActor.start($0, workspace.program, errors: errors) }
        defer { for process in processes { process.kill() } }
        // A process that makes transfers is killed some time after the first one, a migration from its beginning on.
        let deadline = Date.now.addingTimeInterval(60)
        while !input.kind.isMigration, try AckFile(works[0].acknowledgments).value == 0,
            processes.allSatisfy({ $0.poll() == nil }), Date.now < deadline
        {
            usleep(500)
        }
        usleep(UInt32(round.microseconds))
        let ends = processes.map { $0.poll() }
        for process in processes { process.kill() }
        for case .some(let end) in ends where !(input.kind.isMigration && end == .exited(0)) {
            let words = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
            throw CampaignFailure("\(input.kind) on \(input.storeType): a writer ended by itself", "\(end): \(words)")
        }
        do {
            for work in works {
                let step = try work.verify()
                trial.count(step > 0 ? "verified at a later step" : "verified at the first step")
            }
        } catch let failure as CampaignFailure {
            throw CampaignFailure("\(input.kind) on \(input.storeType): \(failure.title)", failure.detail)
        }
        trial.count("kills", by: processes.count)
    }
}
