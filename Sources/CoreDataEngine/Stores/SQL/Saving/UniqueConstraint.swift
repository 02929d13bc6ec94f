import Foundation

/// A uniqueness constraint of an entity, its own or an inherited one.
package struct UniqueConstraint {
    /// The entity that declares the constraint.
    package let entity: EntityLayout
    package let names: [String]
    package let slots: [SlotLayout]

    /// The constraints that rows of an entity must keep, those of its superentities first.
    package static func all(of entity: EntityLayout) -> [UniqueConstraint] {
        let lineage = Array(sequence(first: entity, next: \.parent)).reversed()
        return lineage.flatMap { layout in
            let inherited = layout.parent.map { $0.entity.uniquenessConstraints.map(names) } ?? []
            return layout.entity.uniquenessConstraints.map(names).filter { !inherited.contains($0) }
                .map { names in
                    UniqueConstraint(
                        entity: layout, names: names, slots: names.compactMap { layout.slot(named: $0) })
                }
                .filter { $0.slots.count == $0.names.count && !$0.slots.isEmpty }
        }
    }

    private static func names(_ constraint: [Any]) -> [String] {
        constraint.compactMap { ($0 as? String) ?? ($0 as? NSPropertyDescription)?.name }
    }
}
