import CampaignCore
import Foundation

/// Fails in each way that a case can fail, for the tests of what watches campaigns. Without a planted defect it fails
/// never.
struct SampleCampaign: Campaign {
    struct Input: Codable {
        var number: Int
    }

    static let name = "sample"
    static let summary = "Tests the campaigns themselves."
    static let secondsPerCase = 2
    static let casesPerProcess = 40
    private let isPlanted: Bool

    init(_ workspace: Workspace) throws { isPlanted = workspace.isPlanted }

    func input(_ index: Int, _ random: inout SplitMix64) throws -> Input { Input(number: random.below(100)) }

    func run(_ input: Input, _ trial: Trial) throws {
        trial.count(input.number.isMultiple(of: 2) ? "even" : "odd")
        guard isPlanted else { return }
        switch input.number {
        case 0..<3: throw CampaignFailure("A number is small", "\(input.number)")
        case 3: fatalError("A number is three.")
        case 4: sleep(1_000)
        case 5: exit(7)
        default: break
        }
    }
}
