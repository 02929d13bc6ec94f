import CampaignCore
import Foundation
import OpenCoreData

/// A stack whose changes are undone and redone: what it shows at each position of the undo stack has to come back.
final class UndoingStack {
    private let stack: AgreementStack
    private let manager = UndoManager()
    /// All objects that were ever made, by key.
    private var made: [NSManagedObject] = []
    /// What was shown at each position of the undo stack.
    private var states: [String] = []
    private var position = 0

    /// Whether all was undone.
    var isAtTheBeginning: Bool { position == 0 }
    /// Whether nothing was undone that wasn't redone.
    var isAtTheEnd: Bool { position == states.count - 1 }

    init(_ stack: AgreementStack) { self.stack = stack }

    /// Gives the relationships of a model delete rules of all kinds, and leaves out those that have no inverse: their
    /// members go with the rows that are deleted.
    static func setRules(_ model: NSManagedObjectModel, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let rules: [NSDeleteRule] = [.cascadeDeleteRule, .cascadeDeleteRule, .denyDeleteRule, .nullifyDeleteRule]
        for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            entity.properties.removeAll { property in
                guard let relationship = property as? NSRelationshipDescription else { return false }
                return relationship.inverseRelationship == nil
            }
            for (_, relationship) in entity.relationshipsByName.sorted(by: { $0.key < $1.key }) {
                relationship.deleteRule = random.pick(rules)
            }
        }
    }

    /// Saves what was made so far and begins to record.
    func begin() throws {
        try stack.context.performAndWait {
            try stack.context.save()
            manager.groupsByEvent = false
            stack.context.undoManager = manager
            states = [shown()]
        }
    }

    /// Makes some changes that are undone together.
    ///
    /// - Parameter skips: The planted defect: nothing is changed.
    func change(_ random: inout SplitMix64, skips: Bool) -> String {
        var numbers = random
        defer { random = numbers }
        return stack.context.performAndWait {
            states.removeSubrange((position + 1)...)
            manager.beginUndoGrouping()
            for _ in 0...numbers.below(3) {
                _ = stack.change(&numbers, skips: skips)
                if numbers.chance(40) { stack.context.processPendingChanges() }
            }
            stack.context.processPendingChanges()
            manager.endUndoGrouping()
            let state = shown()
            // A group in which nothing changed isn't on the stack.
            if manager.undoCount > position {
                position += 1
                states.append(state)
            }
            return state
        }
    }

    func undo() throws -> String {
        try stack.context.performAndWait {
            stack.context.undo()
            position -= 1
            return try compared("undo")
        }
    }

    func redo() throws -> String {
        try stack.context.performAndWait {
            stack.context.redo()
            position += 1
            return try compared("redo")
        }
    }

    /// Saves. A delete rule may refuse that; the changes then stay for the next save.
    ///
    /// - Returns: What another context finds, or the error's code.
    func save() throws -> String {
        try stack.context.performAndWait {
            do {
                try stack.context.save()
            } catch {
                _ = try compared("save that was refused")
                return "error \((error as NSError).code)"
            }
            let state = try compared("save")
            let stored = try stack.stored()
            if stored != state {
                throw CampaignFailure("\(stack.type) stored something else than was shown", "\(state)\n----\n\(stored)")
            }
            return stored
        }
    }

    private func compared(_ step: String) throws -> String {
        try stack.context.requireInvariants()
        let state = shown()
        if state != states[position] {
            throw CampaignFailure(
                "\(stack.type) shows something else after \(step)", "\(states[position])\n----\n\(state)")
        }
        return state
    }

    private func shown() -> String {
        for object in stack.objects where !made.contains(where: { $0 === object }) { made.append(object) }
        stack.objects = made.filter { $0.managedObjectContext != nil && !$0.isDeleted }
        stack.objects.sort { AgreementStack.number($0) < AgreementStack.number($1) }
        return stack.objects.map(stack.line).joined(separator: "\n")
    }
}

extension AgreementCampaign {
    /// Changes, saves, undos and redos, the same over stores of each type, and back to the beginning.
    func walk(_ input: Input, _ stacks: [AgreementStack], _ trial: Trial) throws {
        var random = SplitMix64(seed: input.changes)
        for _ in 0..<20 {
            let seed = random.next()
            for stack in stacks {
                var numbers = SplitMix64(seed: seed)
                _ = stack.change(&numbers, skips: false)
            }
        }
        let undoing = stacks.map(UndoingStack.init)
        for stack in undoing { try stack.begin() }
        for step in 0..<input.steps / 4 {
            let choice = random.below(10)
            try compare(undoing, random.next(), trial, "undo step \(step)") { stack, numbers, isPlanted in
                switch choice {
                case 0..<5: return stack.change(&numbers, skips: isPlanted && step == 3)
                case 5..<7: return try stack.save()
                case 7..<9: return stack.isAtTheBeginning ? "" : try stack.undo()
                default: return stack.isAtTheEnd ? "" : try stack.redo()
                }
            }
        }
        for stack in undoing {
            while !stack.isAtTheBeginning { _ = try stack.undo() }
        }
        try compare(undoing, 0, trial, "the end") { stack, _, _ in try stack.save() }
        trial.count("walks undone")
    }

    private func compare(
        _ stacks: [UndoingStack], _ seed: UInt64, _ trial: Trial, _ moment: String,
        _ body: (UndoingStack, inout SplitMix64, Bool) throws -> String
    ) throws {
        var outcomes: [String] = []
        for (index, stack) in stacks.enumerated() {
            var numbers = SplitMix64(seed: seed)
            outcomes.append(try body(stack, &numbers, isPlanted && index == stacks.count - 1))
        }
        trial.compared()
        guard let first = outcomes.first, let other = outcomes.first(where: { $0 != first }) else { return }
        throw CampaignFailure("a store does something else than memory at undo", "\(moment):\n\(first)\n----\n\(other)")
    }
}
