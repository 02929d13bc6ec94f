import CampaignCore
import Foundation
import OpenCoreData

/// Several processes that write one store: each transfer is there once. Several processes or threads that open a store
/// which isn't there yet: one makes it, and each save is there. Where there is a server, openers make stores on it.
struct ProcessCampaign: Campaign {
    struct Input: Codable {
        var storeType: String
        var seed: UInt64
        var processes: Int
        /// How often each process saves.
        var saves: Int
        /// Whether the openers make the store, and what they are; nil for a store that is there.
        var creators: Creators?
    }

    /// What opens a store that isn't there yet.
    enum Creators: String, Codable, CaseIterable {
        case processes
        case threads
    }

    static let name = "processes"
    static let summary =
        "Processes on one store of each type, and processes and threads that make one: every save is there once."
    static let aim = "100,000 saves; 1,000 stores of each type made by processes, and by threads"
    static let casesPerProcess = 50
    static let secondsPerCase = 600

    private let workspace: Workspace
    private let server: ForkServer

    init(_ workspace: Workspace) throws {
        self.workspace = workspace
        server = try ForkServer(workspace.program, environment: ["SWIFT_BACKTRACE": "enable=no"])
    }

    func input(_ index: Int, _ random: inout SplitMix64) throws -> Input {
        let types = ServerStore.type.map { [$0] } ?? [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]
        let type = types[index % types.count]
        // Making a store takes a fraction of the time that a crowd's saves take.
        let kind = index / types.count % 40
        if kind > 0 || type == ServerStore.type {
            return Input(
                storeType: type, seed: random.next() >> 12, processes: random.pick([2, 4, 8]), saves: 1,
                creators: kind.isMultiple(of: 2) ? .processes : .threads)
        }
        return Input(
            storeType: type, seed: random.next() >> 12, processes: 8,
            saves: type == NSSQLiteStoreType ? 20 + random.below(100) : 4 + random.below(16))
    }

    mutating func run(_ input: Input, _ trial: Trial) throws {
        if let creators = input.creators {
            return try CreatorRound(input: input, creators: creators, isPlanted: workspace.isPlanted)
                .run(server, trial)
        }
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
