import Foundation

/// Makes predicates fit for rows: objects and identifiers in them become the rows of a session.
struct InMemoryConstants {
    let session: InMemorySession
    /// The model of the session's rows.
    let model: ModelLayout

    /// Stands for an object that has no row: equal to nothing.
    private final class AbsentObject: NSObject {}

    // MARK: Mapping

    /// A predicate in which objects and identifiers are rows.
    func mapped(_ predicate: NSPredicate) -> NSPredicate {
        switch predicate.node {
        case .value, .block, .invalid, .custom: return predicate
        case .after(let position): return NSPredicate(after: position.mappingValues(mapped))
        case .compound(let compound):
            return NSCompoundPredicate(
                type: compound.compoundPredicateType, subpredicates: compound.parts.map { mapped($0) })
        case .comparison(let comparison):
            let left = mapped(comparison.leftExpression)
            let right = mapped(comparison.rightExpression)
            if let selector = comparison.customSelector {
                return NSComparisonPredicate(leftExpression: left, rightExpression: right, customSelector: selector)
            }
            return NSComparisonPredicate(
                leftExpression: left, rightExpression: right, modifier: comparison.comparisonPredicateModifier,
                type: comparison.predicateOperatorType, options: comparison.options)
        }
    }

    /// An expression in which objects and identifiers are rows. What is computed of an object alone is of the values that it
    /// has now, as in a store in SQL, and not of its row's.
    func mapped(_ expression: NSExpression) -> NSExpression {
        let evaluated = try? expression.evaluatingParts { $0 is NSManagedObject }
        return mappedParts(of: evaluated ?? expression)
    }

    private func mappedParts(of expression: NSExpression) -> NSExpression {
        switch expression.node {
        case .constant(let value):
            guard let value else { return expression }
            guard Self.mayHoldObjects(value) else {
                return value is NSDecimalNumber || value is Decimal
                    ? NSExpression(forConstantValue: session.constant(value)) : expression
            }
            return NSExpression(forConstantValue: mapped(value))
        case .fetch:
            // The objects that it finds are rows here.
            guard let value = try? expression.value(with: nil), !(value is Int) else { return expression }
            return NSExpression(forConstantValue: mapped(value))
        case .evaluatedObject, .variable, .keyPath, .anyKey, .invalid, .custom: return expression
        default:
            return NSExpression(
                node: expression.node.mapped(expression: { mappedParts(of: $0) }, predicate: { mapped($0) }))
        }
    }

    /// A value in which objects and identifiers are rows.
    func mapped(_ value: Any) -> Any? {
        switch value {
        case let object as NSManagedObject: row(object.objectID)
        case let id as NSManagedObjectID: row(id)
        case let url as URL where url.scheme == "x-coredata": url
        case let set as NSOrderedSet: set.array.map { mapped($0) ?? NSNull() }
        case let set as NSSet where !set.allObjects.contains(where: Self.isObject): set
        case let set as NSSet: set.allObjects.map { mapped($0) ?? NSNull() }
        case let array as [Any]: array.map { mapped($0) ?? NSNull() }
        case let set as Set<AnyHashable> where !set.contains(where: { Self.isObject($0.base) }): value
        case let set as Set<AnyHashable>: set.map { mapped($0.base) ?? NSNull() }
        case is NSDecimalNumber, is Decimal: session.constant(value)
        default: value
        }
    }

    private static func isObject(_ value: Any) -> Bool { value is NSManagedObject || value is NSManagedObjectID }

    private static func mayHoldObjects(_ value: Any) -> Bool {
        value is NSManagedObject || value is NSManagedObjectID || value is NSOrderedSet || value is NSSet
            || value is [Any] || value is Set<AnyHashable>
    }

    /// Objects of other stores, and those that were never saved, are no rows.
    private func row(_ id: NSManagedObjectID) -> Any {
        let root = id.layout.root
        guard !id.isTemporaryID, id.storeIdentifier == session.storeIdentifier,
            let own = root.model === model ? root : model.entities.first(where: { $0.isRoot && $0.name == root.name })
        else { return AbsentObject() }
        return session.row(ObjectReference(reference: id.reference, entityIndex: Int32(own.index)), root: own)
    }
}
