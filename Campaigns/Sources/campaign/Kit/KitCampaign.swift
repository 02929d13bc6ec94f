import CampaignCore
import Foundation
import OpenCoreData
import OpenCoreDataKit

/// Random use of a database of the kit, and of the libraries over it: after each operation all is there that should be,
/// and lists are what a fetch finds. Histories of blocks that run at a time are explained by one order of them.
struct KitCampaign: Campaign {
    struct Input: Codable {
        var part: Part
        var seed: UInt64
        var operations: Int
    }

    /// What is used.
    enum Part: String, Codable, CaseIterable {
        case database, monk, manager, candy, tiers, container, history
    }

    static let name = "kit"
    static let summary =
        "Databases, drafts, imports, live lists, histories of blocks and the five libraries: always what should be there."
    static let aim = "100,000 operations"
    static let casesPerProcess = 200

    private let workspace: Workspace
    /// `CAMPAIGN_KIT_PART`: the only part that is used.
    private let onlyPart: Part?

    init(_ workspace: Workspace) throws {
        self.workspace = workspace
        onlyPart = ProcessInfo.processInfo.environment["CAMPAIGN_KIT_PART"].flatMap(Part.init)
    }

    func input(_ index: Int, _ random: inout SplitMix64) throws -> Input {
        let part = onlyPart ?? (index % 2 == 0 ? .database : Part.allCases[1 + index / 2 % (Part.allCases.count - 1)])
        return Input(part: part, seed: random.next() >> 12, operations: 20 + random.below(40))
    }

    /// An error that can be made anywhere.
    static func failure(_ title: String, _ detail: String = "") -> CampaignFailure { CampaignFailure(title, detail) }

    mutating func run(_ input: Input, _ trial: Trial) throws {
        let folder = try trial.folder()
        let isPlanted = workspace.isPlanted
        do {
            let counts =
                input.part == .history
                ? try KitHistory.run(input, folder, workspace)
                : try Waiting.wait { try await Self.run(input, folder, isPlanted) }
            for (name, count) in counts { trial.count(name, by: count) }
        } catch let failure as CampaignFailure {
            throw CampaignFailure("\(input.part.rawValue): \(failure.title)", failure.detail)
        }
    }

    @MainActor private static func run(_ input: Input, _ folder: URL, _ isPlanted: Bool) async throws -> [String: Int] {
        guard input.part == .database else {
            return try await LibrarySession.run(input, folder, isPlanted: isPlanted)
        }
        let session = try await KitSession(input.seed, folder, isPlanted: isPlanted)
        return try await session.run(input.operations)
    }
}
