import Foundation

/// Functions over the elements of a collection, or over the rows of a group.
extension SQLTranslator {
    /// A function over several values.
    package enum Aggregate: String {
        case count, sum, average, minimum, maximum, median, deviation
    }

    /// Functions that take a collection, or in a grouped result a column.
    static let groupFunctions: [String: Aggregate] = [
        "count:": .count, "sum:": .sum, "average:": .average, "min:": .minimum, "max:": .maximum,
        "median:": .median, "stddev:": .deviation,
    ]

    private static let operators: [String: Aggregate] = [
        "@count": .count, "@sum": .sum, "@avg": .average, "@average": .average, "@min": .minimum, "@max": .maximum,
    ]

    /// `collection.@count`, `collection.@sum.key`, and the like; `collection.key.@sum` too.
    func aggregate(
        _ key: String, rest: ArraySlice<String>, of operand: SQLOperand, keyPath: String
    ) throws -> SQLOperand {
        if case .constant(let value) = operand {
            return .constant(
                try KeyValueAccess.value(of: value, forKeyPath: ([key] + rest).joined(separator: ".")))
        }
        guard key != "@count" || rest.isEmpty else {
            throw untranslatable("Nothing can follow @count in \"\(keyPath)\".")
        }
        guard let function = Self.operators[key] else {
            throw untranslatable("The collection operator \(key) in \"\(keyPath)\" cannot be used in a store.")
        }
        if isGrouping, case .object(let object) = operand, object.alias == subject.alias {
            return .term(try groupOperator(function, rest: rest, of: object, keyPath: keyPath))
        }
        guard case .collection = operand else {
            throw untranslatable("The collection operator \(key) in \"\(keyPath)\" does not follow a to-many.")
        }
        let values = rest.isEmpty ? operand : try resolve(keyPath: rest.joined(separator: "."), from: operand)
        guard case .collection(let collection) = values else {
            throw untranslatable("The key path \"\(keyPath)\" does not lead to values that \(key) can use.")
        }
        return .term(try aggregate(function, of: collection))
    }

    /// `@sum.key` and the like, without anything before it: over the rows of a group.
    private func groupOperator(
        _ function: Aggregate, rest: ArraySlice<String>, of object: SQLObject, keyPath: String
    ) throws -> SQLTerm {
        // What the group is summed up over are its rows: a column may have the name of a property that it is computed of.
        let values =
            rest.isEmpty ? .object(object) : try resolve(keyPath: rest.joined(separator: "."), from: .object(object))
        switch values {
        case .term(let term) where term.type != .opaque: return try groupTerm(function, term)
        case .object(let object) where function == .count:
            return SQLTerm(sql: "COUNT(\(object.key))", type: .integer, isNullable: false)
        default:
            throw untranslatable(
                "The key path \"\(keyPath)\" does not lead to values of the rows that can be summed up.")
        }
    }

    /// A function over the elements of a subselect.
    func aggregate(_ function: Aggregate, of collection: SQLCollection) throws -> SQLTerm {
        let from = collection.scope
        guard function != .count else {
            var count = SQLTerm(sql: "(SELECT COUNT(*)\(from.clause()))", type: .integer, isNullable: false)
            if dialect.asksForExistence { count.existence = "EXISTS (SELECT 1\(from.clause()))" }
            return count
        }
        guard case .term(let term) = collection.element, term.type != .opaque else {
            throw untranslatable("Objects of a collection can only be counted by a store.")
        }
        let value = try groupTerm(function, term)
        return SQLTerm(
            sql: "(SELECT \(value.sql)\(from.clause()))", type: value.type, isNullable: value.isNullable)
    }

    /// A function over the values that a term has in the rows of a group.
    func groupTerm(_ function: Aggregate, _ term: SQLTerm) throws -> SQLTerm {
        switch function {
        case .count: return SQLTerm(sql: "COUNT(\(term.sql))", type: .integer, isNullable: false)
        case .sum where term.type == .decimal:
            let sum = try dialect.decimalAggregate(function, dialect.checked(term))
            return SQLTerm(sql: "COALESCE(\(sum), 0)", type: .decimal, isNullable: false)
        case .sum:
            let isInteger = term.type == .integer || term.type == .boolean
            let sum = try dialect.aggregate(.sum, addend(term))
            return SQLTerm(
                sql: "COALESCE(\(sum), 0)", type: isInteger ? .integer : .double, isNullable: false)
        case .average where term.type == .decimal:
            return SQLTerm(sql: try dialect.decimalAggregate(function, dialect.checked(term)), type: .decimal)
        case .average:
            return SQLTerm(sql: try dialect.aggregate(.average, addend(term)), type: .double)
        case .minimum: return SQLTerm(sql: try dialect.aggregate(.minimum, term), type: term.type)
        case .maximum: return SQLTerm(sql: try dialect.aggregate(.maximum, term), type: term.type)
        case .median:
            guard term.type.isNumber || [.boolean, .date, .text].contains(term.type) else {
                throw untranslatable("The function \"median\" needs numbers, dates or strings.")
            }
            // Two numbers have a middle; of two dates or strings the lower one is taken.
            let value = term.type == .boolean ? number(term) : term
            return SQLTerm(
                sql: try dialect.median(
                    term.type == .text ? value.sql : dialect.checked(value), isNumber: term.type.isNumber),
                type: term.type.isNumber ? .double : term.type)
        case .deviation:
            try requireNumber(term)
            return SQLTerm(sql: try dialect.standardDeviation(dialect.checked(number(term))), type: .double)
        }
    }

    /// A term as sums and averages take it: of a string the number that it begins with, or 0.
    private func addend(_ term: SQLTerm) throws -> SQLTerm {
        if term.type == .text { return SQLTerm(sql: dialect.leadingNumber(term.sql), type: .double) }
        try requireNumber(term)
        return number(term)
    }

    private func requireNumber(_ term: SQLTerm) throws {
        guard term.type.isNumber || term.type == .date else {
            throw untranslatable("Only numbers can be added up by a store.")
        }
    }
}
