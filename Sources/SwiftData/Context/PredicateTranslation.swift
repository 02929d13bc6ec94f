import CoreDataEngine

import class CoreDataEngine.NSComparisonPredicate
import class CoreDataEngine.NSCompoundPredicate
import class CoreDataEngine.NSExpression
import class CoreDataEngine.NSPredicate
import class CoreDataEngine.NSSortDescriptor

/// Makes predicates of the engine of those over models, where the store compares as Swift does.
struct PredicateTranslation {
    /// The entity of the models that are looked for.
    let entity: String
    let context: ModelContext
    /// The entities of the members that variables represent.
    private var variables: [String: String] = [:]

    /// A part is to be evaluated on the models.
    private struct NoCounterpart: Error {}

    init(entity: String, context: ModelContext) {
        self.entity = entity
        self.context = context
    }

    /// - Throws: An error where a part has no counterpart.
    func predicate<T: PersistentModel>(_ predicate: Predicate<T>) throws -> NSPredicate {
        try rewritten(NSPredicate(translating: predicate))
    }

    /// - Throws: An error where the order has no counterpart.
    func order<T: PersistentModel>(_ order: SortDescriptor<T>) throws -> NSSortDescriptor {
        guard order.keyPath != nil else { throw NoCounterpart() }
        let made = try NSSortDescriptor(translating: order)
        guard let key = made.key, case .column(isInOrder: true) = paths.target(key, from: entity) else {
            throw NoCounterpart()
        }
        return made
    }

    private var paths: SchemaPaths { context.stack.paths }

    // MARK: Rewriting

    private func rewritten(_ predicate: NSPredicate) throws -> NSPredicate {
        switch predicate.node {
        case .value: return predicate
        case .compound(let compound):
            return NSCompoundPredicate(
                type: compound.compoundPredicateType, subpredicates: try compound.parts.map(rewritten))
        case .comparison(let comparison):
            if let test = try enumerationTest(comparison) ?? missingTest(comparison) { return test }
            if comparison.predicateOperatorType.looksAtOrder {
                try requireOrder(of: comparison.leftExpression)
                try requireOrder(of: comparison.rightExpression)
            }
            let isMember = comparison.predicateOperatorType == .contains
            return NSComparisonPredicate(
                leftExpression: try rewritten(comparison.leftExpression, mayBeMembers: isMember),
                rightExpression: try rewritten(comparison.rightExpression),
                modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
                options: comparison.options)
        default: throw NoCounterpart()
        }
    }

    private func rewritten(_ expression: NSExpression, mayBeMembers: Bool = false) throws -> NSExpression {
        if let path = path(of: expression) { return try rewritten(path, mayBeMembers) }
        switch expression.node {
        case .constant(let value): return NSExpression(forConstantValue: try constant(value))
        case .evaluatedObject, .variable: return expression
        case .aggregate(let elements): return NSExpression(node: .aggregate(try elements.map { try rewritten($0) }))
        case .function(let name, let arguments):
            // Members have an order of their own here.
            guard name != "objectFrom:withIndex:" else { throw NoCounterpart() }
            try arguments.forEach(requireOrder)
            return NSExpression(node: .function(name, try arguments.map { try rewritten($0) }))
        case .operandKeyPath(let operand, "@count"):
            guard case .subquery = operand.node else { throw NoCounterpart() }
            return NSExpression(node: .operandKeyPath(try rewritten(operand), "@count"))
        case .subquery(let collection, let variable, let predicate):
            var inner = self
            inner.variables[variable] = try members(of: collection)
            return NSExpression(
                forSubquery: try rewritten(collection, mayBeMembers: true), usingIteratorVariable: variable,
                predicate: try inner.rewritten(predicate))
        case .conditional(let predicate, let first, let second):
            return NSExpression(
                forConditional: try rewritten(predicate), trueExpression: try rewritten(first),
                falseExpression: try rewritten(second))
        default: throw NoCounterpart()
        }
    }

    /// The entity of the members of a collection.
    private func members(of collection: NSExpression) throws -> String {
        if case .subquery(let inner, _, _) = collection.node { return try members(of: inner) }
        guard let path = path(of: collection), case .members(let entity) = target(of: path) else {
            throw NoCounterpart()
        }
        return entity
    }

    // MARK: Paths

    /// A path from a model, which is the one that is looked for, or a member that a variable represents.
    private struct Path {
        /// Nil for the one that is looked for.
        let variable: NSExpression?
        let entity: String
        let keys: String

        var expression: NSExpression {
            if keys.isEmpty { return variable ?? NSExpression.expressionForEvaluatedObject() }
            return variable.map { NSExpression(node: .operandKeyPath($0, keys)) } ?? NSExpression(forKeyPath: keys)
        }

        func with(_ keys: String) -> Path { Path(variable: variable, entity: entity, keys: keys) }
    }

    private func path(of expression: NSExpression) -> Path? {
        switch expression.node {
        case .keyPath(let keys): return Path(variable: nil, entity: entity, keys: keys)
        case .operandKeyPath(let operand, let keys):
            switch operand.node {
            case .evaluatedObject: return Path(variable: nil, entity: entity, keys: keys)
            case .variable(let name):
                return variables[name].map { Path(variable: operand, entity: $0, keys: keys) }
            default: return nil
            }
        default: return nil
        }
    }

    private func target(of path: Path) -> SchemaPaths.Target? { paths.target(path.keys, from: path.entity) }

    private func rewritten(_ path: Path, _ mayBeMembers: Bool) throws -> NSExpression {
        switch target(of: path) {
        case .column, .count: return path.expression
        case .members where mayBeMembers: return path.expression
        case .model:
            // The object instead of its identity.
            let keys = path.keys.split(separator: ".").filter { $0 != SchemaKeyPaths.identity }
            return path.with(keys.joined(separator: ".")).expression
        default: throw NoCounterpart()
        }
    }

