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
    private let server: ForkServer
    private var templates: [String: StoreTemplate] = [:]

    init(_ workspace: Workspace) throws {
        self.workspace = workspace
        server = try ForkServer(workspace.program, environment: ["SWIFT_BACKTRACE": "enable=no"])
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
        // Many kills of one store: it goes through all of their leftovers. A migration begins with a store as it was.
        let rounds = (0..<(8 + random.below(9))).map { _ in
            Round(
                microseconds: random.below(random.chance(60) ? 5_000 : kind.isMigration ? 80_000 : 25_000),
                processes: mayShare && random.chance(40) ? 2 + random.below(2) : 1)
        }
        return Input(kind: kind, storeType: type, seed: random.next() >> 12, rounds: rounds)
    }

    mutating func run(_ input: Input, _ trial: Trial) throws {
        let folder = try trial.folder()
        for (number, round) in input.rounds.enumerated() {
            if number == 0 || input.kind.isMigration {
                try? FileManager.default.removeItem(at: folder)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try StoreTemplate.write(templates[input.storeType]?.files ?? [:], to: folder)
            }
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
        let acks = try works.map { try AckFile($0.acknowledgments) }
        let processes = try works.map { try BankActor.start($0, server, errors: errors) }
        defer { for process in processes { process.kill() } }
        // A process that makes transfers is killed some time after the first one, a migration from its beginning on.
        let deadline = Date.now.addingTimeInterval(60)
        while !input.kind.isMigration, acks[0].value == 0, processes.allSatisfy({ $0.poll() == nil }),
            Date.now < deadline
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
            let acknowledged = acks.map(\.value).max() ?? 0
            let step = try works[0].verify(acknowledged, usesCommand: number == input.rounds.count - 1)
            trial.count(step > acknowledged ? "one more than acknowledged is there" : "what was acknowledged is there")
        } catch let failure as CampaignFailure {
            throw CampaignFailure("\(input.kind) on \(input.storeType): \(failure.title)", failure.detail)
        }
        trial.count("kills", by: ends.count { $0 == nil })
    }
}
