import Foundation

/// Expressions to SQL.
extension SQLTranslator {
    /// What an expression is in SQL. Expressions that no row takes part in are evaluated here and now.
    func operand(_ expression: NSExpression) throws -> SQLOperand {
        guard dependsOnRow(expression) else { return .constant(try constantValue(of: expression)) }
        switch expression.node {
        case .evaluatedObject: return current
        case .keyPath(let path):
            if let column = columnsByName[path] { return column }
            return try resolve(keyPath: path, from: current)
        case .variable(let name):
            if let iterator = iterators[name] ?? columnsByName[name] { return iterator }
            if let expression = variables[name] as? NSExpression {
                return try resolvingVariable(name) { try operand(expression) }
            }
            return .constant(try constantValue(of: expression))
        case .operandKeyPath(let operand, let path):
            return try resolve(keyPath: path, from: try self.operand(operand))
        case .function(let name, let arguments): return try function(name, arguments)
        case .aggregate(let elements): return .list(try elements.map(operand))
        case .subquery(let collection, let variable, let predicate):
            return .collection(try subquery(collection, variable, predicate))
        case .conditional(let predicate, let first, let second): return try conditional(predicate, first, second)
        case .invalid(let error): throw error
        case .call(let target, let name, let arguments): return try call(name, of: target, arguments)
        case .unionSet, .intersectSet, .minusSet:
            throw untranslatable("Set operations on collections of a store are not supported: \(expression).")
        case .block:
            throw untranslatable(
                "A block expression cannot be evaluated by a store. Evaluate it on the objects, or write it as a format."
            )
        case .constant, .anyKey, .custom, .fetch:
            throw untranslatable("The expression \(expression) cannot be evaluated by a store.")
        }
    }

    /// The value of an expression that depends on no row.
    func constantValue(of expression: NSExpression) throws -> Any? {
        OptionalValue.flatten(try expression.value(with: nil, variables: variables))
    }

    // MARK: What depends on rows

    /// Whether an expression's value differs from row to row.
    func dependsOnRow(_ expression: NSExpression) -> Bool {
        switch expression.node {
        case .constant, .invalid: false
        case .evaluatedObject, .keyPath, .anyKey, .custom: true
        case .variable(let name):
            iterators[name] != nil || columnsByName[name] != nil
                || isBoundToRow(name)
        case .operandKeyPath(let operand, _): dependsOnRow(operand)
        // What is random has to be asked afresh for each row.
        case .function(let name, let arguments):
            name.hasPrefix("random") || arguments.contains(where: dependsOnRow)
        case .block(_, let arguments): arguments.contains(where: dependsOnRow)
        case .aggregate(let elements): elements.contains(where: dependsOnRow)
        case .call(let operand, _, let arguments):
            dependsOnRow(operand) || arguments.contains(where: dependsOnRow)
        case .unionSet(let left, let right), .intersectSet(let left, let right), .minusSet(let left, let right),
            .fetch(let left, let right, _):
            dependsOnRow(left) || dependsOnRow(right)
        case .subquery(let collection, _, let predicate): dependsOnRow(collection) || dependsOnRow(predicate)
        case .conditional(let predicate, let first, let second):
            dependsOnRow(predicate) || dependsOnRow(first) || dependsOnRow(second)
        }
    }

    /// Whether a variable represents an expression whose value differs from row to row. One that represents itself has no
    /// value at all, which evaluating it says.
    private func isBoundToRow(_ name: String) -> Bool {
        guard !resolving.contains(name), let expression = variables[name] as? NSExpression else { return false }
        return resolvingVariable(name) { dependsOnRow(expression) }
    }

