import Foundation
import OpenCoreData
import TestSupport

/// A random walk of a parent context, two children, a grandchild and a context beside the parent, which change one graph
/// in turns.
///
/// A context that wasn't brought up to date since what is below it changed may show old values; one that is up to date
/// shows what is below it with its own changes on top.
struct FamilyWalk {
    private struct Member {
        let context: NSManagedObjectContext
        /// The index of the parent.
        let parent: Int?
        /// Counts the changes of what the context shows.
        var version = 0
        /// The version of the parent, or of the store, that the context was last brought up to.
        var seen = 0
        var saved: [Notification] = []
    }

    private let stack: TestStack
    private var members: [Member] = []
    private var logs: [NotificationLog] = []
    private var random: SeededGenerator
    private var storeVersion = 0
    private var nextKey = 0
    private(set) var comparisons = 0
    private(set) var differences: [String] = []

    init(seed: UInt64, type: String, rule: NSDeleteRule) throws {
        stack = try TestStack(model: BoxModel.make(rule: rule), type: type)
        random = SeededGenerator(seed: seed)
        for parent in [nil, 0, 0, 1, nil] as [Int?] {
            let context =
                parent == nil ? stack.context() : NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            if let parent { context.parent = members[parent].context }
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            members.append(Member(context: context, parent: parent))
            logs.append(NotificationLog(context))
        }
    }

    mutating func run(steps: Int) throws {
        for step in 0..<steps where differences.isEmpty {
            let index = random.below(members.count)
            switch random.below(12) {
            case 0..<2: try save(index, step)
            case 2..<4: try bringUpToDate(index, step)
            default:
                nextKey += 1
                try change(members[index].context)
                members[index].version += 1
            }
            for (number, member) in members.enumerated() {
                let broken = member.context.performAndWait { member.context.checkInvariants() }
                differences += broken.map { "step \(step): context \(number): \($0)" }
            }
        }
    }

    private func isUpToDate(_ index: Int) -> Bool {
        guard let parent = members[index].parent else { return members[index].seen == storeVersion }
        return isUpToDate(parent) && members[index].seen == members[parent].version
    }

    /// Follows the delete rules, in a context and above it.
    private func process(_ index: Int) {
        if let parent = members[index].parent { process(parent) }
        let context = members[index].context
        context.performAndWait { context.processPendingChanges() }
    }

    // MARK: Steps

    private mutating func change(_ context: NSManagedObjectContext) throws {
        var numbers = random
        let key = nextKey
        try context.performAndWait {
            let (boxes, items) = (try Self.all("Box", context), try Self.all("Item", context))
            guard boxes.count > 2, items.count > 2, numbers.below(8) > 0 else {
                if boxes.count < 3 { _ = context.box(String(format: "%04d", key)) } else { _ = context.item(key) }
                return
            }
            let (box, item) = (boxes[numbers.below(boxes.count)], items[numbers.below(items.count)])
            switch numbers.below(12) {
            case 0: context.delete(numbers.below(3) == 0 ? box : item)
            case 1: context.processPendingChanges()
            case 2..<6:
                let name = ["owner", "shelf", "covered"][numbers.below(3)]
                item.setValue(numbers.below(4) == 0 ? nil : box, forKey: name)
            default:
                let name = ["items", "list", "tags", "ranked"][numbers.below(4)]
                if box.keys(name).contains(item.value(forKey: "key") as? Int ?? 0) {
                    box.remove(item, from: name)
                } else {
                    box.add(item, to: name)
                }
            }
        }
        random = numbers
    }

