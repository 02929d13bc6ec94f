import CampaignCore
import Foundation
import OpenCoreData

/// Random models with random objects, changes and fetches in stores of each type: each must do the same, and after every
/// save all must hold the same. In other cases two contexts change the same graph side by side, a parent and its children
/// in turns, or changes are undone and redone, with saves in between.
struct AgreementCampaign: Campaign {
    struct Input: Codable {
        var model: UInt64
        var changes: UInt64
        var steps: Int
        /// Whether two contexts change the same graph side by side.
        var isSideBySide: Bool?
        /// Whether changes are undone and redone, under delete rules of all kinds.
        var undoes: Bool?
        /// Whether a parent context, its children and others change one graph in turns.
        var isFamily: Bool?
    }

    static let name = "agreement"
    static let summary = "Random models, objects and changes in memory, SQLite, binary and XML: all hold the same."
    static let aim = "1,000,000"
    static let casesPerProcess = 500
    static let types = [NSInMemoryStoreType, NSSQLiteStoreType, NSBinaryStoreType, NSXMLStoreType]

    let isPlanted: Bool

    init(_ workspace: Workspace) throws { isPlanted = workspace.isPlanted }

    func input(_ index: Int, _ random: inout SplitMix64) throws -> Input {
        var input = Input(model: random.next() >> 12, changes: random.next() >> 12, steps: 40 + random.below(160))
        input.isSideBySide = random.chance(30)
        if input.isSideBySide != true { input.undoes = random.chance(40) }
        if input.isSideBySide != true, input.undoes != true { input.isFamily = random.chance(70) }
        return input
    }

    /// A random model whose objects have a key, by which they are known in all stores.
    private static func model(_ seed: UInt64) -> NSManagedObjectModel {
        var random = RandomSource(seed: seed)
        let model = RandomModel.make(&random)
        for entity in model.entities where entity.superentity == nil {
            let key = NSAttributeDescription()
            key.name = AgreementStack.key
            key.attributeType = .integer64AttributeType
            key.isOptional = true
            entity.properties.append(key)
        }
        return model
    }

    mutating func run(_ input: Input, _ trial: Trial) throws {
        if input.isSideBySide == true { return try runSideBySide(input, trial) }
        if input.isFamily == true { return try runFamily(input, trial) }
        let folder = try trial.folder()
        let stacks = try Self.types.map { type in
            let model = Self.model(input.model)
            if input.undoes == true { UndoingStack.setRules(model, seed: input.model) }
            return try AgreementStack(model, type, folder.appendingPathComponent("\(type).store"))
        }
        if input.undoes == true { return try walk(input, stacks, trial) }
        var random = SplitMix64(seed: input.changes)
        for step in 0..<input.steps {
            let seed = random.next()
            let isSave = step % 12 == 11 || step == input.steps - 1
            let outcomes = stacks.map { stack in
                var numbers = SplitMix64(seed: seed)
                if isSave { return stack.saveAndRead(reopens: numbers.chance(20)) }
                return stack.change(&numbers, skips: isPlanted && stack.type == NSXMLStoreType && step == 3)
            }
            for stack in stacks { try stack.context.requireInvariants() }
            guard let first = outcomes.first else { continue }
            trial.compared()
            if isSave { trial.count(first.hasPrefix("error") ? "saves refused" : "saves compared") }
            for (stack, outcome) in zip(stacks, outcomes) where outcome != first {
                throw CampaignFailure(
                    "\(stack.type) \(isSave ? "holds something else than" : "does something else than") memory",
                    "step \(step):\n\(first)\n----\n\(outcome)")
            }
        }
    }
}
