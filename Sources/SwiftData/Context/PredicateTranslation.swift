import CoreDataEngine

import class CoreDataEngine.NSComparisonPredicate
import class CoreDataEngine.NSCompoundPredicate
import class CoreDataEngine.NSExpression
import class CoreDataEngine.NSPredicate
import class CoreDataEngine.NSSortDescriptor

/// Makes predicates of the engine of those over models.
struct PredicateTranslation {
    let entity: NSEntityDescription
    let context: ModelContext

    private struct NoCounterpart: Error {}

    /// - Throws: An error where a part has no counterpart.
    func predicate<T: PersistentModel>(_ predicate: Predicate<T>) throws -> NSPredicate {
        try rewritten(NSPredicate(translating: predicate))
    }

    /// - Throws: An error where the order has no counterpart.
    func order<T: PersistentModel>(_ order: SortDescriptor<T>) throws -> NSSortDescriptor {
        guard order.keyPath != nil else { throw NoCounterpart() }
        let made = try NSSortDescriptor(translating: order)
        guard let key = made.key, !key.contains(SchemaKeyPaths.identity) else { throw NoCounterpart() }
        return made
    }

    // MARK: Rewriting

    private func rewritten(_ predicate: NSPredicate) throws -> NSPredicate {
        switch predicate {
        case let compound as NSCompoundPredicate:
            return NSCompoundPredicate(
                type: compound.compoundPredicateType,
                subpredicates: try compound.subpredicates.compactMap { $0 as? NSPredicate }.map(rewritten))
        case let comparison as NSComparisonPredicate:
            if let test = try enumerationTest(comparison) ?? missingTest(comparison) { return test }
            return NSComparisonPredicate(
                leftExpression: try rewritten(comparison.leftExpression),
                rightExpression: try rewritten(comparison.rightExpression),
                modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
                options: comparison.options)
        default: return predicate
        }
    }

    private func rewritten(_ expression: NSExpression) throws -> NSExpression {
        switch expression.expressionType {
        case .constantValue: return NSExpression(forConstantValue: try constant(expression.constantValue))
        case .keyPath: return try identity(expression)
        case .subquery:
            guard let collection = expression.collection as? NSExpression else { throw NoCounterpart() }
            return NSExpression(
                forSubquery: try rewritten(collection), usingIteratorVariable: expression.variable,
                predicate: try rewritten(expression.predicate))
        case .conditional:
            return NSExpression(
                forConditional: try rewritten(expression.predicate),
                trueExpression: try rewritten(expression.true), falseExpression: try rewritten(expression.false))
        default: return expression
        }
    }

    /// A constant as the engine's objects compare with it.
    private func constant(_ value: Any?) throws -> Any? {
        guard let value else { return nil }
        if let optional = value as? any OptionalType {
            guard let content = optional.content else { return nil }
            return try constant(content)
        }
        switch value {
        case let model as any PersistentModel:
            guard let object = model._$modelStorage?.object else { throw NoCounterpart() }
            return object.objectID
        case let identifier as PersistentIdentifier:
            return try objectID(identifier)
        case let list as [PersistentIdentifier]: return try list.map(objectID)
        case let set as Set<PersistentIdentifier>: return try set.map(objectID)
        case let list as [any PersistentModel]: return try list.compactMap { try constant($0) }
        case is any FixedWidthInteger: return ScalarTypes.stored(value)
        default:
            if EnumSlots.caseName(of: value) != nil { throw NoCounterpart() }
            return value
        }
    }

    private func objectID(_ identifier: PersistentIdentifier) throws -> NSManagedObjectID {
        let known =
            identifier.objectID
            ?? identifier.uri.flatMap { context.container.coordinator.managedObjectID(forURIRepresentation: $0) }
        guard let known else { throw NoCounterpart() }
        return known
    }

    /// The object instead of its identity.
    private func identity(_ expression: NSExpression) throws -> NSExpression {
        let path = expression.keyPath
        guard path.hasSuffix(SchemaKeyPaths.identity) else { return expression }
        if path == SchemaKeyPaths.identity { return NSExpression.expressionForEvaluatedObject() }
        return NSExpression(forKeyPath: String(path.dropLast(SchemaKeyPaths.identity.count + 1)))
    }

    // MARK: Composites

    /// `mood == .wild` for an enumeration without raw value: whether the element of the case is there.
    private func enumerationTest(_ comparison: NSComparisonPredicate) throws -> NSPredicate? {
        guard let (path, value, negated) = equality(comparison), let value,
            let composite = composite(at: path), composite.userInfo?["enum"] != nil
        else { return nil }
        guard let name = EnumSlots.caseName(of: unwrapped(value) ?? value) else { return nil }
        return Self.test("\(path).\(name)", isMissing: negated)
    }

    /// `place == nil` for a structure or an enumeration: whether all elements are missing.
    private func missingTest(_ comparison: NSComparisonPredicate) throws -> NSPredicate? {
        guard let (path, value, negated) = equality(comparison), value.flatMap(unwrapped) == nil,
            let composite = composite(at: path)
        else { return nil }
        let tests = composite.elements.map { Self.test("\(path).\($0.name)", isMissing: !negated) }
        return negated
            ? NSCompoundPredicate(orPredicateWithSubpredicates: tests)
            : NSCompoundPredicate(andPredicateWithSubpredicates: tests)
    }

    private func unwrapped(_ value: Any) -> Any? {
        guard let optional = value as? any OptionalType else { return value }
        return optional.content.flatMap(unwrapped)
    }

    private static func test(_ path: String, isMissing: Bool) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: path), rightExpression: NSExpression(forConstantValue: nil),
            modifier: .direct, type: isMissing ? .equalTo : .notEqualTo, options: [])
    }

    private func equality(_ comparison: NSComparisonPredicate) -> (path: String, value: Any?, negated: Bool)? {
        guard [.equalTo, .notEqualTo].contains(comparison.predicateOperatorType) else { return nil }
        let negated = comparison.predicateOperatorType == .notEqualTo
        let (left, right) = (comparison.leftExpression, comparison.rightExpression)
        if left.expressionType == .keyPath, right.expressionType == .constantValue {
            return (left.keyPath, right.constantValue, negated)
        }
        if right.expressionType == .keyPath, left.expressionType == .constantValue {
            return (right.keyPath, left.constantValue, negated)
        }
        return nil
    }

    /// The composite attribute that a path leads to.
    private func composite(at path: String) -> NSCompositeAttributeDescription? {
        var entity: NSEntityDescription? = entity
        let names = path.split(separator: ".").map(String.init)
        for (index, name) in names.enumerated() {
            guard let property = entity?.propertiesByName[name] else { return nil }
            if index == names.count - 1 { return property as? NSCompositeAttributeDescription }
            entity = (property as? NSRelationshipDescription)?.destinationEntity
        }
        return nil
    }
}
