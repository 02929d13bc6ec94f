import Foundation

/// The functions of the format language to SQL. Plain arithmetic is SQL's own; all others call `PredicateFunctions`
/// through a registered function, so that there is one definition of each.
extension SQLTranslator {
    private static let arithmetic: [String: SQLFragment] = [
        "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
    ]
    private static let integerFunctions: Set<String> = [
        "modulus:by:", "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:",
        "onesComplement:",
    ]
    /// Operations on bits that SQL has for integers, with the same results.
    private static let bitOperators: [String: SQLFragment] = [
        "bitwiseAnd:with:": "&", "bitwiseOr:with:": "|", "leftshift:by:": "<<", "rightshift:by:": ">>",
    ]
    private static let doubleFunctions: Set<String> = ["raise:toPower:", "sqrt:", "log:", "ln:", "exp:"]
    /// Whole numbers stay whole.
    private static let roundingFunctions: Set<String> = ["floor:", "ceiling:", "trunc:", "abs:"]
    private static let textFunctions: Set<String> = ["uppercase:", "lowercase:", "canonical:"]
    private static let listFunctions: Set<String> = ["median:", "stddev:"]

    /// A function with arguments of which at least one depends on the row.
    func function(_ name: String, _ arguments: [NSExpression]) throws -> SQLOperand {
        // What a group is summed up over are its rows: a column may have the name of a property that it is computed of.
        let columns = columnsByName
        if isGrouping, arguments.count == 1, Self.groupFunctions[name] != nil { columnsByName = [:] }
        defer { columnsByName = columns }
        return try function(name, of: arguments.map(operand))
    }

    private func function(_ name: String, of arguments: [SQLOperand]) throws -> SQLOperand {
        try PredicateFunctions.check(arguments.count, of: name)
        var operands = arguments
        for (index, operand) in arguments.enumerated() {
            guard case .choice(let condition, let first, let second) = operand else { continue }
            if isGrouping, Self.groupFunctions[name] != nil {
                // The condition is one on each row of the group.
                operands[index] = .term(try term(operand))
                continue
            }
            var (left, right) = (operands, operands)
            left[index] = first
            right[index] = second
            return .choice(condition, try function(name, of: left), try function(name, of: right))
        }
        // One of the values of a TERNARY may be a constant where the other is not.
        if !name.hasPrefix("random"), let values = Self.constants(operands) {
            return .constant(OptionalValue.flatten(try PredicateFunctions.call(name, values)))
        }
        if Self.groupFunctions[name] != nil || Self.listFunctions.contains(name) {
            return try listFunction(name, operands)
        }
        if let sign = Self.arithmetic[name], operands.count == 2 {
            let (left, right) = (try number(operands[0], name), try number(operands[1], name))
            let isInteger = left.type.isInteger && right.type.isInteger
            // Whole decimals and dates are stored as integers, but are no integers to arithmetic.
            let sql = dialect.arithmetic(sign, left.sql, right.sql, isInteger: isInteger)
            return .term(SQLTerm(sql: sql, type: isInteger ? .integer : .double))
        }
        if let sign = Self.bitOperators[name], operands.count == 2 {
            let (left, right) = (try number(operands[0], name), try number(operands[1], name))
            if left.type.isInteger, right.type.isInteger {
                return .term(SQLTerm(sql: "(\(left.sql) \(sign) \(right.sql))", type: .integer))
            }
        }
        if name == "castObject:toType:", operands.count == 2 { return .term(try cast(operands[0], to: operands[1])) }
        if name == "noindex:", case .term(let term)? = operands.first {
            var result = SQLTerm(sql: dialect.withoutIndex(term.sql), type: term.type, isNullable: term.isNullable)
            result.mayBeInteger = term.mayBeInteger
            return .term(result)
        }
        if name == "length:", let operand = operands.first { return .term(try length(of: operand)) }
        if Self.textFunctions.contains(name), let operand = operands.first {
            let term = try text(operand, name)
            return .term(
                SQLTerm(sql: try dialect.function(name, [term.sql]), type: .text, isNullable: term.isNullable))
        }
        let type: SQLValueType
        if Self.integerFunctions.contains(name) {
            type = .integer
        } else if Self.doubleFunctions.contains(name) {
            type = .double
        } else if Self.roundingFunctions.contains(name), let operand = operands.first {
            type = try number(operand, name).type.isInteger ? .integer : .double
        } else {
            throw untranslatable("The function \"\(name)\" cannot be evaluated by a store.")
        }
        return .term(
            SQLTerm(sql: try dialect.function(name, try operands.map { try number($0, name).sql }), type: type))
    }

