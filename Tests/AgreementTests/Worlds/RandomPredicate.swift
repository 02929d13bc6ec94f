import Foundation
import OpenCoreData

/// Makes predicates about the objects of an entity.
struct RandomPredicate {
    private var random: RandomSource
    private let graph: RandomGraph
    private let identifier: (EntityLayout, Int64) -> NSManagedObjectID
    private var variableCount = 0

    typealias Kind = SampleValues.Kind

    /// Where key paths begin: the evaluated object, or an iterator variable.
    private enum Base {
        case object
        case variable(String)

        func expression(_ path: String) -> NSExpression {
            switch self {
            case .object: NSExpression(forKeyPath: path)
            case .variable(let name):
                NSExpression(
                    forFunction: NSExpression(forVariable: name), selectorName: "valueForKeyPath:",
                    arguments: [NSExpression(forConstantValue: path)])
            }
        }

        var whole: NSExpression {
            switch self {
            case .object: NSExpression.expressionForEvaluatedObject()
            case .variable(let name): NSExpression(forVariable: name)
            }
        }
    }

    /// The same seed makes the same predicate; `identifier` makes the object identifiers of the store that is asked.
    init(seed: UInt64, graph: RandomGraph, identifier: @escaping (EntityLayout, Int64) -> NSManagedObjectID) {
        random = RandomSource(seed: seed)
        self.graph = graph
        self.identifier = identifier
    }

    mutating func predicate(_ entity: EntityLayout) -> NSPredicate {
        switch random.below(40) {
        case 0: deeplyNested(entity)
        case 1: longList(entity)
        default: predicate(entity, .object, depth: random.below(4))
        }
    }

    /// Conditions inside one another, more than SQLite has room for as parentheses.
    private mutating func deeplyNested(_ entity: EntityLayout) -> NSPredicate {
        var result = comparison(entity, .object, depth: 1)
        for _ in 0..<20 + random.below(120) {
            let parts = random.chance(50) ? [result, comparison(entity, .object, depth: 0)] : [result]
            switch random.below(3) {
            case 0: result = NSCompoundPredicate(notPredicateWithSubpredicate: result)
            case 1: result = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
            default: result = NSCompoundPredicate(orPredicateWithSubpredicates: parts.reversed())
            }
        }
        return result
    }

    /// Hundreds of conditions side by side.
    private mutating func longList(_ entity: EntityLayout) -> NSPredicate {
        let isAny = random.chance(50)
        var parts: [NSPredicate] = []
        for _ in 0..<1 + random.below(3) {
            guard let (left, kind) = scalar(entity, .object, depth: 0) else { continue }
            let flags = kind == .text && random.chance(30) ? options() : []
            let count = random.below(150)
            for _ in 0..<count {
                parts.append(make(left, isAny ? .equalTo : .notEqualTo, constant(kind), .direct, flags))
            }
        }
        for _ in 0..<random.below(100) { parts.append(comparison(entity, .object, depth: 0)) }
        return NSCompoundPredicate(type: isAny ? .or : .and, subpredicates: parts.shuffled(using: &random))
    }

    /// Up to two sort descriptors.
    mutating func sortDescriptors(_ entity: EntityLayout) -> [NSSortDescriptor] {
        let selectors = [
            "compare:", "compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedStandardCompare:",
        ]
        return (0..<random.below(3)).compactMap { _ in
            guard let (path, kind) = attributePath(entity) else { return nil }
            let selector = kind == .text ? random.pick(selectors) : "compare:"
            return NSSortDescriptor(key: path, ascending: random.chance(60), selector: Selector(selector))
        }
    }

    // MARK: Predicates

    private mutating func predicate(_ entity: EntityLayout, _ base: Base, depth: Int) -> NSPredicate {
        guard depth > 0 else { return comparison(entity, base, depth: 1) }
        switch random.below(10) {
        case 0..<3:
            return NSCompoundPredicate(
                andPredicateWithSubpredicates: (0..<2 + random.below(2)).map { _ in
                    predicate(entity, base, depth: depth - 1)
                })
        case 3..<6:
            return NSCompoundPredicate(
                orPredicateWithSubpredicates: (0..<2 + random.below(2)).map { _ in
                    predicate(entity, base, depth: depth - 1)
                })
        case 6, 7:
            return NSCompoundPredicate(notPredicateWithSubpredicate: predicate(entity, base, depth: depth - 1))
        default: return comparison(entity, base, depth: depth)
        }
    }

