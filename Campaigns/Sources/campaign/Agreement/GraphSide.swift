import CampaignCore
import Foundation
import OpenCoreData

/// One of several contexts that change the same graph, with controllers that follow it. It belongs to one thread.
final class GraphSide {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    /// What others saved and this context has yet to merge.
    var pending: [Notification] = []
    private var controllers: [NSFetchedResultsController<NSManagedObject>] = []
    private let quiet = QuietDelegate()
    private static let entities = ["Box", "Item"]

    /// Lets controllers follow the context.
    private final class QuietDelegate: NSObject, NSFetchedResultsControllerDelegate {
        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
    }

    /// - Parameter isFollowed: Whether controllers follow the context.
    init(_ coordinator: NSPersistentStoreCoordinator, isFollowed: Bool) throws {
        context.persistentStoreCoordinator = coordinator
        context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        guard isFollowed else { return }
        try context.performAndWait {
            for (entity, format) in [
                ("Item", "owner != nil AND num != 4"), ("Item", "num > 2"), ("Box", "num < 5"),
                ("Item", "friend == nil OR shelf != nil"),
            ] {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.predicate = NSPredicate(format: format)
                request.sortDescriptors = [NSSortDescriptor(key: "key", ascending: true)]
                let controller = NSFetchedResultsController(
                    fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
                controller.delegate = quiet
                try controller.performFetch()
                controllers.append(controller)
            }
        }
    }

    /// A side whose context is a child of another side's.
    init(parent: GraphSide) {
        context.parent = parent.context
        context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    }

    private func all(_ entity: String) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "key", ascending: true)]
        return try context.fetch(request)
    }

    // MARK: Changing

    /// Makes one change; the same numbers make the same one where the context has the same objects.
    func change(_ random: inout SplitMix64, key: Int) throws {
        let (boxes, items) = (try all("Box"), try all("Item"))
        let choice = random.below(20)
        if choice < 4 || boxes.count < 3 || items.count < 3 {
            let entity = choice == 0 || boxes.count < 3 ? "Box" : "Item"
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValue(key, forKey: "key")
            object.setValue(random.below(8), forKey: "num")
            return
        }
        let (box, item) = (random.pick(boxes), random.pick(items))
        switch choice {
        case 4..<6: item.setValue(random.below(8), forKey: "num")
        case 6: box.setValue(random.below(8), forKey: "num")
        case 7..<11:
            item.setValue(random.chance(25) ? nil : box, forKey: random.pick(SideBySideModel.toOnes))
        case 11..<18: changeMembers(of: box, random.pick(SideBySideModel.toManys), item, items, &random)
        case 18: context.delete(random.chance(30) ? box : item)
        default: context.processPendingChanges()
        }
    }

    private func changeMembers(
        of box: NSManagedObject, _ name: String, _ item: NSManagedObject, _ items: [NSManagedObject],
        _ random: inout SplitMix64
    ) {
        guard box.entity.relationshipsByName[name]?.isOrdered == true else {
            let set = box.mutableSetValue(forKey: name)
            if set.contains(item) { set.remove(item) } else { set.add(item) }
            return
        }
        let list = box.mutableOrderedSetValue(forKey: name)
        if random.chance(20) {
            box.setValue(NSOrderedSet(array: list.array.shuffled(using: &random)), forKey: name)
        } else if list.contains(item) {
            list.remove(item)
        } else {
            list.insert(item, at: random.below(list.count + 1))
        }
    }

    // MARK: Merging

    /// Merges what the others saved so far, one way or the other.
    func merge(_ random: inout SplitMix64) {
        let way = random.below(4)
        for notification in pending {
            if way == 0 {
                NSManagedObjectContext.mergeChanges(
                    fromRemoteContextSave: notification.userInfo ?? [:], into: [context])
            } else {
                context.mergeChanges(fromContextDidSave: notification)
            }
        }
        pending = []
        if way == 1 { context.refreshAllObjects() }
        context.processPendingChanges()
    }

    // MARK: Looking

    /// All objects, in the order of their keys.
    func objects() -> [NSManagedObject] { Self.entities.flatMap { (try? all($0)) ?? [] } }

    func keys() -> Set<Int> { Set(objects().map(\.graphKey)) }

    /// What the context has of the graph, by keys.
    ///
    /// - Parameter showsMissing: Whether a relationship without an inverse shows that it leads to what was deleted.
    /// - Throws: A `CampaignFailure` where the two sides of a relationship contradict each other, or something leads to an
    ///   object that is no longer there.
    func graph(showsMissing: Bool = true) throws -> String {
        var lines: [String] = []
        let objects = try Self.entities.flatMap(all)
        let present = Set(objects.map(ObjectIdentifier.init))
        for object in objects {
            var line = "\(object.entity.name ?? "") \(object.graphKey) num=\(object.value(forKey: "num") ?? "nil")"
            for (name, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key }) {
                let destinations = object.destinations(relationship)
                guard let inverse = relationship.inverseRelationship else {
                    // It may lead to what was deleted, by this context or another one.
                    let known = destinations.filter { showsMissing || present.contains(ObjectIdentifier($0)) }
                    let keys = known.map { present.contains(ObjectIdentifier($0)) ? $0.graphKey : -1 }
                    line += " \(name)=\(keys)"
                    continue
                }
                line += " \(name)=\(destinations.map(\.graphKey))"
                for destination in destinations {
                    guard present.contains(ObjectIdentifier(destination)) else {
                        throw CampaignFailure("a relationship leads to what isn't there", line)
                    }
                    guard destination.destinations(inverse).contains(where: { $0 === object }) else {
                        throw CampaignFailure(
                            "the two sides of a relationship contradict each other",
                            "\(line): \(destination.graphKey) doesn't lead back by \(inverse.name)")
                    }
                }
            }
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }

    /// Compares the controllers with what a fetch finds, and with what matches of all objects.
    func compareControllers() throws {
        for controller in controllers {
            let request = controller.fetchRequest
            let shown = (controller.fetchedObjects ?? []).map(\.graphKey)
            let found = try context.fetch(request).map(\.graphKey)
            let matching = try all(request.entityName ?? "").filter { request.predicate?.evaluate(with: $0) ?? true }
                .map(\.graphKey)
            guard shown == found, found == matching else {
                throw CampaignFailure(
                    "a controller, a fetch and the predicate disagree",
                    "\(request.predicate?.predicateFormat ?? ""): shown \(shown), found \(found), matching \(matching)")
            }
        }
    }
}