    private func resolvingVariable<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
        let isNew = resolving.insert(name).inserted
        defer { if isNew { resolving.remove(name) } }
        return try body()
    }

    func dependsOnRow(_ predicate: NSPredicate) -> Bool {
        switch predicate.node {
        case .value, .invalid: false
        case .block, .after, .custom: true
        case .comparison(let comparison):
            dependsOnRow(comparison.leftExpression) || dependsOnRow(comparison.rightExpression)
        case .compound(let compound): compound.parts.contains(where: dependsOnRow)
        }
    }

    // MARK: Parts

    private func subquery(
        _ collection: NSExpression, _ variable: String, _ predicate: NSPredicate
    ) throws -> SQLCollection {
        guard case .collection(let elements) = try operand(collection) else {
            throw untranslatable("The collection \(collection) of a SUBQUERY is not a to-many relationship.")
        }
        let shadowed = iterators[variable]
        iterators[variable] = elements.element.operand
        defer { iterators[variable] = shadowed }
        let condition = try self.condition(predicate)
        if condition.known != true { elements.scope.require(condition.sql) }
        return elements
    }

    private func conditional(
        _ predicate: NSPredicate, _ first: NSExpression, _ second: NSExpression
    ) throws -> SQLOperand {
        let condition = try self.condition(predicate)
        if let known = condition.known { return try operand(known ? first : second) }
        let values = (try operand(first), try operand(second))
        guard let (left, right) = unified(values.0, values.1) else { return .choice(condition, values.0, values.1) }
        var result = SQLTerm(
            sql: "(CASE WHEN \(condition.sql) THEN \(left.sql) ELSE \(right.sql) END)", type: left.type)
        result.mayBeInteger = left.mayBeInteger || right.mayBeInteger
        return .term(result)
    }

    /// Two operands as terms of one type; nil when they are not.
    private func unified(_ first: SQLOperand, _ second: SQLOperand) -> (SQLTerm, SQLTerm)? {
        switch (first, second) {
        case (.constant(nil), .term(let term)): return (SQLTerm(sql: "NULL", type: term.type), term)
        case (.term(let term), .constant(nil)): return (term, SQLTerm(sql: "NULL", type: term.type))
        default:
            guard let left = plain(first), let right = plain(second), left.type != .opaque,
                left.type == right.type || (left.type.isInteger && right.type.isInteger)
            else { return nil }
            return (left, right)
        }
    }

    private func plain(_ operand: SQLOperand) -> SQLTerm? {
        switch operand {
        case .term(let term): term
        case .constant(let value): constant(value).flatMap { $0.isNotANumber ? nil : $0 }
        default: nil
        }
    }

    /// An operand as a single value.
    func term(_ operand: SQLOperand) throws -> SQLTerm {
        switch operand {
        case .term(let term): return term
        case .constant(let value):
            guard let term = constant(value) else {
                throw untranslatable(
                    "The value \(ValueDescription.string(of: value)) cannot be used in a store's expression.")
            }
            return term
        case .entity: throw untranslatable("An entity stands where a value is needed.")
        case .object, .collection, .list:
            throw untranslatable("An object or a collection stands where a value is needed.")
        case .choice(let condition, let first, let second):
            let (left, right) = (try term(first), try term(second))
            guard left.type.isNumber, right.type.isNumber else {
                throw untranslatable("The two values of a TERNARY must be of one type here.")
            }
            var result = SQLTerm(
                sql: "(CASE WHEN \(condition.sql) THEN \(left.sql) ELSE \(right.sql) END)", type: .double)
            result.mayBeInteger = [left, right].contains { $0.type.isInteger || $0.mayBeInteger }
            return result
        }
    }

    /// What an operand is in a select list: for an object its number, and the number of its entity where that can vary.
    func selectFragments(_ operand: SQLOperand) throws -> [SQLFragment] {
        switch operand {
        case .object(let object):
            guard object.entity.layout.hasSubentities || object.rowAlias != nil else { return [object.key] }
            return [object.key, "\(name: object.alias).\(name: dialect.quoted(object.entity.system.entity))"]
        case .entity(let number): return [number]
        case .term, .constant, .choice: return [try term(operand).sql]
        case .collection, .list:
            throw untranslatable("A collection cannot be a column of a result.")
        }
    }
}
