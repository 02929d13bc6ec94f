package import OpenCoreData

/// Which relationships the objects of an input bring, so that one side of each pair can be left out.
package struct ImportCensus {
    private struct Count {
        var objects = 0
        var relationships: [String: Int] = [:]
    }

    private var counts: [String: Count] = [:]

    /// Notes an object of `entity` that has values for `relationships`.
    package mutating func add(_ entity: NSEntityDescription, relationships: [String]) {
        var count = counts[entity.displayName] ?? Count()
        count.objects += 1
        for name in relationships { count.relationships[name, default: 0] += 1 }
        counts[entity.displayName] = count
    }

    /// Whether setting `relationship` can be left out, because its other side says the same and is set.
    ///
    /// The side that is kept is the ordered one, else the to-one, else the first by name.
    package func isCoveredByInverse(_ relationship: NSRelationshipDescription) -> Bool {
        guard let inverse = relationship.inverseRelationship, inverse !== relationship,
            let owner = relationship.destinationEntity, isComplete(inverse.name, of: owner)
        else { return false }
        if relationship.isOrdered { return false }
        if inverse.isOrdered { return true }
        if relationship.isToMany != inverse.isToMany { return relationship.isToMany }
        let own = (inverse.destinationEntity?.displayName ?? "", relationship.name)
        return (owner.displayName, inverse.name) < own
    }

    /// Whether every object of an entity and its subentities brings the relationship.
    private func isComplete(_ name: String, of entity: NSEntityDescription) -> Bool {
        ([entity] + entity.descendants).allSatisfy { entity in
            guard let count = counts[entity.displayName] else { return true }
            return count.relationships[name] == count.objects
        }
    }
}
