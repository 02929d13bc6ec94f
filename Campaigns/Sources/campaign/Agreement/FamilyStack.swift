import CampaignCore
import Foundation
import OpenCoreData

/// A parent context with two children and a grandchild, and a context beside the parent, over one store. A context that
/// wasn't brought up to date since what is below it changed may show old values: only what an up-to-date context shows
/// is compared. It belongs to one thread.
final class FamilyStack {
    private let coordinator: NSPersistentStoreCoordinator
    private let members: [FamilyMember]
    private var observers: [any NSObjectProtocol] = []
    /// Counts the saves to the store.
    private var storeVersion = 0
    private var nextKey = 0
    private(set) var comparisons = 0

    init(_ model: NSManagedObjectModel, _ type: String, _ url: URL) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: type == NSInMemoryStoreType ? nil : url)
        let parent = FamilyMember("parent", try GraphSide(coordinator, isFollowed: false))
        let child = FamilyMember("child", GraphSide(parent: parent.side), parent: parent)
        members = [
            parent, child, FamilyMember("other child", GraphSide(parent: parent.side), parent: parent),
            FamilyMember("grandchild", GraphSide(parent: child.side), parent: child),
            FamilyMember("context beside", try GraphSide(coordinator, isFollowed: false)),
        ]
        for member in members {
            let receivers = Receivers(
                sides: members.filter { other in
                    other !== member && (other.parent === member.parent || other.parent === member)
                }.map(\.side))
            observers.append(
                NotificationCenter.default.addObserver(
                    forName: .NSManagedObjectContextDidSave, object: member.context, queue: nil
                ) { notification in
                    for receiver in receivers.sides { receiver.pending.append(notification) }
                })
        }
    }

    deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

    // @unchecked Sendable because notifications are posted on the one thread that saves.
    private struct Receivers: @unchecked Sendable {
        let sides: [GraphSide]
    }

    /// Whether a context has to show what is below it, with its own changes on top.
    private func isUpToDate(_ member: FamilyMember) -> Bool {
        guard let parent = member.parent else { return member.seen == storeVersion }
        return isUpToDate(parent) && member.seen == parent.version
    }

    /// Does one thing in one of the contexts.
    ///
    /// - Parameter skips: The planted defect: the changes of a child don't reach the parent.
    func step(_ random: inout SplitMix64, skips: Bool) throws {
        let member = random.pick(members)
        nextKey += 10
        do {
            switch random.below(24) {
            case 0..<3: try save(member, looks: random.chance(50), skips: skips)
            case 3..<7: try bringUpToDate(member, &random)
            case 7: try rollBack(member)
            case 8: try undoAndRedo(member, &random)
            case 9: try look(member)
            case 10 where random.chance(30): try reset(member)
            default:
                var numbers = random
                try member.context.performAndWait { try member.side.change(&numbers, key: nextKey) }
                random = numbers
                member.version += 1
            }
            for member in members { try member.context.requireInvariants() }
        } catch let failure as CampaignFailure {
            throw CampaignFailure(failure.title, "\(member.name): \(failure.detail)")
        }
    }

    // MARK: Saving

    private func save(_ member: FamilyMember, looks: Bool, skips: Bool) throws {
        member.process()
        let wasUpToDate = isUpToDate(member)
        let shown = looks && wasUpToDate ? try member.graph() : nil
        if skips, member.parent != nil {
            member.context.performAndWait { member.context.reset() }
        } else {
            do {
                try member.context.performAndWait { try member.context.save() }
            } catch {
                member.context.performAndWait { member.context.rollback() }
                member.version += 1
                if shown == nil { return }
                throw CampaignFailure("a save of an up-to-date context fails", "\(error)")
            }
        }
        if let parent = member.parent { parent.version += 1 } else { storeVersion += 1 }
        if wasUpToDate {
            member.seen = member.parent?.version ?? storeVersion
        } else {
            member.version += 1
        }
        guard looks, member.parent.map(isUpToDate) ?? true else { return }
        let saved = try below(member)
        guard let shown else { return }
        try compare(shown, saved, "something else was saved than a context showed")
        try compare(shown, try member.graph(), "a context shows something else after its save")
    }

    /// What the parent, or the store, has.
    private func below(_ member: FamilyMember) throws -> String {
        if let parent = member.parent { return try parent.graph() }
        let fresh = try GraphSide(coordinator, isFollowed: false)
        return try fresh.context.performAndWait { try fresh.graph(showsMissing: false) }
    }

    private func compare(_ expected: String, _ found: String, _ title: String) throws {
        comparisons += 1
        guard expected == found else { throw CampaignFailure(title, "\(expected)\n----\n\(found)") }
    }

    // MARK: Reading again

    private func bringUpToDate(_ member: FamilyMember, _ random: inout SplitMix64) throws {
        let (context, side) = (member.context, member.side)
        member.process()
        member.version += 1
        guard let parent = member.parent else {
            var numbers = random
            context.performAndWait { side.merge(&numbers) }
            random = numbers
            member.seen = storeVersion
            return try look(member)
        }
        if random.chance(20) {
            // Not all that changed in the parent is among what was saved into it or by it.
            var numbers = random
            context.performAndWait { side.merge(&numbers) }
            random = numbers
            return
        }
        side.pending = []
        let checksChanges = random.chance(50) && isUpToDate(parent)
        let changes = checksChanges ? context.performAndWait { FamilyChanges(in: context) } : nil
        context.performAndWait {
            context.refreshAllObjects()
            context.processPendingChanges()
        }
        member.seen = parent.version
        guard isUpToDate(parent) else { return }
        let keys = parent.context.performAndWait { parent.side.keys() }
        if context.performAndWait({ context.updatedObjects.contains { !keys.contains($0.graphKey) } }) {
            // Changed here and deleted there: the next save decides.
            member.seen = -1
            return
        }
        if let changes {
            let present = parent.context.performAndWait { FamilyLinks(parent.side) }
            let shown = context.performAndWait { FamilyLinks(side) }
            try changes.expect(on: present, in: shown)
            comparisons += 1
        }
        try look(member)
    }

    private func look(_ member: FamilyMember) throws {
        guard isUpToDate(member) else { return }
        let graph = try member.graph()
        if member.hasChanges { return }
        try compare(try below(member), graph, "a context shows something else than is below it")
    }

    private func rollBack(_ member: FamilyMember) throws {
        member.context.performAndWait { member.context.rollback() }
        member.version += 1
        try look(member)
    }

    private func reset(_ member: FamilyMember) throws {
        member.context.performAndWait { member.context.reset() }
        member.side.pending = []
        member.version += 1
        member.seen = member.parent?.version ?? storeVersion
        try look(member)
    }

    // MARK: Undoing

    /// Makes some changes, undoes and redoes them, with saves into the parent in between.
    private func undoAndRedo(_ member: FamilyMember, _ random: inout SplitMix64) throws {
        guard isUpToDate(member) else { return }
        let context = member.context
        let manager = UndoManager()
        manager.groupsByEvent = false
        let before = try member.graph()
        context.performAndWait { context.undoManager = manager }
        defer { context.performAndWait { context.undoManager = nil } }
        for group in 0...random.below(3) {
            var numbers = random
            try context.performAndWait {
                manager.beginUndoGrouping()
                for number in 0...numbers.below(2) {
                    try member.side.change(&numbers, key: nextKey + group * 3 + number)
                    if numbers.chance(30) { context.processPendingChanges() }
                }
                context.processPendingChanges()
                manager.endUndoGrouping()
            }
            random = numbers
        }
        member.version += 1
        let after = try member.graph()
        let saves = random.below(3)
        if saves > 0, member.parent != nil { try save(member, looks: random.chance(50), skips: false) }
        context.performAndWait { while manager.canUndo { context.undo() } }
        member.version += 1
        try compare(before, try member.graph(), "undoing doesn't end where the changes began")
        if saves > 1, member.parent != nil { try save(member, looks: true, skips: false) }
        context.performAndWait { while manager.canRedo { context.redo() } }
        member.version += 1
        try compare(after, try member.graph(), "redoing doesn't end where the changes ended")
    }
}
