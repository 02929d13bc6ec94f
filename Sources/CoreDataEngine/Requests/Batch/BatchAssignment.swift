import Foundation

/// A property that a batch update sets.
package struct BatchAssignment {
    package enum Value {
        case constant(PropertyValue)
        /// Computed from each row.
        case expression(NSExpression)
    }

    package var slot: SlotLayout
    package var value: Value

    package init(slot: SlotLayout, value: Value) {
        self.slot = slot
        self.value = value
    }

    /// What `propertiesToUpdate` says, in the order of the slots.
    ///
    /// - Throws: An error that names a key that is no stored property, or a value that doesn't fit.
    static func all(_ properties: [AnyHashable: Any], of layout: EntityLayout, store: any RowStore) throws
        -> [BatchAssignment]
    {
        guard !properties.isEmpty else {
            throw CoreDataError.make(
                NSCoreDataError, "The batch update request for \(layout.name) has no properties to update.")
        }
        return try properties.map { key, value in
            let slot = try self.slot(for: key, of: layout)
            guard let expression = value as? NSExpression else {
                return BatchAssignment(slot: slot, value: .constant(try slot.batchValue(value, in: store)))
            }
            if case .invalid(let error) = expression.node { throw error }
            guard expression.expressionType == .constantValue else {
                guard slot.kind != .toOne, slot.kind != .transformable else {
                    throw BatchValueError.unacceptable(
                        "'\(slot.name)' of the entity \(layout.name) can't be computed in a store.", key: slot.name,
                        value: expression)
                }
                return BatchAssignment(slot: slot, value: .expression(expression))
            }
            let constant = expression.constantValue
            return BatchAssignment(slot: slot, value: .constant(try slot.batchValue(constant, in: store)))
        }.sorted { $0.slot.index < $1.slot.index }
    }

    private static func slot(for key: AnyHashable, of layout: EntityLayout) throws -> SlotLayout {
        guard let name = (key.base as? NSPropertyDescription)?.name ?? key.base as? String else {
            throw BatchValueError.unknown("\(key)", of: layout)
        }
        if layout.relationship(named: name)?.isToMany == true { throw BatchValueError.toMany(name, of: layout) }
        guard let slot = layout.slot(named: name), !slot.isTransient, !slot.isDerived, slot.kind != .composite else {
            throw BatchValueError.unknown(name, of: layout)
        }
        return slot
    }
}
