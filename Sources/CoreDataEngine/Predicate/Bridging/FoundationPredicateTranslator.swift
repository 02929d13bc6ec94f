import Foundation

/// What a part of a Foundation predicate becomes.
enum TranslatedTerm {
    case expression(NSExpression)
    case predicate(NSPredicate)
    /// A condition on an optional: there is a result only where the expressions are not nil.
    case optionalPredicate(NSPredicate, whereNotNil: [NSExpression])
    /// A range whose bounds may be missing.
    case range(lower: NSExpression?, upper: NSExpression?, includesUpper: Bool)
}

/// The parts of Foundation predicates that can be translated.
protocol PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm
}

/// Turns the tree of a `#Predicate` into predicates and expressions of the engine.
final class FoundationPredicateTranslator {
    private var bindings: [PredicateExpressions.VariableID: TranslatedTerm] = [:]
    private var variableCount = 0
    private var depth = 0

    /// The predicate of a Foundation predicate with one input, which becomes the evaluated object.
    ///
    /// - Throws: An error that names the first part that cannot be translated.
    static func predicate<Input>(_ predicate: Predicate<Input>) throws -> NSPredicate {
        let translator = FoundationPredicateTranslator()
        translator.bindings[predicate.variable.key] = .expression(NSExpression(node: .evaluatedObject))
        return try translator.predicate(translating: predicate.expression)
    }

    // MARK: Parts

    func term(_ part: any PredicateExpression) throws -> TranslatedTerm {
        depth += 1
        defer { depth -= 1 }
        guard depth <= PredicateDepth.limit else { throw PredicateDepth.error(depth) }
        guard let translatable = part as? any PredicateTermTranslating else { throw Self.unsupported(part) }
        return try translatable.term(self)
    }

    /// An error that names a part.
    static func unsupported(_ part: Any, _ reason: String = "has no counterpart") -> any Error {
        PredicateError.evaluation("The part \"\(part)\" of the predicate \(reason) and cannot be translated.")
    }

    func expression(_ part: any PredicateExpression) throws -> NSExpression {
        try expression(term(part), of: part)
    }

    private func expression(_ term: TranslatedTerm, of part: any PredicateExpression) throws -> NSExpression {
        switch term {
        case .expression(let expression): return expression
        case .predicate(let predicate): return Self.truth(of: predicate)
        case .optionalPredicate(let predicate, let optionals):
            return NSExpression(
                forConditional: Self.notNil(optionals), trueExpression: Self.truth(of: predicate),
                falseExpression: NSExpression(forConstantValue: nil))
        case .range: throw Self.unsupported(part, "is a range where a value is needed")
        }
    }

    /// A part as a condition; a Boolean property becomes a comparison with true.
    func predicate(translating part: any PredicateExpression) throws -> NSPredicate {
        switch try term(part) {
        case .predicate(let predicate): return predicate
        case .optionalPredicate(let predicate, let optionals): return Self.all([Self.notNil(optionals), predicate])
        case .expression(let expression):
            if case .constant(let value) = expression.node, let value = value as? Bool {
                return NSPredicate(value: value)
            }
            return Self.comparison(expression, .equalTo, NSExpression(forConstantValue: true))
        case .range: throw Self.unsupported(part, "is a range where a condition is needed")
        }
    }

    // MARK: Variables

    func value(of variable: PredicateExpressions.VariableID, _ part: Any) throws -> TranslatedTerm {
        guard let term = bindings[variable] else { throw Self.unsupported(part, "is a variable without value") }
        return term
    }

    func bind(_ variable: PredicateExpressions.VariableID, to expression: NSExpression) {
        bindings[variable] = .expression(expression)
    }

    /// `SUBQUERY(collection, $variable, condition)`.
    func subquery(
        _ collection: any PredicateExpression, _ variable: PredicateExpressions.VariableID,
        negated: Bool = false, _ condition: any PredicateExpression
    ) throws -> NSExpression {
        variableCount += 1
        let name = "element\(variableCount)"
        bind(variable, to: NSExpression(node: .variable(name)))
        var predicate = try predicate(translating: condition)
        if negated { predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate) }
        return NSExpression(node: .subquery(try expression(collection), name, predicate))
    }

    // MARK: Building

    static func comparison(
        _ left: NSExpression, _ type: NSComparisonPredicate.Operator, _ right: NSExpression
    ) -> NSPredicate {
        NSComparisonPredicate(leftExpression: left, rightExpression: right, type: type)
    }

    static func all(_ predicates: [NSPredicate]) -> NSPredicate {
        predicates.count == 1 ? predicates[0] : NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
    }

    static func not(_ predicate: NSPredicate) -> NSPredicate {
        NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
    }

    static func notNil(_ expressions: [NSExpression]) -> NSPredicate {
        all(expressions.map { comparison($0, .notEqualTo, NSExpression(forConstantValue: nil)) })
    }

    static func key(_ key: String, of owner: NSExpression) -> NSExpression {
        switch owner.node {
        case .evaluatedObject: NSExpression(node: .keyPath(key))
        case .keyPath(let path): NSExpression(node: .keyPath("\(path).\(key)"))
        case .operandKeyPath(let operand, let path): NSExpression(node: .operandKeyPath(operand, "\(path).\(key)"))
        default: NSExpression(node: .operandKeyPath(owner, key))
        }
    }

    private static func truth(of predicate: NSPredicate) -> NSExpression {
        NSExpression(
            forConditional: predicate, trueExpression: NSExpression(forConstantValue: true),
            falseExpression: NSExpression(forConstantValue: false))
    }

    // MARK: Equality

    /// `left == right`, where either may be a condition.
    func equality(_ left: any PredicateExpression, _ right: any PredicateExpression) throws -> NSPredicate {
        #if !canImport(Darwin)
        if let predicate = try ordering(left, right) ?? ordering(right, left) { return predicate }
        #endif
        let terms = (try term(left), try term(right))
        switch terms {
        case (.predicate(let predicate), .expression(let value)), (.expression(let value), .predicate(let predicate)):
            if let wanted = constantBool(value) { return wanted ? predicate : Self.not(predicate) }
        case (.optionalPredicate(let predicate, let optionals), .expression(let value)),
            (.expression(let value), .optionalPredicate(let predicate, let optionals)):
            if let wanted = constantBool(value) {
                return Self.all([Self.notNil(optionals), wanted ? predicate : Self.not(predicate)])
            }
            if case .constant(nil) = value.node { return Self.not(Self.notNil(optionals)) }
        default: break
        }
        return Self.comparison(try expression(terms.0, of: left), .equalTo, try expression(terms.1, of: right))
    }

    func constantBool(_ expression: NSExpression) -> Bool? {
        if case .constant(let value) = expression.node { value as? Bool } else { nil }
    }
}
