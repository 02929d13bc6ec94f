/// Parts of predicates that have the same value whatever they are evaluated with.
extension NSExpression {
    /// Whether the value is the same for every object.
    ///
    /// - Parameter names: The variables that have a value.
    package final func isConstant(binding names: Set<String> = []) -> Bool {
        switch node {
        case .constant: true
        case .evaluatedObject, .keyPath, .anyKey, .invalid, .custom, .block, .fetch: false
        case .variable(let name): names.contains(name)
        case .operandKeyPath(let operand, _): operand.isConstant(binding: names)
        // What is random has to be asked afresh for each object.
        case .function(let name, let arguments):
            !name.hasPrefix("random") && arguments.allSatisfy { $0.isConstant(binding: names) }
        case .aggregate(let elements): elements.allSatisfy { $0.isConstant(binding: names) }
        case .call(let operand, _, let arguments):
            operand.isConstant(binding: names) && arguments.allSatisfy { $0.isConstant(binding: names) }
        case .unionSet(let left, let right), .intersectSet(let left, let right), .minusSet(let left, let right):
            left.isConstant(binding: names) && right.isConstant(binding: names)
        case .subquery(let collection, let variable, let predicate):
            collection.isConstant(binding: names) && predicate.isConstant(binding: names.union([variable]))
        case .conditional(let predicate, let first, let second):
            predicate.isConstant(binding: names) && first.isConstant(binding: names)
                && second.isConstant(binding: names)
        }
    }

    /// The same expression with the values of parts that are computed of constants which a closure looks for.
    ///
    /// - Throws: What evaluating a part throws.
    package final func evaluatingParts(of isWanted: (Any) -> Bool) throws -> NSExpression {
        if case .constant = node { return self }
        var isFound = false
        PredicateWalk.visit(self) { part in
            if case .expression(let part) = part, case .constant(let value?) = part.node, isWanted(value) {
                isFound = true
            }
        }
        guard isFound else { return self }
        if isConstant() { return NSExpression(forConstantValue: OptionalValue.flatten(try value(with: nil))) }
        var failure: (any Error)?
        func noting<Part>(_ part: Part, _ body: () throws -> Part) -> Part {
            do { return try body() } catch {
                failure = failure ?? error
                return part
            }
        }
        let mapped = node.mapped(
            expression: { part in noting(part) { try part.evaluatingParts(of: isWanted) } },
            predicate: { part in noting(part) { try part.evaluatingParts(of: isWanted) } })
        if let failure { throw failure }
        if case .fetch = mapped { return NSFetchRequestExpression(node: mapped) }
        return NSExpression(node: mapped)
    }
}

extension NSPredicate {
    /// Whether the predicate says the same of every object.
    final func isConstant(binding names: Set<String>) -> Bool {
        switch node {
        case .value: true
        case .block, .after, .invalid, .custom: false
        case .comparison(let comparison):
            comparison.leftExpression.isConstant(binding: names)
                && comparison.rightExpression.isConstant(binding: names)
        case .compound(let compound): compound.parts.allSatisfy { $0.isConstant(binding: names) }
        }
    }

    /// The same predicate with the values of parts that are computed of constants which a closure looks for.
    ///
    /// - Throws: What evaluating a part throws.
    package final func evaluatingParts(of isWanted: (Any) -> Bool) throws -> NSPredicate {
        switch node {
        case .value, .block, .after, .invalid, .custom: return self
        case .compound(let compound):
            return NSCompoundPredicate(
                type: compound.compoundPredicateType,
                subpredicates: try compound.parts.map { try $0.evaluatingParts(of: isWanted) })
        case .comparison(let comparison):
            let left = try comparison.leftExpression.evaluatingParts(of: isWanted)
            let right = try comparison.rightExpression.evaluatingParts(of: isWanted)
            if let selector = comparison.customSelector {
                return NSComparisonPredicate(leftExpression: left, rightExpression: right, customSelector: selector)
            }
            return NSComparisonPredicate(
                leftExpression: left, rightExpression: right, modifier: comparison.comparisonPredicateModifier,
                type: comparison.predicateOperatorType, options: comparison.options)
        }
    }
}
