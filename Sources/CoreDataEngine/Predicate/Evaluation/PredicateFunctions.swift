import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The functions of the format language, by Apple's names.
package enum PredicateFunctions {
    /// The names of all functions that can be evaluated.
    package static let names: Set<String> = Set(numeric.keys).union(binary.keys).union(aggregates.keys).union([
        "now", "random", "random:", "randomn:", "uppercase:", "lowercase:", "canonical:", "length:", "noindex:",
        "castObject:toType:", "objectFrom:withIndex:", "onesComplement:",
    ])

    /// The method of `FUNCTION(string, 'matchesText:', words)`, which searches in the words of a string.
    static let textSearch = "matchesText:"

    /// The order and the forms of words are the server's, so nothing else finds the same.
    static var textSearchError: CocoaError {
        PredicateError.evaluation(
            "\"\(textSearch)\" is full text search, which PostgreSQL stores alone have. It can't be evaluated on objects, or in "
                + "other stores: save changed objects first, or set includesPendingChanges to false.")
    }

    /// Checks how many arguments a function is given; those of lists, and `now`, take any number.
    static func check(_ count: Int, of name: String) throws {
        let takesOne = ["uppercase:", "lowercase:", "canonical:", "length:", "noindex:", "onesComplement:"]
        let takesTwo = ["castObject:toType:", "objectFrom:withIndex:"]
        if numeric[name] != nil || takesOne.contains(name) { try check(count, 1, name) }
        if binary[name] != nil || takesTwo.contains(name) { try check(count, 2, name) }
    }

    /// Calls a function.
    static func call(_ name: String, _ arguments: [Any?]) throws -> Any? {
        if let aggregate = aggregates[name] { return try aggregate(listArgument(arguments)) }
        if let function = binary[name] {
            try check(arguments, 2, name)
            return try function(operand(arguments[0], name), operand(arguments[1], name))
        }
        if let function = numeric[name] {
            try check(arguments, 1, name)
            return try function(operand(arguments[0], name))
        }
        return try callOther(name, arguments)
    }

    private static func callOther(_ name: String, _ arguments: [Any?]) throws -> Any? {
        switch name {
        case "now", "now:": return Date()
        case "random": return Double.random(in: 0..<1)
        case "castObject:toType:":
            try check(arguments, 2, name)
            return try ValueCast.cast(arguments[0], to: arguments[1])
        case "objectFrom:withIndex:":
            try check(arguments, 2, name)
            return try element(of: arguments[0], at: arguments[1])
        default: break
        }
        try check(arguments, 1, name)
        switch name {
        case "uppercase:": return try string(arguments[0], name).map { $0.uppercased() }
        case "lowercase:": return try string(arguments[0], name).map { $0.lowercased() }
        case "canonical:":
            return try string(arguments[0], name).map {
                StringFolding.folded($0, [.caseInsensitive, .diacriticInsensitive])
            }
        case "length:": return try length(arguments[0])
        case "noindex:": return arguments[0]
        case "random:", "randomn:":
            guard let limit = try operand(arguments[0], name)?.integer, limit > 0 else { return nil }
            return Int64.random(in: 0..<limit)
        case "onesComplement:": return try operand(arguments[0], name)?.integer.map { ~$0 }
        default: throw PredicateError.evaluation("The function \"\(name)\" is not supported.")
        }
    }

    private static func check(_ arguments: [Any?], _ count: Int, _ name: String) throws {
        try check(arguments.count, count, name)
    }

    private static func check(_ given: Int, _ count: Int, _ name: String) throws {
        guard given != count else { return }
        throw PredicateError.evaluation(
            "The function \"\(name)\" takes \(count) argument\(count == 1 ? "" : "s"), not \(given).")
    }

    // MARK: Tables

    private typealias Number = Arithmetic.Operand

    private static let aggregates: [String: @Sendable ([Any?]) throws -> Any?] = [
        "sum:": { try Aggregates.sum($0) },
        "average:": { try Aggregates.average($0) },
        "min:": { Aggregates.minimum($0) },
        "max:": { Aggregates.maximum($0) },
        "count:": { Aggregates.count($0) },
        "median:": { try Aggregates.median($0) },
        "mode:": { try Aggregates.mode($0) },
        "stddev:": { try Aggregates.standardDeviation($0) },
    ]

    private static let binary: [String: @Sendable (Number?, Number?) throws -> Any?] = [
        "add:to:": { Arithmetic.add($0, $1) },
        "from:subtract:": { Arithmetic.subtract($0, $1) },
        "multiply:by:": { Arithmetic.multiply($0, $1) },
        "divide:by:": { Arithmetic.divide($0, $1) },
        "modulus:by:": { Arithmetic.modulus($0, $1) },
        "raise:toPower:": { Arithmetic.power($0, $1) },
        "bitwiseAnd:with:": { Arithmetic.bits($0, $1) { $0 & $1 } },
        "bitwiseOr:with:": { Arithmetic.bits($0, $1) { $0 | $1 } },
        "bitwiseXor:with:": { Arithmetic.bits($0, $1) { $0 ^ $1 } },
        "leftshift:by:": { Arithmetic.bits($0, $1) { $0 << $1 } },
        "rightshift:by:": { Arithmetic.bits($0, $1) { $0 >> $1 } },
    ]

    private static let numeric: [String: @Sendable (Number?) throws -> Any?] = [
        "sqrt:": { Arithmetic.double($0) { $0 < 0 ? nil : $0.squareRoot() } },
        "log:": { Arithmetic.double($0) { $0 <= 0 ? nil : log10($0) } },
        "ln:": { Arithmetic.double($0) { $0 <= 0 ? nil : log($0) } },
        "exp:": { Arithmetic.double($0) { exp($0) } },
        "floor:": { Arithmetic.rounded($0, .down) },
        "ceiling:": { Arithmetic.rounded($0, .up) },
        "trunc:": { Arithmetic.rounded($0, .towardZero) },
        "abs:": { Arithmetic.magnitude($0) },
    ]

    // MARK: Arguments

    /// A single list as it is, several arguments as a list.
    private static func listArgument(_ arguments: [Any?]) -> [Any?] {
        guard arguments.count == 1 else { return arguments }
        guard let value = arguments[0] else { return [] }
        return CollectionElements.of(value) ?? [value]
    }

    private static func operand(_ value: Any?, _ name: String) throws -> Number? {
        switch PredicateValue(value) {
        case .none: return nil
        case .integer(let number): return .integer(number)
        case let other:
            guard let number = other.double else {
                throw PredicateError.evaluation("The function \"\(name)\" needs numbers, not \(other.kind).")
            }
            // Not-a-number is no number to SQL either: a power of it, which can be 1, would be one.
            return number.isNaN ? nil : .real(number)
        }
    }

    private static func string(_ value: Any?, _ name: String) throws -> String? {
        let value = PredicateValue(value)
        if case .none = value { return nil }
        guard let string = value.string else {
            throw PredicateError.evaluation("The function \"\(name)\" needs a string, not \(value.kind).")
        }
        return string
    }

    private static func length(_ value: Any?) throws -> Any? {
        switch PredicateValue(value) {
        case .none: return nil
        case .collection(let elements): return elements.count
        case .data(let data): return data.count
        default: return try string(value, "length:")?.utf16.count
        }
    }

    private static func element(of collection: Any?, at index: Any?) throws -> Any? {
        guard let collection, let index else { return nil }
        if CollectionElements.isUnordered(collection), (index as? String).map({ $0 == "FIRST" || $0 == "LAST" }) ?? true
        {
            throw PredicateError.evaluation("A set has no order: none of its elements can be taken by an index.")
        }
        if let key = index as? String {
            switch key {
            case "FIRST": return CollectionElements.of(collection)?.first ?? nil
            case "LAST": return CollectionElements.of(collection)?.last ?? nil
            case "SIZE": return CollectionElements.of(collection)?.count
            default: return try KeyValueAccess.value(of: collection, forKey: key)
            }
        }
        guard let elements = CollectionElements.of(collection), let position = PredicateValue(index).double,
            let offset = Int(exactly: position.rounded(.towardZero))
        else { throw PredicateError.evaluation("An index needs a collection and a number.") }
        return elements.indices.contains(offset) ? elements[offset] : nil
    }
}

