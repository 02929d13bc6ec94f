import CampaignCore
import Foundation
import OpenCoreData

/// Several processes that write one store: each transfer is there once.
struct ProcessCampaign: Campaign {
    struct Input: Codable {
        var storeType: String
        var seed: UInt64
        var processes: Int
        /// How often each process saves.
        var saves: Int
    }

    static let name = "processes"
    static let summary = "Eight processes on one store of each type: every save is there once, and sums are equal."
    static let aim = "100,000 saves"
    static let casesPerProcess = 50
    static let secondsPerCase = 600

    private let workspace: Workspace
    private let server: ForkServer

    init(_ workspace: Workspace) throws {
        self.workspace = workspace
        server = try ForkServer(workspace.program, environment: ["SWIFT_BACKTRACE": "enable=no"])
    }

    func input(_ index: Int, _ random: inout SplitMix64) throws -> Input {
        let type = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType][index % 3]
        return Input(
            storeType: type, seed: random.next() >> 12, processes: 8,
            saves: type == NSSQLiteStoreType ? 20 + random.below(100) : 4 + random.below(16))
    }

    mutating func run(_ input: Input, _ trial: Trial) throws {
        let folder = try trial.folder()
        let store = folder.appendingPathComponent(StoreTemplate.name)
        let errors = folder.appendingPathComponent("errors")
        let works = (0..<input.processes).map { number in
            BankWork(
                kind: .transfers, store: store.path, storeType: input.storeType, seed: input.seed &+ UInt64(number),
                steps: input.saves, acknowledgments: folder.appendingPathComponent("acks-\(number)").path,
                isCrowded: true)
        }
        let bank = try Bank(store, type: input.storeType)
        try bank.found()
        try bank.close()
        let processes = try works.map { try BankActor.start($0, server, errors: errors) }
        defer { for process in processes { process.kill() } }
        for process in processes {
            let end = process.wait()
            guard end == .exited(0) else {
                let words = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
                throw CampaignFailure("\(input.storeType): a process ended with an error", "\(end): \(words)")
            }
        }
        do {
            let saves = try Int(works[0].verify()) + groups(store, input.storeType)
            let expected = input.processes * input.saves + (workspace.isPlanted ? 1 : 0)
            guard saves == expected else {
                throw CampaignFailure("Saves are lost", "\(saves) of \(expected) are there")
            }
            trial.count("saves on \(input.storeType)", by: saves)
        } catch let failure as CampaignFailure {
            throw CampaignFailure("\(input.storeType): \(failure.title)", failure.detail)
        }
    }

    /// How many groups the processes have added.
    private func groups(_ url: URL, _ type: String) throws -> Int {
        let bank = try Bank(url, type: type)
        defer { try? bank.close() }
        return try bank.context.performAndWait {
            try bank.fetch("Group", NSPredicate(format: "name BEGINSWITH %@", BankWork.crowdPrefix)).count
        }
    }
}
