import CampaignCore
import Foundation
import OpenCoreData

extension AgreementCampaign {
    /// Lets two contexts change a graph, save it, and merge while changes are pending, the same in stores of each type.
    func runSideBySide(_ input: Input, _ trial: Trial) throws {
        let folder = try trial.folder()
        let cascades = input.model % 2 == 0
        let stacks = try Self.types.map { type in
            try SideBySideStack(
                SideBySideModel.make(cascades: cascades), type, folder.appendingPathComponent("\(type).store"))
        }
        var random = SplitMix64(seed: input.changes)
        for step in 0..<input.steps {
            let seed = random.next()
            var outcomes: [String] = []
            for stack in stacks {
                var numbers = SplitMix64(seed: seed)
                do {
                    outcomes.append(try stack.step(&numbers, skips: isPlanted))
                } catch let failure as CampaignFailure {
                    throw CampaignFailure(failure.title, "\(stack.type), step \(step): \(failure.detail)")
                }
            }
            guard let first = outcomes.first, !first.isEmpty else { continue }
            trial.compared()
            trial.count(first.hasPrefix("error") ? "saves beside each other refused" : "graphs compared side by side")
            for (stack, outcome) in zip(stacks, outcomes) where outcome != first {
                throw CampaignFailure(
                    "\(stack.type) has another graph than memory", "step \(step):\n\(first)\n----\n\(outcome)")
            }
        }
    }
}