    /// A method that `FUNCTION(…)` names.
    func call(_ name: String, of target: NSExpression, _ arguments: [NSExpression]) throws -> SQLOperand {
        switch (name, arguments.count) {
        case ("count", 0), ("length", 0): return try function("length:", [target])
        case (PredicateFunctions.textSearch, 1): return try textSearch(in: target, for: arguments[0])
        case (_, 0): return try resolve(keyPath: name, from: try operand(target))
        default:
            guard PredicateFunctions.names.contains(name) else {
                throw untranslatable("The method \"\(name)\" cannot be called by a store.")
            }
            return try function(name, [target] + arguments)
        }
    }

    /// The values of operands that are all known.
    private static func constants(_ operands: [SQLOperand]) -> [Any?]? {
        var values: [Any?] = []
        for operand in operands {
            guard case .constant(let value) = operand else { return nil }
            values.append(value)
        }
        return values
    }

    // MARK: Lists

    /// A function over a collection, over several values, or over the rows of a group.
    private func listFunction(_ name: String, _ arguments: [SQLOperand]) throws -> SQLOperand {
        var operands = arguments
        if operands.count == 1, case .list(let elements) = operands[0] { operands = elements }
        if operands.count == 1, let function = Self.groupFunctions[name] {
            switch operands[0] {
            case .collection(let collection): return .term(try aggregateSkippingMissing(function, of: collection))
            case .term(let term) where isGrouping: return .term(try groupTerm(function, term))
            case .object(let object) where isGrouping && function == .count:
                return .term(SQLTerm(sql: "COUNT(\(object.key))", type: .integer, isNullable: false))
            default: break
            }
        }
        if isGrouping { throw untranslatable("The function \"\(name)\" cannot be used on the rows of a store.") }
        let terms = try operands.map { operand -> SQLTerm in
            if case .collection = operand {
                throw untranslatable("The function \"\(name)\" cannot be used on this collection in a store.")
            }
            return try term(operand)
        }
        return .term(try listTerm(name, terms))
    }

    private func listTerm(_ name: String, _ terms: [SQLTerm]) throws -> SQLTerm {
        let type: SQLValueType
        switch name {
        case "count:": type = .integer
        // Of strings and the like they are an error, and the median of dates is one of them.
        case "median:" where !terms.allSatisfy({ $0.type.isNumber }),
            "sum:" where !terms.allSatisfy({ $0.type.isNumber || $0.type == .date || $0.type == .text }),
            "average:" where !terms.allSatisfy({ $0.type.isNumber || $0.type == .date || $0.type == .text }),
            "stddev:" where !terms.allSatisfy({ $0.type.isNumber || $0.type == .date }):
            throw untranslatable("The values of \"\(name)\" in a store must be numbers.")
        case "sum:": type = terms.allSatisfy { $0.type.isInteger } ? .integer : .double
        case "min:", "max:":
            guard let first = terms.first?.type, first != .uuid,
                terms.allSatisfy({ $0.type == first || ($0.type.isNumber && first.isNumber) })
            else { throw untranslatable("The values of \"\(name)\" in a store must be of one type.") }
            let isInteger = terms.allSatisfy(\.type.isInteger)
            type = terms.allSatisfy { $0.type == first } ? first : isInteger ? .integer : .double
        default: type = .double
        }
        let addsUp = name == "sum:" || name == "average:"
        let arguments = terms.map { addsUp && $0.type == .text ? dialect.leadingNumber($0.sql) : $0.sql }
        var result = SQLTerm(sql: try dialect.function(name, arguments), type: type)
        // The least and the greatest keep their kind.
        let mayBeInteger = terms.contains { $0.type.isInteger || $0.mayBeInteger }
        result.mayBeInteger = ["min:", "max:"].contains(name) && type == .double && mayBeInteger
        return result
    }

