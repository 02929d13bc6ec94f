/// A property of an entity, found by its name.
struct PropertyPosition {
    /// The slot of an attribute or to-one, or the index of a to-many among the relationships.
    let index: Int
    /// Its one kind.
    let kind: PropertyKinds
    /// A number of the declaration that all entities share which inherit it, and nothing else in the process has. Never 0.
    let identity: UInt64
    fileprivate let slot: SlotLayout?
    fileprivate let toMany: RelationshipLayout?

    /// The relationship; nil for an attribute.
    var relationship: RelationshipLayout? { toMany ?? slot?.relationship }
}

extension EntityLayout {
    /// The attribute or relationship with a name.
    func position(named name: String) -> PropertyPosition? {
        if let slot = slot(named: name) {
            return PropertyPosition(
                index: slot.index, kind: PropertyKinds(slot.kind),
                identity: UInt64(slot.owner.identifier) << 32 | UInt64(slot.index), slot: slot, toMany: nil)
        }
        guard let relationship = relationship(named: name), relationship.isToMany else { return nil }
        return PropertyPosition(
            index: relationship.index, kind: .toMany,
            identity: UInt64(relationship.owner.identifier) << 32 | 1 << 31 | UInt64(relationship.index),
            slot: nil, toMany: relationship)
    }
}

extension RelationshipLayout {
    /// The class of the destination's objects in this program.
    var destinationClass: NSManagedObject.Type {
        ManagedObjectClass.of(destination)
    }
}
