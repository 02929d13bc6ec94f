import CampaignCore
import Foundation
import OpenCoreData

extension AgreementCampaign {
    /// Lets a parent, its children, a grandchild and a context beside the parent change one graph in turns.
    func runFamily(_ input: Input, _ trial: Trial) throws {
        let folder = try trial.folder()
        let type = Self.types[Int(input.model / 2 % UInt64(Self.types.count))]
        let stack = try FamilyStack(
            SideBySideModel.make(cascades: input.model % 2 == 0), type, folder.appendingPathComponent("family.store"))
        var random = SplitMix64(seed: input.changes)
        for step in 0..<min(input.steps, 60) {
            do {
                try stack.step(&random, skips: isPlanted)
            } catch let failure as CampaignFailure {
                throw CampaignFailure("\(failure.title) (family)", "\(type), step \(step): \(failure.detail)")
            }
        }
        trial.count("graphs of families compared", by: stack.comparisons)
    }
}
