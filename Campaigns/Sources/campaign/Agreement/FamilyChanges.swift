import CampaignCore
import Foundation
import OpenCoreData

/// The links of a context's objects, by keys.
struct FamilyLinks {
    /// The destinations of each object's relationships.
    private(set) var destinations: [Int: [String: [Int]]] = [:]

    init(_ side: GraphSide) {
        for object in side.objects() {
            destinations[object.graphKey] = object.entity.relationshipsByName.mapValues { relationship in
                object.destinations(relationship).map(\.graphKey)
            }
        }
    }
}

/// What a context changed since it last saved, by keys.
struct FamilyChanges {
    private var inserted: Set<Int>
    private var deleted: Set<Int>
    private var toOnes: [Int: [String: Int?]] = [:]
    private var added: [Int: [String: Set<Int>]] = [:]
    private var removed: [Int: [String: Set<Int>]] = [:]

    init(in context: NSManagedObjectContext) {
        context.processPendingChanges()
        inserted = Set(context.insertedObjects.map(\.graphKey))
        deleted = Set(context.deletedObjects.map(\.graphKey))
        for object in context.updatedObjects.union(context.insertedObjects) {
            let names = Array(object.entity.relationshipsByName.keys)
            let before = object.isInserted ? [:] : object.committedValues(forKeys: names)
            for (name, relationship) in object.entity.relationshipsByName {
                let former = Self.objects(before[name]).map(\.graphKey)
                let present = object.destinations(relationship).map(\.graphKey)
                if Set(former) == Set(present) { continue }
                if relationship.isToMany {
                    added[object.graphKey, default: [:]][name] = Set(present).subtracting(former)
                    removed[object.graphKey, default: [:]][name] = Set(former).subtracting(present)
                } else {
                    toOnes[object.graphKey, default: [:]][name] = .some(present.first)
                }
            }
        }
    }

    private static func objects(_ value: Any?) -> [NSManagedObject] {
        switch value {
        case let list as NSOrderedSet: list.array.compactMap { $0 as? NSManagedObject }
        case let set as Set<NSManagedObject>: Array(set)
        case let object as NSManagedObject: [object]
        default: []
        }
    }

    /// Checks that a context that read its objects again shows what its parent has with the changes on top.
    ///
    /// The one-to-one is left out: a link that was set here takes others with it.
    func expect(on below: FamilyLinks, in shown: FamilyLinks) throws {
        for key in inserted where shown.destinations[key] == nil {
            throw CampaignFailure("an insert is lost", "\(key)")
        }
        for key in deleted where shown.destinations[key] != nil {
            throw CampaignFailure("a deletion is lost", "\(key)")
        }
        for (key, links) in shown.destinations {
            let present = below.destinations[key] ?? [:]
            for (name, found) in links where SideBySideModel.toOnes.contains(name) && name != "covered" {
                let expected = toOnes[key]?[name] ?? present[name]?.first
                if let expected, shown.destinations[expected] == nil { continue }
                guard found.first == expected else {
                    throw CampaignFailure("a to-one was lost or kept", "\(key).\(name): \(found), not \(expected ?? 0)")
                }
            }
            for (name, found) in links where ["tags", "ranked", "tagged", "rankers"].contains(name) {
                let expected = Set(present[name] ?? []).union(added[key]?[name] ?? [])
                    .subtracting(removed[key]?[name] ?? []).filter { shown.destinations[$0] != nil }
                guard Set(found) == expected else {
                    throw CampaignFailure(
                        "members were lost or kept", "\(key).\(name): \(found), not \(expected.sorted())")
                }
            }
        }
    }
}
