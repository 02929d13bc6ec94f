import Foundation

extension PredicateExpressions.Variable: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        try translator.value(of: key, self)
    }
}

extension PredicateExpressions.Value: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        if let range = value as? any TranslatableRange { return range.rangeTerm }
        return .expression(NSExpression(forConstantValue: Self.stored(value)))
    }

    /// A constant as attributes hold it: an enumeration by its raw value.
    private static func stored(_ value: Any) -> Any {
        if let value = value as? any RawRepresentable { return stored(value.rawValue) }
        guard let list = value as? [any RawRepresentable] else { return value }
        return list.map { stored($0.rawValue) }
    }
}

extension PredicateExpressions.NilLiteral: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        .expression(NSExpression(forConstantValue: nil))
    }
}

extension PredicateExpressions.KeyPath: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        let owner = try translator.expression(root)
        let isString = Root.Output.self == String.self
        switch kind {
        case .collectionCount: return .expression(Self.count(of: owner, isString))
        case .collectionIsEmpty:
            let zero = NSExpression(forConstantValue: 0)
            return .predicate(
                FoundationPredicateTranslator.comparison(Self.count(of: owner, isString), .equalTo, zero))
        case .collectionFirst: return .expression(Self.element(of: owner, "FIRST"))
        case .bidirectionalCollectionLast: return .expression(Self.element(of: owner, "LAST"))
        case nil:
            return .expression(FoundationPredicateTranslator.key(try KeyPathNames.requiredName(of: keyPath), of: owner))
        }
    }

    private static func count(of owner: NSExpression, _ isString: Bool) -> NSExpression {
        if isString { return NSExpression(node: .function("length:", [owner])) }
        return FoundationPredicateTranslator.key("@count", of: owner)
    }

    private static func element(of owner: NSExpression, _ index: String) -> NSExpression {
        NSExpression(node: .function("objectFrom:withIndex:", [owner, NSExpression(forConstantValue: index)]))
    }
}

extension PredicateExpressions.Conjunction: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        .predicate(
            NSCompoundPredicate(andPredicateWithSubpredicates: [
                try translator.predicate(translating: lhs), try translator.predicate(translating: rhs),
            ]))
    }
}

extension PredicateExpressions.Disjunction: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        .predicate(
            NSCompoundPredicate(orPredicateWithSubpredicates: [
                try translator.predicate(translating: lhs), try translator.predicate(translating: rhs),
            ]))
    }
}

extension PredicateExpressions.Negation: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        .predicate(FoundationPredicateTranslator.not(try translator.predicate(translating: wrapped)))
    }
}

extension PredicateExpressions.Equal: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        .predicate(try translator.equality(lhs, rhs))
    }
}

extension PredicateExpressions.NotEqual: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        let equal = try translator.equality(lhs, rhs)
        guard let comparison = equal as? NSComparisonPredicate, comparison.predicateOperatorType == .equalTo else {
            return .predicate(FoundationPredicateTranslator.not(equal))
        }
        return .predicate(
            NSComparisonPredicate(
                leftExpression: comparison.leftExpression, rightExpression: comparison.rightExpression,
                modifier: .direct, type: .notEqualTo, options: comparison.options))
    }
}

extension PredicateExpressions.Comparison: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        let type: NSComparisonPredicate.Operator =
            switch op {
            case .lessThan: .lessThan
            case .lessThanOrEqual: .lessThanOrEqualTo
            case .greaterThan: .greaterThan
            case .greaterThanOrEqual: .greaterThanOrEqualTo
            @unknown default: throw FoundationPredicateTranslator.unsupported(self)
            }
        return .predicate(
            FoundationPredicateTranslator.comparison(
                try translator.expression(lhs), type, try translator.expression(rhs)))
    }
}

extension PredicateExpressions.Conditional: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        .expression(
            NSExpression(
                forConditional: try translator.predicate(translating: test),
                trueExpression: try translator.expression(trueBranch),
                falseExpression: try translator.expression(falseBranch)))
    }
}

// MARK: Optionals

extension PredicateExpressions.OptionalFlatMap: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        let optional = try translator.expression(wrapped)
        translator.bind(variable.key, to: optional)
        switch try translator.term(transform) {
        case .predicate(let predicate): return .optionalPredicate(predicate, whereNotNil: [optional])
        case .optionalPredicate(let predicate, let optionals):
            return .optionalPredicate(predicate, whereNotNil: [optional] + optionals)
        case let other: return other
        }
    }
}

extension PredicateExpressions.ForcedUnwrap: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm { try translator.term(inner) }
}

extension PredicateExpressions.NilCoalesce: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        switch (try translator.term(lhs), try translator.term(rhs)) {
        case (.optionalPredicate(let predicate, let optionals), .expression(let value)):
            let isThere = FoundationPredicateTranslator.notNil(optionals)
            guard let otherwise = translator.constantBool(value) else { break }
            if !otherwise { return .predicate(FoundationPredicateTranslator.all([isThere, predicate])) }
            let isMissing = FoundationPredicateTranslator.not(isThere)
            return .predicate(NSCompoundPredicate(orPredicateWithSubpredicates: [isMissing, predicate]))
        default: break
        }
        let value = try translator.expression(lhs)
        return .expression(
            NSExpression(
                forConditional: FoundationPredicateTranslator.notNil([value]), trueExpression: value,
                falseExpression: try translator.expression(rhs)))
    }
}

// MARK: Types

extension PredicateExpressions.ConditionalCast: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        guard isSameType(Input.Output.self, Desired.self) else {
            throw FoundationPredicateTranslator.unsupported(self, "casts to \(Desired.self)")
        }
        return try translator.term(input)
    }
}

extension PredicateExpressions.ForceCast: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        // A forced cast to a subclass only opens its properties, which are found by name anyway.
        guard isSameType(Input.Output.self, Desired.self) || Desired.self is AnyClass else {
            throw FoundationPredicateTranslator.unsupported(self, "casts to \(Desired.self)")
        }
        return try translator.term(input)
    }
}

extension PredicateExpressions.TypeCheck: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        guard isSameType(Input.Output.self, Desired.self) else {
            throw FoundationPredicateTranslator.unsupported(self, "asks for the type \(Desired.self)")
        }
        return .predicate(NSPredicate(value: true))
    }
}

/// Whether two types are the same but for an optional.
private func isSameType(_ input: Any.Type, _ desired: Any.Type) -> Bool {
    input == desired || "\(input)" == "Optional<\(desired)>" || "Optional<\(input)>" == "\(desired)"
}
