/// To-manys without an inverse, whose members have one owner each: what others gave to one is the former one's no longer,
/// and only the new one is announced as changed.
extension NSManagedObjectContext {
    fileprivate struct OneWay: Hashable {
        let root: ObjectIdentifier
        let name: String
    }

    /// Has registered owners that were read before others took their members read them again.
    ///
    /// - Parameter ids: What others changed, which may have taken members.
    final func leaveFormerOwners(toOwners ids: [NSManagedObjectID]) {
        guard layout?.hasOneWayToManys == true else { return }
        let changed = ids.compactMap { localized($0) }.filter { $0.layout.relationships.contains(where: \.isOneWay) }
        guard !changed.isEmpty else { return }
        let taking = Set(changed)
        var former: [OneWay: [NSManagedObject]] = [:]
        for object in registry.objects() where object.extras?.relationships.isEmpty == false {
            for relationship in object.layout.relationships where relationship.isOneWay {
                guard object.toManyStateIfAny(relationship)?.committed?.isEmpty == false,
                    !taking.contains(object.objectID)
                else { continue }
                former[OneWay(relationship, object.layout), default: []].append(object)
            }
        }
        if former.isEmpty { return }
        for group in Dictionary(grouping: changed, by: { ObjectIdentifier($0.layout) }).values {
            let owners = group.map { anyObject(with: $0) }.filter { !$0.state.isDeleted }
            for relationship in group[0].layout.relationships where relationship.isOneWay {
                guard let others = former[OneWay(relationship, group[0].layout)] else { continue }
                try? loadToMany(relationship, ofAll: owners)
                let taken = Set(
                    owners.flatMap { $0.loadedState(relationship).committed?.objects ?? [] }.map(ObjectIdentifier.init))
                for other in others { other.readAgain(relationship.name, without: taken) }
            }
        }
    }
}

extension NSManagedObjectContext.OneWay {
    fileprivate init(_ relationship: RelationshipLayout, _ layout: EntityLayout) {
        self.init(root: ObjectIdentifier(layout.root), name: relationship.name)
    }
}

extension RelationshipLayout {
    fileprivate var isOneWay: Bool { isToMany && inverse == nil && !isTransient }
}

extension NSManagedObject {
    /// Lets the members of a to-many be asked for again if others took some of them.
    fileprivate final func readAgain(_ name: String, without taken: Set<ObjectIdentifier>) {
        guard let relationship = layout.relationship(named: name), let state = toManyStateIfAny(relationship),
            let stored = state.committed, stored.objects.contains(where: { taken.contains(ObjectIdentifier($0)) }),
            let context = ownContext, !self.state.isDeleted
        else { return }
        announceChange()
        if !context.resultTrackers.isEmpty { context.resultTrackers.objectWillChange(self) }
        state.forgetStored()
        context.changeTracker.refresh(self)
    }
}
