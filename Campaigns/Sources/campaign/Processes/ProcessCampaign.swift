import CampaignCore
import Foundation
import OpenCoreData

/// Several processes that write one store: each transfer is there once.
struct ProcessCampaign: Campaign {
    struct Input: Codable {
        var storeType: String
        var seed: UInt64
        var processes: Int
        var transfers: Int
    }

    static let name = "processes"
    static let summary = "Eight processes on one store of each type: every save is there once, and sums are equal."
    static let aim = "100,000 saves"
    static let casesPerProcess = 50
    static let secondsPerCase = 600

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
        let type = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType][index % 3]
        return Input(storeType: type, seed: random.next() >> 12, processes: 8, transfers: 3 + random.below(30))
    }

    mutating func run(_ input: Input, _ trial: Trial) throws {
        let folder = try trial.folder()
        try StoreTemplate.write(templates[input.storeType]?.files ?? [:], to: folder)
        let store = folder.appendingPathComponent(StoreTemplate.name)
        let errors = folder.appendingPathComponent("errors")
        let works = (0..<input.processes).map { number in
            BankWork(
                kind: .transfers, store: store.path, storeType: input.storeType, seed: input.seed &+ UInt64(number),
                steps: input.transfers, acknowledgments: folder.appendingPathComponent("acks-\(number)").path)
        }
        let before: Int64 = 4
        let processes = try works.map { try BankActor.start($0, workspace.program, errors: errors) }
        defer { for process in processes { process.kill() } }
        for process in processes {
            let end = process.wait()
            guard end == .exited(0) else {
                let words = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
                throw CampaignFailure("\(input.storeType): a process ended with an error", "\(end): \(words)")
            }
        }
        do {
            let transfers = try works[0].verify() - before
            let expected = Int64(input.processes * input.transfers) + (workspace.isPlanted ? 1 : 0)
            guard transfers == expected else {
                throw CampaignFailure("Saves are lost", "\(transfers) of \(expected) transfers are there")
            }
            trial.count("saves on \(input.storeType)", by: Int(transfers))
        } catch let failure as CampaignFailure {
            throw CampaignFailure("\(input.storeType): \(failure.title)", failure.detail)
        }
    }
}