    private mutating func comparison(_ entity: EntityLayout, _ base: Base, depth: Int) -> NSPredicate {
        switch random.below(20) {
        case 0..<8: return scalarComparison(entity, base, depth: depth)
        case 8..<11: return stringComparison(entity, base)
        case 11..<14: return quantifiedComparison(entity, base)
        case 14: return objectComparison(entity, base)
        case 15: return listComparison(entity, base)
        case 16: return between(entity, base)
        case 17: return subqueryComparison(entity, base, depth: depth)
        case 18: return nilComparison(entity, base)
        default: return containment(entity, base)
        }
    }

    private mutating func make(
        _ left: NSExpression, _ type: NSComparisonPredicate.Operator, _ right: NSExpression,
        _ modifier: NSComparisonPredicate.Modifier = .direct, _ options: NSComparisonPredicate.Options = []
    ) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: modifier, type: type, options: options)
    }

    private mutating func options() -> NSComparisonPredicate.Options {
        random.chance(50)
            ? []
            : random.pick([
                .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive], .normalized,
            ])
    }

    private mutating func scalarComparison(_ entity: EntityLayout, _ base: Base, depth: Int) -> NSPredicate {
        guard let (left, kind) = scalar(entity, base, depth: depth) else { return NSPredicate(value: true) }
        let types: [NSComparisonPredicate.Operator] = [
            .equalTo, .equalTo, .notEqualTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan,
            .greaterThanOrEqualTo,
        ]
        let right: NSExpression
        if random.chance(25), let (other, _) = scalar(entity, base, depth: depth - 1) {
            right = other
        } else {
            right = constant(random.chance(85) ? kind : random.pick(Kind.allCases))
        }
        let flags = kind == .text && random.chance(30) ? options() : []
        return random.chance(85)
            ? make(left, random.pick(types), right, .direct, flags)
            : make(right, random.pick(types), left, .direct, flags)
    }

    private mutating func stringComparison(_ entity: EntityLayout, _ base: Base) -> NSPredicate {
        let wanted: Kind? = random.chance(85) ? .text : random.chance(50) ? .decimal : nil
        guard let (left, _) = scalar(entity, base, depth: 0, wanted) else { return NSPredicate(value: false) }
        let types: [NSComparisonPredicate.Operator] = [.beginsWith, .endsWith, .contains, .like, .matches, .contains]
        let type = random.pick(types)
        var pattern = random.pick(SampleValues.texts + SampleValues.digits)
        if type == .like { pattern = random.pick(["a*", "*b", "?", "a?", "*", "*a*", pattern]) }
        if type == .matches { pattern = random.pick(["a.*", "[a-z]+", "\\d+", "(a|A)b?", ".*", "á"]) }
        if random.chance(10), type != .matches, let (other, _) = scalar(entity, base, depth: 0, .text) {
            return make(left, type, other, .direct, options())
        }
        return make(left, type, NSExpression(forConstantValue: pattern), .direct, options())
    }

    private mutating func quantifiedComparison(_ entity: EntityLayout, _ base: Base) -> NSPredicate {
        guard let (path, kind) = toManyValuePath(entity) else { return scalarComparison(entity, base, depth: 0) }
        let left = base.expression(path)
        let modifier: NSComparisonPredicate.Modifier = random.chance(60) ? .any : .all
        let predicate: NSPredicate
        if random.chance(20) {
            let list = (0..<1 + random.below(4)).map { _ in constantValue(kind) ?? NSNull() }
            predicate = make(left, .in, NSExpression(forConstantValue: list), modifier)
        } else if kind == .text, random.chance(40) {
            predicate = make(
                left, random.pick([.beginsWith, .contains, .endsWith]),
                NSExpression(forConstantValue: random.pick(SampleValues.texts)), modifier, options())
        } else {
            let types: [NSComparisonPredicate.Operator] = [.equalTo, .notEqualTo, .lessThan, .greaterThanOrEqualTo]
            predicate = make(left, random.pick(types), constant(kind), modifier)
        }
        return random.chance(20) ? NSCompoundPredicate(notPredicateWithSubpredicate: predicate) : predicate
    }

    private mutating func objectComparison(_ entity: EntityLayout, _ base: Base) -> NSPredicate {
        let type: NSComparisonPredicate.Operator = random.chance(60) ? .equalTo : .notEqualTo
        if random.chance(30) {
            let ids = identifiers(of: entity)
            return random.chance(50)
                ? make(base.whole, .in, NSExpression(forConstantValue: ids))
                : make(base.whole, type, NSExpression(forConstantValue: ids.first))
        }
        guard let relationship = pickToOne(entity) else { return nilComparison(entity, base) }
        let left = base.expression(relationship.name)
        if random.chance(25) { return make(left, type, NSExpression(forConstantValue: nil)) }
        let ids = identifiers(of: relationship.destination)
        return random.chance(30)
            ? make(left, .in, NSExpression(forConstantValue: ids))
            : make(left, type, NSExpression(forConstantValue: ids.first))
    }

    private mutating func listComparison(_ entity: EntityLayout, _ base: Base) -> NSPredicate {
        guard let (left, kind) = scalar(entity, base, depth: 0) else { return NSPredicate(value: false) }
        let list = (0..<random.below(6)).map { _ -> Any in
            random.chance(90) ? constantValue(kind) ?? NSNull() : constantValue(random.pick(Kind.allCases)) ?? NSNull()
        }
        return make(left, .in, NSExpression(forConstantValue: list), .direct, kind == .text ? options() : [])
    }

    private mutating func between(_ entity: EntityLayout, _ base: Base) -> NSPredicate {
        guard let (left, kind) = scalar(entity, base, depth: 0) else { return NSPredicate(value: false) }
        if random.chance(20), let (other, _) = scalar(entity, base, depth: 0, kind) {
            return make(left, .between, NSExpression(forAggregate: [constant(kind), other]))
        }
        return make(left, .between, NSExpression(forAggregate: [constant(kind), constant(kind)]))
    }

    private mutating func nilComparison(_ entity: EntityLayout, _ base: Base) -> NSPredicate {
        guard let (left, _) = scalar(entity, base, depth: 1) else { return NSPredicate(value: true) }
        return make(
            left, random.pick([.equalTo, .notEqualTo, .lessThan, .greaterThanOrEqualTo]),
            NSExpression(forConstantValue: nil))
    }

    private mutating func containment(_ entity: EntityLayout, _ base: Base) -> NSPredicate {
        guard let relationship = pickToMany(entity) else { return listComparison(entity, base) }
        let ids = identifiers(of: relationship.destination)
        let collection = base.expression(relationship.name)
        if random.chance(15) {
            let nothing = NSExpression(forConstantValue: nil)
            return random.chance(50) ? make(collection, .contains, nothing) : make(nothing, .in, collection)
        }
        if random.chance(40), let (path, kind) = attributePath(relationship.destination) {
            let values = base.expression("\(relationship.name).\(path)")
            return random.chance(50)
                ? make(values, .contains, constant(kind)) : make(constant(kind), .in, values)
        }
        return random.chance(50)
            ? make(collection, .contains, NSExpression(forConstantValue: ids.first))
            : make(NSExpression(forConstantValue: ids.first), .in, collection)
    }

    private mutating func subqueryComparison(_ entity: EntityLayout, _ base: Base, depth: Int) -> NSPredicate {
        guard let relationship = pickToMany(entity) else { return scalarComparison(entity, base, depth: 0) }
        variableCount += 1
        let name = "x\(variableCount)"
        let condition = predicate(relationship.destination, .variable(name), depth: min(depth - 1, 1))
        let subquery = NSExpression(
            forSubquery: base.expression(relationship.name), usingIteratorVariable: name, predicate: condition)
        let count = NSExpression(
            forFunction: subquery, selectorName: "valueForKeyPath:",
            arguments: [NSExpression(forConstantValue: "@count")])
        return make(
            count, random.pick([.equalTo, .notEqualTo, .greaterThan, .lessThanOrEqualTo]),
            NSExpression(forConstantValue: random.below(3)))
    }

    // MARK: Values

    private mutating func constantValue(_ kind: Kind) -> Any? {
        random.chance(7) ? nil : SampleValues.constant(kind, &random)
    }

    private mutating func constant(_ kind: Kind) -> NSExpression { NSExpression(forConstantValue: constantValue(kind)) }

    private mutating func identifiers(of entity: EntityLayout) -> [NSManagedObjectID] {
        let candidates = entity.root.subtree.flatMap { layout in
            (graph.references[layout.index] ?? []).map { (layout, $0) }
        }
        guard !candidates.isEmpty else { return [identifier(entity, 1_000_000)] }
        return (0..<1 + random.below(3)).map { _ in
            let (layout, reference) = random.pick(candidates)
            return identifier(layout, random.chance(95) ? reference : 1_000_000)
        }
    }

    /// A single value of an object: an attribute, one over a to-one, or something computed.
    private mutating func scalar(
        _ entity: EntityLayout, _ base: Base, depth: Int, _ wanted: Kind? = nil
    ) -> (NSExpression, Kind)? {
        if depth > 0, wanted == nil, random.chance(25) {
            return computed(entity, base, depth: depth - 1)
        }
        guard let (path, kind) = attributePath(entity, wanted) else { return nil }
        return (base.expression(path), kind)
    }

    private mutating func computed(_ entity: EntityLayout, _ base: Base, depth: Int) -> (NSExpression, Kind)? {
        switch random.below(6) {
        case 0, 1:
            guard let relationship = pickToMany(entity) else { return scalar(entity, base, depth: 0) }
            if random.chance(40) { return (base.expression("\(relationship.name).@count"), .integer) }
            guard let (path, kind) = attributePath(relationship.destination), kind.isNumber else {
                return (base.expression("\(relationship.name).@count"), .integer)
            }
            let function = random.pick(["@sum", "@min", "@max", "@avg"])
            let text =
                random.chance(50)
                ? "\(relationship.name).\(function).\(path)" : "\(relationship.name).\(path).\(function)"
            return (base.expression(text), .real)
        case 2:
            guard let (operand, _) = number(entity, base) else { return nil }
            let other = random.chance(60) ? constant(.integer) : number(entity, base)?.0 ?? constant(.real)
            let name = random.pick(["add:to:", "from:subtract:", "multiply:by:", "divide:by:"])
            return (NSExpression(forFunction: name, arguments: [operand, other]), .real)
        case 3:
            guard let (operand, _) = number(entity, base) else { return nil }
            let name = random.pick(["abs:", "floor:", "ceiling:", "trunc:", "sqrt:"])
            return (NSExpression(forFunction: name, arguments: [operand]), .real)
        case 4:
            guard let (operand, _) = scalar(entity, base, depth: 0, .text) else { return nil }
            let name = random.pick(["uppercase:", "lowercase:", "canonical:", "length:"])
            return (NSExpression(forFunction: name, arguments: [operand]), name == "length:" ? .integer : .text)
        default:
            guard let (first, kind) = scalar(entity, base, depth: 0) else { return nil }
            let condition = predicate(entity, base, depth: 0)
            var other = constant(random.chance(70) ? kind : random.pick(Kind.allCases))
            if random.chance(30), let (second, _) = scalar(entity, base, depth: 0) { other = second }
            return (
                NSExpression(
                    forConditional: condition, trueExpression: random.chance(80) ? first : other,
                    falseExpression: random.chance(80) ? other : first), kind
            )
        }
    }

    private mutating func number(_ entity: EntityLayout, _ base: Base) -> (NSExpression, Kind)? {
        guard let (path, kind) = attributePath(entity, random.pick([.integer, .real, .decimal])) else { return nil }
        return (base.expression(path), kind)
    }

    // MARK: Paths

    /// A path to an attribute, over up to two to-ones.
    private mutating func attributePath(_ entity: EntityLayout, _ wanted: Kind? = nil) -> (String, Kind)? {
        var owner = entity
        var path = ""
        for _ in 0..<2 where random.chance(25) {
            guard let relationship = pickToOne(owner) else { break }
            path += relationship.name + "."
            owner = relationship.destination
        }
        // Properties of subentities may be named too.
        if random.chance(15) { owner = random.pick(owner.subtree) }
        let slots = owner.slots.compactMap { $0 }.filter { slot in
            slot.kind != .toOne && (wanted == nil || Kind(slot.kind) == wanted)
        }
        guard !slots.isEmpty else { return nil }
        let slot = random.pick(slots)
        return (path + slot.name, Kind(slot.kind))
    }

    /// A path to values over a to-many, perhaps over two.
    private mutating func toManyValuePath(_ entity: EntityLayout) -> (String, Kind)? {
        guard let relationship = pickToMany(entity) else { return nil }
        var owner = relationship.destination
        var path = relationship.name + "."
        if random.chance(20), let next = pickToMany(owner) {
            path += next.name + "."
            owner = next.destination
        }
        guard let (rest, kind) = attributePath(owner) else { return nil }
        return (path + rest, kind)
    }

    private mutating func pickToOne(_ entity: EntityLayout) -> RelationshipLayout? {
        let candidates = entity.relationships.filter { !$0.isToMany }
        return candidates.isEmpty ? nil : random.pick(candidates)
    }

    private mutating func pickToMany(_ entity: EntityLayout) -> RelationshipLayout? {
        let candidates = entity.relationships.filter(\.isToMany)
        return candidates.isEmpty ? nil : random.pick(candidates)
    }
}
