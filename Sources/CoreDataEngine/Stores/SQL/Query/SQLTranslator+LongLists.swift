import Foundation

/// Long lists of comparisons of one property with constants: `a == 1 OR a == 2 OR …` is `a IN {1, 2, …}`, whose constants
/// are bound as one value.
extension SQLTranslator {
    private static let shortestLongList = 64

    private struct Subject: Hashable {
        var keyPath: String
        var options: UInt
    }

    /// The parts of a compound predicate, of a long one with comparisons of a property joined.
    ///
    /// `a IN list` is defined as `a == element` for some element, so the answer is the same.
    func joined(_ compound: NSCompoundPredicate) throws -> [NSPredicate] {
        guard compound.compoundPredicateType != .not, compound.parts.count > Self.shortestLongList else {
            return compound.parts
        }
        let isAny = compound.compoundPredicateType == .or
        var rest: [NSPredicate] = []
        var values: [Subject: [Any?]] = [:]
        var order: [Subject] = []
        var isSingle: [String: Bool] = [:]
        for part in compound.parts {
            guard let (subject, value) = Self.equality(part, type: isAny ? .equalTo : .notEqualTo),
                try isSingleValue(subject.keyPath, &isSingle)
            else {
                rest.append(part)
                continue
            }
            if values[subject] == nil { order.append(subject) }
            values[subject, default: []].append(value)
        }
        return rest
            + order.map { subject in
                let list = NSComparisonPredicate(
                    leftExpression: NSExpression(forKeyPath: subject.keyPath),
                    rightExpression: NSExpression(forConstantValue: (values[subject] ?? []).map { $0 ?? NSNull() }),
                    type: .in, options: .init(rawValue: subject.options))
                return isAny ? list : NSCompoundPredicate(notPredicateWithSubpredicate: list)
            }
    }

    private static func equality(
        _ predicate: NSPredicate, type: NSComparisonPredicate.Operator
    ) -> (Subject, Any?)? {
        guard case .comparison(let comparison) = predicate.node, comparison.predicateOperatorType == type,
            comparison.comparisonPredicateModifier == .direct, case .keyPath(let path) = comparison.leftExpression.node,
            case .constant(let value) = comparison.rightExpression.node
        else { return nil }
        if case .collection = PredicateValue(value) { return nil }
        return (Subject(keyPath: path, options: comparison.options.rawValue), value)
    }

    /// Whether a key path leads to one value, and not to a collection, of which `==` and IN ask different things.
    private func isSingleValue(_ keyPath: String, _ known: inout [String: Bool]) throws -> Bool {
        if let answer = known[keyPath] { return answer }
        let answer =
            switch try operand(NSExpression(forKeyPath: keyPath)) {
            case .term, .object: true
            default: false
            }
        known[keyPath] = answer
        return answer
    }
}
