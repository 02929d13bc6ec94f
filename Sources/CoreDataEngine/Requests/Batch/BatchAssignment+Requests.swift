import Foundation

extension BatchAssignment {
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
            var assignment = try self.assignment(for: key, of: layout)
            let target = assignment.target
            guard let expression = value as? NSExpression else {
                assignment.value = .constant(try target.batchValue(value, in: store))
                return assignment
            }
            if case .invalid(let error) = expression.node { throw error }
            guard expression.expressionType == .constantValue else {
                guard ![.toOne, .transformable, .composite].contains(target.kind) else {
                    throw BatchValueError.unacceptable(
                        "'\(target.name)' of the entity \(layout.name) can't be computed in a store.", key: target.name,
                        value: expression)
                }
                assignment.value = .expression(expression)
                return assignment
            }
            assignment.value = .constant(try target.batchValue(expression.rawConstant, in: store))
            return assignment
        }.sorted { ($0.slot.index, $0.leaf?.index ?? -1) < ($1.slot.index, $1.leaf?.index ?? -1) }
    }

    /// The assignment of nothing yet to the property that a key names, or to the element that a path leads to.
    private static func assignment(for key: AnyHashable, of layout: EntityLayout) throws -> BatchAssignment {
        guard let name = (key.base as? NSPropertyDescription)?.name ?? key.base as? String else {
            throw BatchValueError.unknown("\(key)", of: layout)
        }
        if layout.relationship(named: name)?.isToMany == true { throw BatchValueError.toMany(name, of: layout) }
        let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let slot = layout.slot(named: path[0]), !slot.isTransient, !slot.isDerived else {
            throw BatchValueError.unknown(name, of: layout)
        }
        if path.count == 1 { return BatchAssignment(slot: slot, value: .constant(.null)) }
        guard let leaf = slot.leaf(at: path) else { throw BatchValueError.unknown(name, of: layout) }
        return BatchAssignment(slot: slot, leaf: leaf, value: .constant(.null))
    }
}
