/// Models that leave a context together, with each other as values.
///
/// They keep each other in one direction alone, or they would never be released. Whatever a model of the program leads to
/// stays, if the program holds only that one.
struct KeptTogether {
    /// A value that doesn't keep all of its models.
    struct Loosened {
        private struct Reference {
            weak var model: (any PersistentModel)?
            let kept: (any PersistentModel)?
        }

        private let references: [Reference]

        fileprivate init(_ models: [any PersistentModel], _ loosened: Set<ObjectIdentifier>) {
            references = models.map { model in
                Reference(model: model, kept: loosened.contains(ObjectIdentifier(model)) ? nil : model)
            }
        }

        /// The models that are there still.
        var models: [any PersistentModel] { references.compactMap(\.model) }
    }

    /// A model as the value, or a part of the value, of another one.
    private struct Edge {
        let slot: AnyModelSlot
        let model: any PersistentModel
        let end: Int
    }

    private let storages: [ModelStorage]
    private let heldCount: Int
    private let indexes: [ObjectIdentifier: Int]

    /// - Parameters:
    ///   - held: The models that the program may hold.
    ///   - others: The models that only other models of these lead to.
    init(held: [ModelStorage], others: [ModelStorage] = []) {
        storages = held + others
        heldCount = held.count
        indexes = Dictionary(storages.enumerated().map { (ObjectIdentifier($0.element), $0.offset) }) { first, _ in
            first
        }
    }

    /// Loosens the values by which models would keep each other.
    func loosen() {
        forgetThose()
        for (index, slots) in backEdges() {
            let storage = storages[index]
            for (name, loosened) in slots {
                guard let slot = storage.descriptor.slot(named: name), let value = storage.values[name]
                else { continue }
                storage.values[name] = Loosened(slot.models(in: value), loosened)
            }
        }
    }

    /// Has models that stay in the context stop keeping these.
    private func forgetThose() {
        for storage in storages {
            for slot in storage.descriptor.slots where slot.isRelationship {
                guard let value = storage.values[slot.name] else { continue }
                for other in slot.models(in: value).compactMap(\._$modelStorage)
                where other.context != nil && indexes[ObjectIdentifier(other)] == nil { other.forget(storage) }
            }
        }
    }

    /// The values that lead back to a model from which they were reached, by the indexes of their models and the names of
    /// the properties.
    private func backEdges() -> [Int: [String: Set<ObjectIdentifier>]] {
        var found: [Int: [String: Set<ObjectIdentifier>]] = [:]
        walk(from: ownersFirst() + Array(heldCount..<storages.count), \.isRelationship) { index, edge in
            found[index, default: [:]][edge.slot.name, default: []].insert(ObjectIdentifier(edge.model))
        } leave: { _ in
        }
        return found
    }

    /// The models that the program may hold: those with arrays before the members of these.
    private func ownersFirst() -> [Int] {
        var left: [Int] = []
        walk(from: Array(0..<heldCount), \.isToMany) { _, _ in
        } leave: {
            left.append($0)
        }
        return left.reversed().filter { $0 < heldCount }
    }

    /// Walks through the models in depth.
    ///
    /// - Parameters:
    ///   - starts: The models with which to begin.
    ///   - isFollowed: Whether the values of a slot are followed.
    ///   - goesBack: Called for each value that leads to a model on the path.
    ///   - leave: Called for each model after those that it leads to.
    private func walk(
        from starts: [Int], _ isFollowed: (AnyModelSlot) -> Bool, goesBack: (Int, Edge) -> Void, leave: (Int) -> Void
    ) {
        enum State { case new, isOnPath, done }
        var states = [State](repeating: .new, count: storages.count)
        for start in starts where states[start] == .new {
            states[start] = .isOnPath
            var path = [(index: start, rest: edges(of: storages[start], isFollowed)[...])]
            while let last = path.last {
                guard let next = path[path.count - 1].rest.popFirst() else {
                    states[last.index] = .done
                    path.removeLast()
                    leave(last.index)
                    continue
                }
                switch states[next.end] {
                case .done: continue
                case .isOnPath: goesBack(last.index, next)
                case .new:
                    states[next.end] = .isOnPath
                    path.append((next.end, edges(of: storages[next.end], isFollowed)[...]))
                }
            }
        }
    }

    private func edges(of storage: ModelStorage, _ isFollowed: (AnyModelSlot) -> Bool) -> [Edge] {
        storage.descriptor.slots.filter { $0.isRelationship && isFollowed($0) }.flatMap { slot in
            (storage.values[slot.name].map(slot.models) ?? []).compactMap { model in
                model._$modelStorage.flatMap { indexes[ObjectIdentifier($0)] }
                    .map { Edge(slot: slot, model: model, end: $0) }
            }
        }
    }
}

extension ModelStorage {
    /// Stops keeping a model that leaves the context.
    fileprivate func forget(_ storage: ModelStorage) {
        dropLists()
        for (name, model) in toOnes where model._$modelStorage === storage { toOnes[name] = nil }
    }
}
