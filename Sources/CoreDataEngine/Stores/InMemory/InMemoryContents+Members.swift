/// Relationships as files and nodes have them: from one side or from both.
extension InMemoryContents {
    /// Sets the members of a to-many of one owner. All rows must be there.
    mutating func setMembers(_ members: [Int64], of relationship: RelationshipLayout, owner: ObjectReference) {
        let side = relationship.linkSide
        for member in members {
            if relationship.inverse == nil {
                hiddenOwners[RelationshipKey(relationship), default: [:]][member] = owner.reference
            } else if relationship.inverse?.isToMany == true {
                let isSwapped = side.isReflexive ? owner.reference > member : !side.isFirst
                let pair =
                    isSwapped
                    ? LinkPair(first: member, second: owner.reference)
                    : LinkPair(first: owner.reference, second: member)
                links[side.key, default: []].insert(pair)
            } else {
                point(member, back: relationship, to: owner)
            }
        }
        if relationship.isOrdered {
            orders[RelationshipKey(relationship), default: [:]][owner.reference] = members
        }
    }

    /// Sets the other side of a one-to-one, where only one side has it.
    mutating func mirror(_ relationship: RelationshipLayout, owner: ObjectReference) {
        guard let inverse = relationship.inverse, !inverse.isToMany, let slot = relationship.slot,
            let record = record(owner.reference, root: relationship.owner.root),
            case .reference(let target) = record.values[slot]
        else { return }
        point(target.reference, back: relationship, to: owner)
    }

    /// Sets the to-one of a destination that doesn't have it itself.
    private mutating func point(_ member: Int64, back relationship: RelationshipLayout, to owner: ObjectReference) {
        guard let slot = relationship.inverse?.slot,
            var record = record(member, root: relationship.destination.root), slot < record.values.count,
            record.values[slot].isNull
        else { return }
        record.values[slot] = .reference(owner)
        insert(record)
    }
}
