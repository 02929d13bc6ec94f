import CoreDataEngine

/// Models that show one row, because a save made one row of several.
final class TwinModels {
    private struct Twin { weak var storage: ModelStorage? }

    private var twins: [Twin] = []

    func append(_ storage: ModelStorage) {
        twins.removeAll { $0.storage == nil }
        if !twins.contains(where: { $0.storage === storage }) { twins.append(Twin(storage: storage)) }
    }

    /// The storages of the models that are there still and show an object.
    func storages(of object: NSManagedObject) -> [ModelStorage] {
        twins.compactMap(\.storage).filter { $0.object === object && $0.model != nil }
    }

    var isEmpty: Bool { twins.allSatisfy { $0.storage == nil } }
}

/// The models of a context that show rows of other models, by their objects.
struct TwinTable {
    private var groups: [ObjectIdentifier: TwinModels] = [:]
    /// How many there may be before those that are gone are looked for.
    private var most = 16

    /// The models of an object of which there are several. Makes a place for them.
    mutating func group(of object: BackedObject) -> TwinModels {
        if let group = groups[ObjectIdentifier(object)], !group.storages(of: object).isEmpty { return group }
        if groups.count >= most {
            groups = groups.filter { !$0.value.isEmpty }
            most = max(16, groups.count * 2)
        }
        let made = TwinModels()
        groups[ObjectIdentifier(object)] = made
        return made
    }

    /// The models of the objects of which there are several.
    func storages(of objects: some Collection<NSManagedObject>) -> [ModelStorage] {
        if groups.isEmpty || objects.isEmpty { return [] }
        return objects.flatMap { groups[ObjectIdentifier($0)]?.storages(of: $0) ?? [] }
    }

    /// A model of an object, if there are several or were.
    func model(of object: BackedObject) -> (any PersistentModel)? {
        groups.isEmpty ? nil : groups[ObjectIdentifier(object)]?.storages(of: object).first?.model
    }
}
