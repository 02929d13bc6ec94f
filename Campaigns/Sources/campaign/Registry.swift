import ArgumentParser
import CampaignCore
import Dispatch
import Foundation

/// All campaigns, and the actors that they start.
enum Registry {
    static let campaigns: [AnyCampaign] = [
        AnyCampaign(PredicateCampaign.self), AnyCampaign(StoreCampaign.self),
        AnyCampaign(KillCampaign.self), AnyCampaign(ProcessCampaign.self), AnyCampaign(FaultCampaign.self),
        AnyCampaign(PowerCutCampaign.self), AnyCampaign(ThreadCampaign.self), AnyCampaign(ModelCampaign.self),
        AnyCampaign(AgreementCampaign.self), AnyCampaign(KitCampaign.self),
    ]

    /// Campaigns that test the campaigns themselves, and one that needs the command, which is built elsewhere.
    private static let hidden = [AnyCampaign(SampleCampaign.self), AnyCampaign(ImportCampaign.self)]

    static func campaign(_ name: String) throws -> AnyCampaign {
        guard let campaign = (campaigns + hidden).first(where: { $0.name == name }) else {
            let names = campaigns.map(\.name).joined(separator: ", ")
            throw ValidationError("There is no campaign '\(name)'. There are: \(names).")
        }
        return campaign
    }

    /// Runs an actor in this process.
    static func act(_ name: String, _ arguments: [String]) throws {
        switch name {
        case BankActor.name: try BankActor.run(arguments)
        case CreatorActor.name: try CreatorActor.run(arguments)
        case FaultActor.name: try FaultActor.run(arguments)
        case HistoryActor.name: try HistoryActor.run(arguments)
        default: throw ValidationError("There is no actor '\(name)'.")
        }
    }

    /// Runs an actor in this process, which has nothing else to do, and ends it.
    static func act(_ arguments: [String]) -> Never {
        let thread = Thread {
            do {
                try act(arguments.first ?? "", Array(arguments.dropFirst()))
                exit(0)
            } catch {
                FileHandle.standardError.write(Data("Error: \(error)\n".utf8))
                exit(1)
            }
        }
        thread.stackSize = 8 << 20
        thread.start()
        dispatchMain()
    }

    /// This program's file.
    static func program() throws -> URL { URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath() }

    /// A seed from the clock.
    static func freshSeed() -> UInt64 {
        var random = SplitMix64(seed: UInt64(Date.now.timeIntervalSince1970 * 1e6))
        return random.next() >> 16
    }
}
