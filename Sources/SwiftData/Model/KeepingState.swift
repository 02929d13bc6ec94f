/// Where a model stands among those that keep others alive.
///
/// A model keeps the members of a to-many that was read, and the models that its to-ones lead to, or each read would make
/// them once more. None may keep itself over others: a context that is kept by its models would never end. Therefore a
/// model keeps only models of a higher rank. That also limits how many are kept one by the other, and released one within
/// the other.
struct KeepingState {
    static let highestRank: Int8 = 12
    private static let firstRank: Int8 = 4

    fileprivate(set) var rank = Self.firstRank
    /// Whether a to-one of another model keeps, or kept, this one.
    fileprivate(set) var isDestination = false
    /// Whether a to-many of another model keeps, or kept, this one.
    fileprivate(set) var isMember = false

    fileprivate var isKept: Bool { isDestination || isMember }

    /// To be called when no to-many keeps the model.
    mutating func endMembership() {
        isMember = false
        if !isDestination { rank = min(rank, Self.firstRank) }
    }
}

extension ModelStorage {
    private var keepsOthers: Bool { !lists.isEmpty || !toOnes.isEmpty }

    /// Keeps the model that a to-one leads to.
    func keep(_ model: any PersistentModel, ofToOne name: String) {
        guard let other = model._$modelStorage, other !== self else { return }
        if other.keeping.rank <= keeping.rank {
            // One rank is left for members, and for what they lead to.
            if !other.keepsOthers, keeping.rank + 1 <= KeepingState.highestRank {
                other.keeping.rank = keeping.rank + 1
            } else if !keeping.isKept, other.keeping.rank > 0 {
                keeping.rank = other.keeping.rank - 1
            } else {
                return
            }
        }
        other.keeping.isDestination = true
        toOnes[name] = model
    }

    /// Whether the model may keep members.
    func mayKeepMembers() -> Bool { keeping.rank < KeepingState.highestRank }

    /// Notes that another model is about to keep this one as a member.
    func becomeMember(of owner: ModelStorage) {
        if keeping.rank <= owner.keeping.rank {
            // It would keep the owner, perhaps.
            if keepsOthers { dropKept() }
            keeping.rank = owner.keeping.rank + 1
        }
        keeping.isMember = true
    }
}
