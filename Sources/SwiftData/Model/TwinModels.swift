import CoreDataEngine

/// Models whose objects refer to other models: a save made one row of two.
struct TwinModels {
    private struct Twin { weak var model: (any PersistentModel)? }

    private var twins: [Twin] = []
    /// How many there may be before those that are gone are looked for.
    private var most = 16

    mutating func append(_ model: any PersistentModel, of object: BackedObject) {
        if object.model.object === model { return }
        if twins.count >= most {
            twins.removeAll { $0.model == nil }
            most = max(16, twins.count * 2)
        }
        twins.append(Twin(model: model))
    }

    /// The storages of models that show one of the objects.
    func storages(of objects: Set<NSManagedObject>) -> [ModelStorage] {
        twins.compactMap { $0.model?._$modelStorage }.filter { storage in
            storage.object.map { objects.contains($0) } ?? false
        }
    }
}
