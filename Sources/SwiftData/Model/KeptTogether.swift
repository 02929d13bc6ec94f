/// Models that leave a context together, with each other as values.
///
/// They keep each other in one direction alone, members rather than owners, or they would never be released.
struct KeptTogether {
    /// A value that doesn't keep its models.
    struct Loosened {
        private struct Reference { weak var model: (any PersistentModel)? }

        private let references: [Reference]

        fileprivate init(_ models: [any PersistentModel]) { references = models.map { Reference(model: $0) } }

        /// The models that are there still.
        var models: [any PersistentModel] { references.compactMap(\.model) }
    }

    private let storages: [ModelStorage]
    private let indexes: [ObjectIdentifier: Int]

    init(_ storages: [ModelStorage]) {
        self.storages = storages
        indexes = Dictionary(storages.enumerated().map { (ObjectIdentifier($0.element), $0.offset) }) { first, _ in
            first
        }
    }

    /// Loosens the values by which models would keep each other.
    func loosen() {
        let places = self.places()
        for (index, storage) in storages.enumerated() {
            for slot in storage.descriptor.slots where slot.isRelationship {
                guard let value = storage.values[slot.name] else { continue }
                let models = slot.models(in: value)
                let others = models.compactMap { $0._$modelStorage }
                for other in others where other.context != nil && indexes[ObjectIdentifier(other)] == nil {
                    other.forget(storage)
                }
                let isBack = others.contains { other in
                    indexes[ObjectIdentifier(other)].map { places[$0] >= places[index] } ?? false
                }
                if isBack { storage.values[slot.name] = Loosened(models) }
            }
        }
    }

    private func members(of storage: ModelStorage) -> [Int] {
        storage.descriptor.slots.filter(\.isToMany).flatMap { slot in
            (storage.values[slot.name].map(slot.models) ?? [])
                .compactMap { $0._$modelStorage.flatMap { indexes[ObjectIdentifier($0)] } }
        }
    }

    /// Places of the models in an order in which owners have greater ones than their members.
    private func places() -> [Int] {
        var places = [Int?](repeating: nil, count: storages.count)
        var isMet = [Bool](repeating: false, count: storages.count)
        var last = 0
        for start in storages.indices where !isMet[start] {
            isMet[start] = true
            var path = [(index: start, rest: members(of: storages[start])[...])]
            while !path.isEmpty {
                if let next = path[path.count - 1].rest.popFirst() {
                    guard !isMet[next] else { continue }
                    isMet[next] = true
                    path.append((next, members(of: storages[next])[...]))
                } else {
                    places[path.removeLast().index] = last
                    last += 1
                }
            }
        }
        return places.map { $0 ?? 0 }
    }
}

extension ModelStorage {
    /// Stops keeping a model that leaves the context.
    fileprivate func forget(_ storage: ModelStorage) {
        dropLists()
        for (name, model) in toOnes where model._$modelStorage === storage { toOnes[name] = nil }
    }
}