    private mutating func save(_ index: Int, _ step: Int) throws {
        let context = members[index].context
        process(index)
        let wasUpToDate = isUpToDate(index)
        let shown = wasUpToDate ? try graph(context) : nil
        do {
            try context.performAndWait { try context.save() }
        } catch {
            context.performAndWait { context.rollback() }
            members[index].version += 1
            if wasUpToDate { differences.append("step \(step): the save of context \(index) fails: \(error)") }
            return
        }
        if let parent = members[index].parent { members[parent].version += 1 } else { storeVersion += 1 }
        if wasUpToDate {
            members[index].seen = members[index].parent.map { members[$0].version } ?? storeVersion
        } else {
            members[index].version += 1
        }
        if members[index].parent == nil {
            let notifications = logs[index].entries(.NSManagedObjectContextDidSave).map(\.notification)
            for other in members.indices where other != index && members[other].parent == nil {
                if let last = notifications.last { members[other].saved.append(last) }
            }
        }
        guard members[index].parent.map(isUpToDate) ?? true else { return }
        let stored = try below(index)
        if let shown { compare(shown, stored, "step \(step): saved by context \(index)") }
    }

    private mutating func bringUpToDate(_ index: Int, _ step: Int) throws {
        process(index)
        let (context, saved) = (members[index].context, members[index].saved)
        let isChild = members[index].parent != nil
        members[index].version += 1
        members[index].saved = []
        context.performAndWait {
            for notification in saved { context.mergeChanges(fromContextDidSave: notification) }
            if isChild { context.refreshAllObjects() }
            context.processPendingChanges()
        }
        members[index].seen = members[index].parent.map { members[$0].version } ?? storeVersion
        guard isUpToDate(index) else { return }
        if let parent = members[index].parent.map({ members[$0].context }) {
            let ids = Set(try parent.performAndWait { try Self.everything(parent).map(\.objectID) })
            if context.performAndWait({ context.updatedObjects.contains { !ids.contains($0.objectID) } }) {
                // Changed here and deleted there: the next save decides.
                members[index].seen = -1
                return
            }
        }
        let shown = try graph(context)
        if context.performAndWait({ !context.hasChanges }) {
            compare(try below(index), shown, "step \(step): read again by context \(index)")
        }
    }

    // MARK: Comparing

    private func below(_ index: Int) throws -> String {
        try graph(members[index].parent.map { members[$0].context } ?? stack.context())
    }

    private mutating func compare(_ expected: String, _ found: String, _ moment: String) {
        comparisons += 1
        for graph in [expected, found] where graph.contains("?") { differences.append("\(moment):\n\(graph)") }
        if expected != found { differences.append("\(moment):\n\(expected)\n---- is\n\(found)") }
    }

    private static func all(_ entity: String, _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: entity == "Box" ? "title" : "key", ascending: true)]
        return try context.fetch(request)
    }

    private static func everything(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        try all("Box", context) + all("Item", context)
    }

    /// All objects and links; a link whose other side says something else, or that leads nowhere, is marked with "?".
    private func graph(_ context: NSManagedObjectContext) throws -> String {
        try context.performAndWait {
            context.processPendingChanges()
            let objects = try Self.everything(context)
            let present = Set(objects)
            return objects.map { object in
                let links = object.entity.relationshipsByName.sorted { $0.key < $1.key }.map { name, relationship in
                    let inverse = relationship.inverseRelationship?.name
                    let destinations = Self.destinations(object, name).map { other in
                        let agrees = inverse.map { Self.destinations(other, $0).contains(object) } ?? true
                        return Self.name(other) + (agrees && present.contains(other) ? "" : "?")
                    }
                    let isOrdered = object.value(forKey: name) is NSOrderedSet
                    return "\(name)=\(isOrdered ? destinations : destinations.sorted())"
                }
                return "\(Self.name(object)): \(links.joined(separator: " "))"
            }.joined(separator: "\n")
        }
    }

    private static func name(_ object: NSManagedObject) -> String {
        object.entity.name == "Box"
            ? "\(object.value(forKey: "title") ?? "nil")" : "\(object.value(forKey: "key") ?? "nil")"
    }

    private static func destinations(_ object: NSManagedObject, _ name: String) -> [NSManagedObject] {
        switch object.value(forKey: name) {
        case let list as NSOrderedSet: list.array.compactMap { $0 as? NSManagedObject }
        case let set as Set<NSManagedObject>: Array(set)
        case let destination as NSManagedObject: [destination]
        default: []
        }
    }
}