    /// The aggregates of functions count and add what there is, other than `@count`, which counts missing values too.
    private func aggregateSkippingMissing(_ function: Aggregate, of collection: SQLCollection) throws -> SQLTerm {
        guard function == .count else { return try aggregate(function, of: collection) }
        let value =
            switch collection.element {
            case .object(let object): object.key
            case .term(let term): term.sql
            }
        return SQLTerm(sql: "(SELECT COUNT(\(value))\(collection.scope.clause()))", type: .integer, isNullable: false)
    }

    // MARK: Arguments

    private func number(_ operand: SQLOperand, _ name: String) throws -> SQLTerm {
        let term = try term(operand)
        guard term.type.isNumber || term.type == .date, !term.mayBeInteger else {
            throw untranslatable("The function \"\(name)\" needs numbers of a known type.")
        }
        var number = number(term)
        if isComputing { number.sql = dialect.checked(number) }
        return number
    }

    private func text(_ operand: SQLOperand, _ name: String) throws -> SQLTerm {
        let term = try term(operand)
        switch term.type {
        case .opaque, .data, .date: throw untranslatable("The function \"\(name)\" needs a string.")
        default: return try textForm(term)
        }
    }

    private func length(of operand: SQLOperand) throws -> SQLTerm {
        if case .collection(let collection) = operand {
            let count = try aggregate(.count, of: collection)
            guard let isMissing = collection.isMissing else { return count }
            return SQLTerm(sql: "(CASE WHEN \(isMissing) THEN NULL ELSE \(count.sql) END)", type: .integer)
        }
        if case .term(let term) = operand, term.type == .data {
            return SQLTerm(sql: "length(\(term.sql))", type: .integer, isNullable: term.isNullable)
        }
        let term = try text(operand, "length:")
        return SQLTerm(sql: try dialect.textLength(term.sql), type: .integer, isNullable: term.isNullable)
    }

    private static let numberNames: Set<String> = ["NSNumber", "Double", "Float"]

    private func cast(_ operand: SQLOperand, to target: SQLOperand) throws -> SQLTerm {
        guard case .constant(let value) = target, let name = value as? String else {
            throw untranslatable("CAST needs the name of a type as its second argument.")
        }
        let types: [String: SQLValueType] = [
            "NSDate": .date, "Date": .date, "NSString": .text, "String": .text, "NSNumber": .double, "Double": .double,
            "Float": .double, "Int": .integer, "Int64": .integer, "Int32": .integer, "Int16": .integer,
            "NSInteger": .integer, "NSDecimalNumber": .decimal, "Decimal": .decimal, "NSUUID": .uuid, "UUID": .uuid,
            "NSURL": .uri, "URL": .uri,
        ]
        // An entity is a number here, which means nothing to the program, and it has no other form.
        if case .entity = operand, let type = types[name] { return SQLTerm(sql: "NULL", type: type) }
        let term = try term(operand)
        guard let type = types[name], term.type != .opaque, term.type != .data else {
            throw untranslatable("A store cannot CAST to \"\(name)\".")
        }
        if type == .uuid, term.type == .uuid { return term }
        // Numbers of a date, and strings of a UUID, are what the function takes.
        let argument = term.type == .uuid ? try textForm(term) : term
        var result = SQLTerm(
            sql: try dialect.function("castObject:toType:", [argument.sql, .value(.text(name))]), type: type)
        if Self.numberNames.contains(name) {
            // A whole number stays one, and the text of one becomes one.
            if term.type.isInteger { result.type = .integer }
            result.mayBeInteger = term.type == .text || term.mayBeInteger
        }
        return result
    }
}

extension SQLValueType {
    /// Whether arithmetic keeps values of the type whole.
    var isInteger: Bool { self == .integer || self == .boolean }
}
