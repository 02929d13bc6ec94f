extension NSEntityDescription {
    final func setSubentities(_ newValue: [NSEntityDescription]) {
        requireEditable()
        for child in newValue {
            programmerError(
                unless:
                    !isKindOf(entity: child),
                "The entity '\(child.name ?? "")' cannot be a subentity of '\(name ?? "")', which inherits from it.")
        }
        for child in subentities where !newValue.contains(where: { $0 === child }) { child.setSuperentity(nil) }
        for child in newValue where child.superentity !== self {
            child.superentity?.removeSubentity(child)
            child.setSuperentity(self)
        }
        linkedSubentities = newValue.map { WeakEntity(entity: $0) }
        subentityHold = newValue.filter { $0.owner == nil }
    }

    /// Makes the entity a subentity of another one, behind those that are there.
    package final func addSubentity(_ child: NSEntityDescription) {
        setSubentities(subentities + [child])
    }

    private final func removeSubentity(_ child: NSEntityDescription) {
        linkedSubentities.removeAll { $0.entity === child }
        subentityHold.removeAll { $0 === child }
    }

    private final func setSuperentity(_ parent: NSEntityDescription?) {
        superentity = parent
        structureChanged()
    }

    /// All entities that inherit from this one, directly or not.
    package final var descendants: [NSEntityDescription] {
        subentities.flatMap { [$0] + $0.descendants }
    }

    /// A copy without a model, see `copy(with:)`.
    package final func detachedCopy() -> NSEntityDescription {
        let copy = NSEntityDescription()
        copyState(to: copy)
        return copy
    }

    final func copyState(to copy: NSEntityDescription) {
        copy.name = name
        copy.explicitClassName = explicitClassName
        copy.isAbstract = isAbstract
        copy.userInfo = userInfo
        copy.versionHashModifier = versionHashModifier
        copy.explicitRenamingIdentifier = explicitRenamingIdentifier
        copy.declaredProperties = declaredProperties.compactMap { $0.copy() as? NSPropertyDescription }
        copy.uniquenessConstraints = uniquenessConstraintNames
        copy.indexes = indexes.compactMap { $0.copy() as? NSFetchIndexDescription }
        copy.compoundIndexNames = compoundIndexNames
        copy.detachedSuperentityName = superentity?.name ?? detachedSuperentityName
    }

    /// The uniqueness constraints that the entity itself declares, as names.
    package final var uniquenessConstraintNames: [[String]] {
        uniquenessConstraints.map { constraint in
            constraint.compactMap { ($0 as? NSPropertyDescription)?.name ?? $0 as? String }
        }
    }
}
