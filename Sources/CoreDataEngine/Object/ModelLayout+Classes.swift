import Synchronization

/// Comparing classes with the model.
extension ModelLayout {
    /// Compares the classes that list their properties with the entities whose objects they are, and logs once what doesn't
    /// fit. It is an error only where it is used.
    ///
    /// Classes that the program has not used yet may not be found. A property may be missing in some entities of a class, as
    /// the class of several may have them all, but not in every one.
    package func logUnfittingClasses() {
        ManagedObjectClass.noticeImages()
        let generation = ManagedObjectClass.generation.load(ordering: .acquiring)
        guard comparedGeneration.exchange(generation, ordering: .relaxed) != generation else { return }
        for mismatch in mismatches() { ManagedObjectClass.logOnce(mismatch.sentence) }
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
