import Synchronization

/// Comparing classes with the model.
extension ModelLayout {
    /// Compares the classes that list their properties with the entities whose objects they are.
    ///
    /// Classes that the program has not used yet may not be found; once one is, all are compared again. A property may be
    /// missing in some entities of a class, as the class of several may have them all, but not in every one.
    ///
    /// - Throws: An error that names class, entity, property and both types.
    package func requireFittingClasses() throws {
        ManagedObjectClass.noticeImages()
        let generation = ManagedObjectClass.generation.load(ordering: .acquiring)
        if fittingGeneration.load(ordering: .relaxed) == generation { return }
        let mismatches = mismatches()
        guard mismatches.isEmpty else { throw PropertyMismatch.error(mismatches) }
        fittingGeneration.store(generation, ordering: .relaxed)
    }

    private func mismatches() -> [PropertyMismatch] {
        var result: [PropertyMismatch] = []
        var present: Set<ObjectIdentifier> = []
        var missing: [(property: ResolvedProperty, mismatch: PropertyMismatch)] = []
        for layout in entities {
            let type = ManagedObjectClass.of(layout)
            for property in ListedProperties.all(of: type) {
                let position = layout.position(named: property.name)
                if position != nil { present.insert(ObjectIdentifier(property)) }
                if let position, property.acceptedProperties.accept(position) { continue }
                let mismatch = PropertyMismatch(property, of: type, in: layout)
                if position == nil { missing.append((property, mismatch)) } else { result.append(mismatch) }
            }
        }
        for (property, mismatch) in missing where present.insert(ObjectIdentifier(property)).inserted {
            result.append(mismatch)
        }
        return result
    }
}
