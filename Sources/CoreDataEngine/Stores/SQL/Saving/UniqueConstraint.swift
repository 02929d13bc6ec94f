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
                .filter { $0.slots.count == $0.names.count && !$0.slots.isEmpty && $0.slots.allSatisfy(\.mayBeUnique) }
        }
    }

    private static func names(_ constraint: [Any]) -> [String] {
        constraint.compactMap { ($0 as? String) ?? ($0 as? NSPropertyDescription)?.name }
    }
}

extension SlotLayout {
    /// Whether one column has the values: a composite attribute has one for each of its elements.
    fileprivate var mayBeUnique: Bool { kind != .composite || leaves.count == 1 }

    /// What a composite attribute has as its only element, which a constraint means; nil for another attribute.
    ///
    /// - Throws: Core Data error 134060 or 1550 for a value that can't be in a row.
    package func onlyElement(of value: PropertyValue) throws -> SQLValue? {
        guard kind == .composite else { return nil }
        switch value {
        case .data(let data): return CompositeCoding.unpack(data).first ?? .null
        case .transformed(let box): return try archived(box.value).flatMap { CompositeCoding.unpack($0).first } ?? .null
        default: return .null
        }
    }
}

extension ColumnMapping {
    /// The column that a constraint means: of a composite attribute with one element that of the element.
    package var constrainedName: String { leaves.first ?? name }
}
