/// Finds what is wrong with a predicate whatever the rows are, so that a mistake is an error in an empty store too, and the
/// same one in stores of each type.
struct PredicateCheck {
    /// What the predicate is about.
    let entity: EntityLayout
    /// Values for `$NAME`.
    let variables: [String: Any]
    /// What the iterator variables of subqueries around a part represent; `nil` where that isn't known.
    private var iterators: [String: EntityLayout?] = [:]

    init(entity: EntityLayout, variables: [String: Any]) {
        self.entity = entity
        self.variables = variables
    }

    /// Checks a whole predicate; what is wrong with its format comes before anything else.
    func checkWhole(_ predicate: NSPredicate) throws {
        if let error = predicate.formatError { throw error }
        try check(predicate)
    }

    /// Checks the keys, variables and regular expressions of a predicate.
    ///
    /// - Throws: An error that names the first key that no entity of the tree has or that isn't stored, the variable
    ///   without a value, or the invalid regular expression.
    func check(_ predicate: NSPredicate) throws {
        switch predicate.node {
        case .value, .block, .custom: break
        case .after(let position):
            for keyPath in position.keyPaths { _ = try destination(of: keyPath, from: entity) }
        case .invalid(let error): throw error
        case .compound(let compound):
            for part in compound.parts { try check(part) }
        case .comparison(let comparison):
            try check(comparison.leftExpression)
            try check(comparison.rightExpression)
            try checkOrder(comparison)
            guard comparison.predicateOperatorType == .matches,
                case .constant(let value) = comparison.rightExpression.node, let pattern = PredicateValue(value).string
            else { return }
            _ = try StringMatcher(.matches, pattern: pattern, options: comparison.options)
        }
    }

    /// Checks that an object isn't compared by order: Apple documents `==`, `!=` and `IN` for objects and their identifiers,
    /// and the order of row IDs in one kind of store would be no order in another.
    private func checkOrder(_ comparison: NSComparisonPredicate) throws {
        switch comparison.predicateOperatorType {
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .between: break
        default: return
        }
        guard isIdentity(comparison.leftExpression) || isIdentity(comparison.rightExpression) else { return }
        let symbol = PredicateFormatPrinter.symbol(comparison.predicateOperatorType)
        throw PredicateError.evaluation(
            "An object or its objectID can't be compared with \(symbol), because objects have no order: use ==, != or IN "
                + "(in \"\(comparison.predicateFormat)\").")
    }

    /// Whether an expression is the object itself, or the identifier of one.
    private func isIdentity(_ expression: NSExpression) -> Bool {
        switch expression.node {
        case .evaluatedObject: true
        case .keyPath(let path), .operandKeyPath(_, let path):
            ["objectID", "self", "SELF"].contains(path.split(separator: ".").last.map(String.init))
        case .variable(let name): (iterators[name] ?? nil) != nil
        default: false
        }
    }

    /// Checks the keys that an expression asks for, and its variables.
    func check(_ expression: NSExpression) throws {
        switch expression.node {
        case .invalid(let error): throw error
        case .keyPath(let path): _ = try destination(of: path, from: entity)
        case .variable(let name):
            guard iterators[name] == nil, variables[name] == nil else { return }
            throw PredicateError.evaluation("The variable $\(name) has no value.")
        case .operandKeyPath(let operand, let path):
            try check(operand)
            switch operand.node {
            case .evaluatedObject: _ = try destination(of: path, from: entity)
            case .variable(let name):
                if let owner = iterators[name] ?? nil { _ = try destination(of: path, from: owner) }
            default: break
            }
        case .subquery(let collection, let variable, let predicate):
            try check(collection)
            var inner = self
            inner.iterators[variable] = .some(try destination(of: collection))
            try inner.check(predicate)
        default:
            if case .fetch(let request, _, _) = expression.node, case .constant(let value) = request.node,
                !(value is any PredicateFetching)
            {
                throw PredicateError.evaluation("FETCH needs a fetch request, not \(PredicateValue(value).kind).")
            }
            var failure: (any Error)?
            expression.node.forEachPart { part in
                guard failure == nil else { return }
                do {
                    switch part {
                    case .predicate(let predicate): try check(predicate)
                    case .expression(let expression): try check(expression)
                    }
                } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }

    /// The entity of the objects that an expression leads to; `nil` where that isn't known.
    private func destination(of expression: NSExpression) throws -> EntityLayout? {
        switch expression.node {
        case .keyPath(let path): return try destination(of: path, from: entity)
        case .evaluatedObject: return entity
        case .variable(let name): return iterators[name] ?? nil
        case .operandKeyPath(let operand, let path):
            guard let owner = try destination(of: operand) else { return nil }
            return try destination(of: path, from: owner)
        case .subquery(let collection, _, _): return try destination(of: collection)
        default: return nil
        }
    }

    /// Follows a key path.
    ///
    /// - Returns: The entity of the objects at its end; `nil` for values.
    private func destination(of path: String, from entity: EntityLayout) throws -> EntityLayout? {
        var current = entity
        let keys = path.split(separator: ".").map(String.init)
        for (index, key) in keys.enumerated() {
            if ["self", "SELF", "objectID"].contains(key) { continue }
            // What follows an operator is a key of the elements, and its result a value.
            if key == "entity" || key == "@count" { return nil }
            if key.hasPrefix("@") { continue }
            if let relationship = property(current, { $0.relationship(named: key) }) {
                current = relationship.destination
                continue
            }
            guard let slot = property(current, { $0.slot(named: key) }) else {
                throw CoreDataError.make(
                    NSCoreDataError, "The entity \(current.name) has no property '\(key)' (in '\(path)').")
            }
            guard !slot.isTransient else {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "The property '\(key)' of the entity \(current.name) is transient, so a store can't search it.")
            }
            if !slot.leaves.isEmpty { try check(keys[index...].joined(separator: "."), of: slot, in: current) }
            return nil
        }
        return path.contains("@") ? nil : current
    }

    /// Checks that a composite attribute has the element that a path leads to.
    private func check(_ path: String, of slot: SlotLayout, in entity: EntityLayout) throws {
        let isKnown = slot.leaves.contains { leaf in
            "\(leaf.name).".hasPrefix("\(path).") || "\(path).".hasPrefix("\(leaf.name).")
        }
        guard !isKnown else { return }
        throw CoreDataError.make(
            NSCoreDataError, "The attribute '\(slot.name)' of the entity \(entity.name) has no element '\(path)'.")
    }

    /// A property of an entity or else of one of its subentities.
    private func property<Property>(_ entity: EntityLayout, _ find: (EntityLayout) -> Property?) -> Property? {
        if let own = find(entity) { return own }
        guard entity.hasSubentities else { return nil }
        return entity.subtree.lazy.compactMap(find).first
    }
}
