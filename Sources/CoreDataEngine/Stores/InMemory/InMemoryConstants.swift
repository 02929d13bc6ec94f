import Foundation

/// Makes predicates fit for rows: objects and identifiers in them become the rows of a session.
struct InMemoryConstants {
    let session: InMemorySession

    /// Stands for an object that has no row: equal to nothing.
    private final class AbsentObject: NSObject {}

    // MARK: Checking

    /// Checks the keys that a predicate asks of the fetched entity, rows or no rows.
    ///
    /// - Throws: An error that names the first key that no entity of the tree has, or that no store keeps.
    func validate(_ predicate: NSPredicate, entity: EntityLayout) throws {
        switch predicate.node {
        case .value, .block, .custom: break
        case .invalid(let error): throw error
        case .compound(let compound):
            for part in compound.parts { try validate(part, entity: entity) }
        case .comparison(let comparison):
            try validate(comparison.leftExpression, entity: entity)
            try validate(comparison.rightExpression, entity: entity)
        }
    }

    /// Checks the keys that an expression asks of the fetched entity.
    func validate(_ expression: NSExpression, entity: EntityLayout) throws {
        switch expression.node {
        case .keyPath(let path): try validate(path, entity: entity)
        case .function(_, let arguments), .aggregate(let arguments):
            for argument in arguments { try validate(argument, entity: entity) }
        case .operandKeyPath(let operand, let path):
            if case .evaluatedObject = operand.node {
                try validate(path, entity: entity)
            } else {
                try validate(operand, entity: entity)
            }
        case .subquery(let collection, _, _): try validate(collection, entity: entity)
        case .conditional(let predicate, let first, let second):
            try validate(predicate, entity: entity)
            try validate(first, entity: entity)
            try validate(second, entity: entity)
        case .invalid(let error): throw error
        default: break
        }
    }

    private func validate(_ path: String, entity: EntityLayout) throws {
        var current = entity
        for key in path.split(separator: ".").map(String.init) {
            if key.hasPrefix("@") || ["self", "SELF", "objectID"].contains(key) { continue }
            if key == "entity" { return }
            let owners = [current] + current.subtree
            if let relationship = owners.lazy.compactMap({ $0.relationship(named: key) }).first {
                current = relationship.destination
                continue
            }
            guard let slot = owners.lazy.compactMap({ $0.slot(named: key) }).first else {
                throw CoreDataError.make(
                    NSCoreDataError, "The entity \(current.name) has no property '\(key)' (in '\(path)').")
            }
            guard !slot.isTransient else {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "The property '\(key)' of the entity \(current.name) is transient, so a store can't search it.")
            }
            return
        }
    }

    // MARK: Mapping

    /// A predicate in which objects and identifiers are rows.
    func mapped(_ predicate: NSPredicate) -> NSPredicate {
        switch predicate.node {
        case .value, .block, .invalid, .custom: return predicate
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

    /// An expression in which objects and identifiers are rows.
    func mapped(_ expression: NSExpression) -> NSExpression {
        switch expression.node {
        case .constant(let value):
            guard let value, Self.mayHoldObjects(value) else { return expression }
            return NSExpression(forConstantValue: mapped(value))
        case .fetch:
            // The objects that it finds are rows here.
            guard let value = try? expression.value(with: nil), !(value is Int) else { return expression }
            return NSExpression(forConstantValue: mapped(value))
        case .evaluatedObject, .variable, .keyPath, .anyKey, .invalid, .custom: return expression
        default:
            return NSExpression(node: expression.node.mapped(expression: { mapped($0) }, predicate: { mapped($0) }))
        }
    }

    /// A value in which objects and identifiers are rows.
    func mapped(_ value: Any) -> Any? {
        switch value {
        case let object as NSManagedObject: row(object.objectID)
        case let id as NSManagedObjectID: row(id)
        case let url as URL where url.scheme == "x-coredata": url
        case let set as NSOrderedSet: set.array.map { mapped($0) ?? NSNull() }
        case let set as NSSet: set.allObjects.map { mapped($0) ?? NSNull() }
        case let array as [Any]: array.map { mapped($0) ?? NSNull() }
        case let set as Set<AnyHashable>: set.map { mapped($0.base) ?? NSNull() }
        default: value
        }
    }

    private static func mayHoldObjects(_ value: Any) -> Bool {
        value is NSManagedObject || value is NSManagedObjectID || value is NSOrderedSet || value is NSSet
            || value is [Any] || value is Set<AnyHashable>
    }

    private func row(_ id: NSManagedObjectID) -> Any {
        session.row(reference: id.reference, root: id.layout.root) ?? AbsentObject()
    }
}
