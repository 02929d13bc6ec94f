import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A parent, its children and others change one graph in turns: who is up to date shows what is below.
@Suite struct FamilyWalkTests {
    @Test(arguments: BoxModel.storeTypes, [NSDeleteRule.cascadeDeleteRule, .nullifyDeleteRule])
    func aRandomWalkKeepsContextsInStep(_ type: String, _ rule: NSDeleteRule) throws {
        var comparisons = 0
        for seed in UInt64(1)...25 {
            var walk = try FamilyWalk(seed: seed, type: type, rule: rule)
            try walk.run(steps: 60)
            let first = walk.differences.first ?? ""
            #expect(first.isEmpty, "seed \(seed)")
            if !first.isEmpty { return }
            comparisons += walk.comparisons
        }
        #expect(comparisons > 50)
    }
}