    /// - Throws: An error where an expression has values that a store puts in another order than Swift.
    private func requireOrder(of expression: NSExpression) throws {
        if let path = path(of: expression) {
            switch target(of: path) {
            case .column(isInOrder: true), .count: return
            default: throw NoCounterpart()
            }
        }
        var parts: [NSExpression] = []
        expression.node.forEachPart { if case .expression(let part) = $0 { parts.append(part) } }
        if case .subquery = expression.node { return }
        if case .operandKeyPath(let operand, _) = expression.node, case .subquery = operand.node { return }
        try parts.forEach(requireOrder)
    }

    // MARK: Constants

    /// A constant as the engine's objects compare with it.
    private func constant(_ value: Any?) throws -> Any? {
        guard let value else { return nil }
        if let optional = value as? any OptionalType { return try constant(optional.content) }
        if let list = value as? any PlainList { return try elements(of: list) }
        switch value {
        case let model as any PersistentModel:
            guard let object = model._$modelStorage?.object,
                object.managedObjectContext?.persistentStoreCoordinator === context.stack.coordinator
            else { throw NoCounterpart() }
            return object.objectID
        case let identifier as PersistentIdentifier: return try objectID(identifier)
        default: break
        }
        if ScalarTypes.type(of: type(of: value)) != nil {
            return value is any FixedWidthInteger ? ScalarTypes.stored(value) : value
        }
        if case .raw = EnumSlots.layout(of: type(of: value)), let raw = value as? any RawRepresentable {
            return try constant(raw.rawValue)
        }
        throw NoCounterpart()
    }

    private func elements(of list: any PlainList) throws -> [Any] {
        let type = Swift.type(of: list).element
        if ScalarTypes.type(of: type) != nil, !(type is any FixedWidthInteger.Type) || type == Int.self {
            return list.elements
        }
        return try list.elements.map { element in
            // A missing one is equal to a missing value, but not in a store.
            guard !(element is any PlainList), let value = try constant(element) else { throw NoCounterpart() }
            return value
        }
    }

    private func objectID(_ identifier: PersistentIdentifier) throws -> NSManagedObjectID {
        let known =
            identifier.objectID
            ?? identifier.uri.flatMap { context.stack.coordinator.managedObjectID(forURIRepresentation: $0) }
        guard let known else { throw NoCounterpart() }
        return known
    }

    // MARK: Composites

    /// `mood == .wild` for an enumeration without raw value: whether the element of the case is there.
    private func enumerationTest(_ comparison: NSComparisonPredicate) throws -> NSPredicate? {
        guard let (path, value, negated) = equality(comparison), let value = value.flatMap(unwrapped),
            case .composite(let composite) = target(of: path), let name = EnumSlots.caseName(of: value),
            composite.properties.contains(where: { $0.name == name })
        else { return nil }
        return Self.test(path.with("\(path.keys).\(name)"), isMissing: negated)
    }

    /// `place == nil`: whether all elements of a structure or an enumeration are missing, or the bytes of another value.
    private func missingTest(_ comparison: NSComparisonPredicate) throws -> NSPredicate? {
        guard let (path, value, negated) = equality(comparison), value.flatMap(unwrapped) == nil else { return nil }
        switch target(of: path) {
        case .opaque: return Self.test(path, isMissing: !negated)
        case .composite(let composite):
            let tests = try leaves(of: composite, path).map { Self.test($0, isMissing: !negated) }
            return negated
                ? NSCompoundPredicate(orPredicateWithSubpredicates: tests)
                : NSCompoundPredicate(andPredicateWithSubpredicates: tests)
        default: return nil
        }
    }

    private func leaves(of composite: Schema.CompositeAttribute, _ path: Path) throws -> [Path] {
        try composite.properties.flatMap { element in
            let own = path.with("\(path.keys).\(element.name)")
            guard let inner = element as? Schema.CompositeAttribute else { return [own] }
            return try leaves(of: inner, own)
        }
    }

    private func unwrapped(_ value: Any) -> Any? {
        guard let optional = value as? any OptionalType else { return value }
        return optional.content.flatMap(unwrapped)
    }

    private static func test(_ path: Path, isMissing: Bool) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: path.expression, rightExpression: NSExpression(forConstantValue: nil),
            modifier: .direct, type: isMissing ? .equalTo : .notEqualTo, options: [])
    }

    private func equality(_ comparison: NSComparisonPredicate) -> (path: Path, value: Any?, negated: Bool)? {
        guard [.equalTo, .notEqualTo].contains(comparison.predicateOperatorType) else { return nil }
        let negated = comparison.predicateOperatorType == .notEqualTo
        let (left, right) = (comparison.leftExpression, comparison.rightExpression)
        if let path = path(of: left), case .constant(let value) = right.node { return (path, value, negated) }
        if let path = path(of: right), case .constant(let value) = left.node { return (path, value, negated) }
        return nil
    }
}

extension NSComparisonPredicate.Operator {
    /// Whether values have to be in the order that Swift has for them.
    fileprivate var looksAtOrder: Bool {
        switch self {
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .between: true
        default: false
        }
    }
}

/// An array or a set, whatever its elements are.
private protocol PlainList {
    static var element: Any.Type { get }
    var elements: [Any] { get }
}

extension Array: PlainList {
    fileprivate var elements: [Any] { self }
}

extension Set: PlainList {
    fileprivate static var element: Any.Type { Element.self }
    fileprivate var elements: [Any] { Array(self) }
}