extension PredicateFunctions {
    /// Calls one of the methods that `FUNCTION(…)` can name.
    static func callMethod(_ name: String, of target: Any?, _ arguments: [Any?]) throws -> Any? {
        switch (name, arguments.count) {
        case ("valueForKey:", 1), ("valueForKeyPath:", 1):
            guard let path = arguments[0] as? String else { break }
            return try KeyValueAccess.value(of: target, forKeyPath: path)
        case _ where target is any ExpressionMethods:
            return try (target as? any ExpressionMethods)?
                .callMethod(name, arguments.map { ExpressionResult.object(for: $0) })
        case ("objectAtIndex:", 1), ("objectForKey:", 1):
            return try call("objectFrom:withIndex:", [target, arguments[0]])
        case ("count", 0), ("length", 0): return try length(target)
        case ("stringByAppendingString:", 1):
            guard let string = try string(target, name), let other = try self.string(arguments[0], name) else {
                return nil
            }
            return string + other
        case (textSearch, 1): throw textSearchError
        case (_, 0): return try target.flatMap { try KeyValueAccess.value(of: $0, forKey: name) }
        default:
            let all = [target] + arguments
            if names.contains(name) { return try call(name, all) }
        }
        throw PredicateError.evaluation("Calling the method \"\(name)\" is not supported.")
    }
}
