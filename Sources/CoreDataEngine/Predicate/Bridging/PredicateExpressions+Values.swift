import Foundation

// MARK: Arithmetic

extension FoundationPredicateTranslator {
    fileprivate func call(
        _ function: String, _ left: any PredicateExpression, _ right: any PredicateExpression
    ) throws -> TranslatedTerm {
        .expression(NSExpression(node: .function(function, [try expression(left), try expression(right)])))
    }
}

extension PredicateExpressions.Arithmetic: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        switch op {
        case .add: try translator.call("add:to:", lhs, rhs)
        case .subtract: try translator.call("from:subtract:", lhs, rhs)
        case .multiply: try translator.call("multiply:by:", lhs, rhs)
        @unknown default: throw FoundationPredicateTranslator.unsupported(self)
        }
    }
}

extension PredicateExpressions.FloatDivision: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        try translator.call("divide:by:", lhs, rhs)
    }
}

extension PredicateExpressions.IntDivision: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        try translator.call("divide:by:", lhs, rhs)
    }
}

extension PredicateExpressions.IntRemainder: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        try translator.call("modulus:by:", lhs, rhs)
    }
}

extension PredicateExpressions.UnaryMinus: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        let zero = NSExpression(forConstantValue: 0)
        return .expression(
            NSExpression(node: .function("from:subtract:", [zero, try translator.expression(wrapped)])))
    }
}

// MARK: Ranges

/// Ranges that can be constants of a predicate.
protocol TranslatableRange {
    var rangeTerm: TranslatedTerm { get }
}

private func bound(_ value: Any) -> NSExpression { NSExpression(forConstantValue: value) }

extension ClosedRange: TranslatableRange {
    var rangeTerm: TranslatedTerm { .range(lower: bound(lowerBound), upper: bound(upperBound), includesUpper: true) }
}

extension Range: TranslatableRange {
    var rangeTerm: TranslatedTerm { .range(lower: bound(lowerBound), upper: bound(upperBound), includesUpper: false) }
}

extension PartialRangeFrom: TranslatableRange {
    var rangeTerm: TranslatedTerm { .range(lower: bound(lowerBound), upper: nil, includesUpper: false) }
}

extension PartialRangeThrough: TranslatableRange {
    var rangeTerm: TranslatedTerm { .range(lower: nil, upper: bound(upperBound), includesUpper: true) }
}

extension PartialRangeUpTo: TranslatableRange {
    var rangeTerm: TranslatedTerm { .range(lower: nil, upper: bound(upperBound), includesUpper: false) }
}

extension PredicateExpressions.ClosedRange: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        .range(
            lower: try translator.expression(lower), upper: try translator.expression(upper), includesUpper: true)
    }
}

extension PredicateExpressions.Range: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        .range(
            lower: try translator.expression(lower), upper: try translator.expression(upper), includesUpper: false)
    }
}

extension PredicateExpressions.RangeExpressionContains: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        guard case .range(let lower, let upper, let includesUpper) = try translator.term(range) else {
            throw FoundationPredicateTranslator.unsupported(self, "is a range of an unknown kind")
        }
        let value = try translator.expression(element)
        if let lower, let upper, includesUpper {
            let bounds = NSExpression(node: .aggregate([lower, upper]))
            return .predicate(FoundationPredicateTranslator.comparison(value, .between, bounds))
        }
        var conditions: [NSPredicate] = []
        if let lower {
            conditions.append(FoundationPredicateTranslator.comparison(value, .greaterThanOrEqualTo, lower))
        }
        if let upper {
            let type: NSComparisonPredicate.Operator = includesUpper ? .lessThanOrEqualTo : .lessThan
            conditions.append(FoundationPredicateTranslator.comparison(value, type, upper))
        }
        return .predicate(FoundationPredicateTranslator.all(conditions))
    }
}

// MARK: Strings

extension FoundationPredicateTranslator {
    /// A string operator.
    ///
    /// An empty string is part of every string in Swift, of none in the format language.
    fileprivate func stringTest(
        _ left: any PredicateExpression, _ type: NSComparisonPredicate.Operator, _ right: any PredicateExpression
    ) throws -> TranslatedTerm {
        let (string, part) = (try expression(left), try expression(right))
        if case .constant(let value) = part.node, value as? String == "" { return .predicate(Self.notNil([string])) }
        return .predicate(Self.comparison(string, type, part))
    }
}

extension PredicateExpressions.CollectionContainsCollection: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        guard Base.Output.self == String.self else {
            throw FoundationPredicateTranslator.unsupported(self, "searches a sequence in a collection")
        }
        return try translator.stringTest(base, .contains, other)
    }
}

extension PredicateExpressions.SequenceStartsWith: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        guard Base.Output.self == String.self else {
            throw FoundationPredicateTranslator.unsupported(self, "looks at the beginning of a collection")
        }
        return try translator.stringTest(base, .beginsWith, prefix)
    }
}

extension PredicateExpressions.StringContainsRegex: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        guard case .constant(let value) = try translator.expression(regex).node,
            let regex = value as? PredicateExpressions.PredicateRegex
        else { throw FoundationPredicateTranslator.unsupported(self, "has a regular expression that is not a literal") }
        let pattern = NSExpression(forConstantValue: "(?s).*(?:\(regex.stringRepresentation)).*")
        return .predicate(
            FoundationPredicateTranslator.comparison(try translator.expression(subject), .matches, pattern))
    }
}

// MARK: Collections

extension PredicateExpressions.SequenceContains: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        let (list, value) = (try translator.expression(sequence), try translator.expression(element))
        if LHS.Output.self == String.self {
            throw FoundationPredicateTranslator.unsupported(self, "searches a character; search a string instead")
        }
        if case .constant = list.node { return .predicate(FoundationPredicateTranslator.comparison(value, .in, list)) }
        return .predicate(FoundationPredicateTranslator.comparison(list, .contains, value))
    }
}

extension PredicateExpressions.SequenceContainsWhere: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        let count = FoundationPredicateTranslator.key(
            "@count", of: try translator.subquery(sequence, variable.key, test))
        return .predicate(
            FoundationPredicateTranslator.comparison(count, .greaterThan, NSExpression(forConstantValue: 0)))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        let count = FoundationPredicateTranslator.key(
            "@count", of: try translator.subquery(sequence, variable.key, negated: true, test))
        return .predicate(
            FoundationPredicateTranslator.comparison(count, .equalTo, NSExpression(forConstantValue: 0)))
    }
}

extension PredicateExpressions.Filter: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        .expression(try translator.subquery(sequence, variable.key, filter))
    }
}

extension PredicateExpressions.SequenceMinimum: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        .expression(NSExpression(node: .function("min:", [try translator.expression(elements)])))
    }
}

extension PredicateExpressions.SequenceMaximum: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        .expression(NSExpression(node: .function("max:", [try translator.expression(elements)])))
    }
}

extension PredicateExpressions.CollectionIndexSubscript: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        guard Index.Output.self == Int.self else {
            throw FoundationPredicateTranslator.unsupported(self, "has an index of type \(Index.Output.self)")
        }
        return try translator.call("objectFrom:withIndex:", wrapped, index)
    }
}

extension PredicateExpressions.DictionaryKeySubscript: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        guard case .constant(let value) = try translator.expression(key).node, let name = value as? String else {
            throw FoundationPredicateTranslator.unsupported(self, "has a key that is not a constant string")
        }
        return .expression(FoundationPredicateTranslator.key(name, of: try translator.expression(wrapped)))
    }
}
