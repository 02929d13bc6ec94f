import CampaignCore
import Foundation
import OpenCoreData

/// Makes format strings from the grammar of predicates, with placeholders and arguments that fit or don't.
struct FormatGrammar {
    private(set) var arguments: [FormatArgument] = []
    private var random: SplitMix64
    private let entity: EntityLayout

    init(_ entity: EntityLayout, _ random: SplitMix64) {
        self.entity = entity
        self.random = random
    }

    /// A format string; its arguments are in `arguments` then.
    mutating func format() -> String {
        let result =
            random.chance(2) ? deep() : random.chance(2) ? choiceInList() : predicate(random.below(4))
        // Too few or too many arguments.
        if random.chance(3) { arguments = Array(arguments.dropLast(1 + random.below(2))) }
        if random.chance(3) { arguments.append(.random(&random)) }
        return result
    }

    /// Parts inside one another, more than SQLite's parser has room for.
    private mutating func deep() -> String {
        let depth = 10 + random.below(90)
        func nested(_ opening: String, _ inner: String) -> String {
            String(repeating: opening, count: depth) + inner + String(repeating: ")", count: depth)
        }
        switch random.below(4) {
        case 0: return nested("NOT (", comparison(0))
        case 1: return "\(nested("abs:(", keyPath())) \(random.pick(["==", "<", "!="])) \(number())"
        case 2: return "\(nested("uppercase:(", keyPath())) CONTAINS[c] \(text())"
        default: return nested("(\(comparison(0))) OR (", comparison(0))
        }
    }

    /// A value that a condition chooses, often a number that no integer attribute can have, searched in a list.
    private mutating func choiceInList() -> String {
        func value(_ grammar: inout FormatGrammar) -> String {
            switch grammar.random.below(5) {
            case 0: return grammar.random.pick(["9223372036854775808", "18446744073709551615", "1e19", "nil"])
            case 1: return grammar.placeholder(.natural(grammar.random.pick([.max, 1 << 63])))
            default: return grammar.keyPath()
            }
        }
        let condition = predicate(random.below(2))
        let choice = "TERNARY(\(condition), \(value(&self)), \(value(&self)))"
        let list = (0..<(1 + random.below(3))).map { _ in random.chance(25) ? number() : value(&self) }
        let operation = random.pick(["IN", "IN", "IN", "==", "!=", "<"])
        return "\(choice) \(operation) \(operation == "IN" ? "{\(list.joined(separator: ", "))}" : list[0])"
    }

    private mutating func word(_ text: String) -> String {
        random.chance(80) ? text : random.chance(50) ? text.lowercased() : text.capitalized
    }

    private mutating func predicate(_ depth: Int) -> String {
        guard depth > 0 else { return comparison(1) }
        switch random.below(9) {
        case 0: return "\(predicate(depth - 1)) \(word("AND")) \(predicate(depth - 1))"
        case 1: return "\(predicate(depth - 1)) && \(predicate(depth - 1))"
        case 2: return "\(predicate(depth - 1)) \(word("OR")) \(predicate(depth - 1))"
        case 3: return "\(predicate(depth - 1)) || (\(predicate(depth - 1)))"
        case 4: return "\(random.chance(50) ? "!" : word("NOT") + " ")(\(predicate(depth - 1)))"
        case 5: return "(\(predicate(depth - 1)))"
        case 6: return random.pick([word("TRUEPREDICATE"), word("FALSEPREDICATE")])
        default: return comparison(depth)
        }
    }

    private mutating func comparison(_ depth: Int) -> String {
        let modifier = random.chance(12) ? word(random.pick(["ANY", "ALL", "NONE", "SOME"])) + " " : ""
        let left = expression(depth)
        let flags = random.pick(["", "", "", "[c]", "[d]", "[cd]", "[n]", "[l]", "[cn]", "[x]", "[]"])
        switch random.below(8) {
        case 0...2:
            let operation = random.pick(["=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"])
            return "\(modifier)\(left) \(operation)\(random.chance(15) ? flags : "") \(expression(depth))"
        case 3, 4:
            let operation = word(random.pick(["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES"]))
            return "\(modifier)\(left) \(operation)\(flags) \(random.chance(70) ? text() : expression(depth))"
        case 5:
            return "\(modifier)\(left) \(word("IN"))\(random.chance(15) ? flags : "") \(list(depth))"
        case 6: return "\(modifier)\(left) \(word("BETWEEN")) \(list(depth))"
        default:
            return "\(modifier)\(left) \(random.pick(["==", "!="])) \(word(random.pick(["NIL", "NULL", "TRUE", "NO"])))"
        }
    }

    private mutating func text() -> String {
        let pattern = random.pick(
            SampleValues.texts + ["a*", "?", "[a-z]+", "(a+)+b", "\\\\d", "*a*b*", "[", "(", "\\\\", "a{2", ".*"])
        return random.chance(60) ? "\"\(pattern.replacing("\"", with: "\\\""))\"" : placeholder(.text(pattern))
    }

    private mutating func list(_ depth: Int) -> String {
        switch random.below(6) {
        case 0: return placeholder(.list((0..<random.below(4)).map { _ in .random(&random) }))
        case 1: return expression(depth)
        case 2: return placeholder(.random(&random))
        default:
            let items = (0..<(random.chance(60) ? 2 : random.below(4))).map { _ in expression(0) }
            return "{\(items.joined(separator: ", "))}"
        }
    }

    private mutating func placeholder(_ argument: FormatArgument) -> String {
        arguments.append(argument)
        return "%@"
    }

    private mutating func expression(_ depth: Int) -> String {
        switch random.below(depth > 0 ? 18 : 8) {
        case 0...3: return keyPath()
        case 4: return placeholder(.random(&random))
        case 5: return number()
        case 6: return random.chance(60) ? text() : random.pick(["SELF", "nil", "YES", "$x", "%%", "@\"a\"", "{}"])
        case 7:
            let (mark, argument) = random.pick([
                ("%K", FormatArgument.text(keyPath())), ("%d", .integer(2)), ("%ld", .integer(.min)),
                ("%f", .real(1.5)),
                ("%lu", .natural(.max)), ("%s", .text("a")), ("%u", .integer(-1)), ("%c", .integer(97)), ("%K", .null),
            ])
            arguments.append(argument)
            return mark
        case 8, 9: return "\(expression(depth - 1)) \(random.pick(["+", "-", "*", "/", "**"])) \(expression(depth - 1))"
        case 10: return "(\(expression(depth - 1)))"
        case 11: return "-\(expression(depth - 1))"
        case 12: return function(depth)
        case 13: return subquery(depth)
        case 14: return "TERNARY(\(predicate(depth - 1)), \(expression(depth - 1)), \(expression(depth - 1)))"
        case 15:
            let index = random.pick(["0", "1", "-1", "FIRST", "LAST", "SIZE", "9223372036854775807", "\"a\"", "1.5"])
            return "\(expression(depth - 1))[\(index)]"
        case 16: return "CAST(\(expression(depth - 1)), \"\(random.pick(["NSDate", "NSNumber", "NSString", "x"]))\")"
        default:
            let operation = random.pick(["UNION", "INTERSECT", "MINUS"])
            return "\(expression(depth - 1)) \(operation) \(expression(depth - 1))"
        }
    }

    private mutating func number() -> String {
        random.pick([
            "0", "1", "-1", "2", "1.5", "1e3", "1e400", "0x1F", "0b101", "0o17", "9223372036854775807",
            "-9223372036854775808", "9223372036854775808", "99999999999999999999999", ".5", "1.", "1e", "0x", "5e-324",
        ])
    }

    private mutating func function(_ depth: Int) -> String {
        let name = random.pick([
            "sum", "count", "min", "max", "average", "median", "mode", "stddev", "sqrt", "log", "ln", "exp", "floor",
            "ceiling", "abs", "trunc", "random", "now", "uppercase", "lowercase", "length", "canonical",
            "modulus:by", "add:to", "from:subtract", "multiply:by", "divide:by", "raise:toPower", "bitwiseAnd:with",
            "bitwiseOr:with", "bitwiseXor:with", "leftshift:by", "rightshift:by", "onesComplement",
            "objectFrom:withIndex",
            "distanceToLocation:fromLocation", "castObject:toType", "nothing", "noindex",
        ])
        let count = name.contains(":") ? 2 : random.chance(85) ? 1 : random.below(4)
        let operands = (0..<count).map { _ in expression(depth - 1) }.joined(separator: ", ")
        if random.chance(25) { return "FUNCTION(\(expression(depth - 1)), \"\(name):\", \(operands))" }
        return "\(name):(\(operands))"
    }

    private mutating func subquery(_ depth: Int) -> String {
        let collection = random.chance(85) ? relationship() ?? keyPath() : keyPath()
        let inner =
            random.chance(70) ? "$x.\(keyPath()) \(random.pick(["==", ">", "!="])) \(expression(0))" : predicate(0)
        return "SUBQUERY(\(collection), $x, \(inner)).\(random.chance(80) ? "@count" : keyPath())"
    }

    private mutating func relationship() -> String? {
        entity.relationships.isEmpty ? nil : random.pick(entity.relationships).name
    }

    private mutating func keyPath() -> String {
        var names: [String] = []
        var owner = entity
        while random.chance(25), names.count < 3, !owner.relationships.isEmpty {
            let relationship = random.pick(owner.relationships)
            names.append(relationship.name)
            owner = relationship.destination
        }
        let slots = owner.slots.compactMap { $0?.name }
        switch random.below(14) {
        case 0:
            names.append(
                random.pick(["nothing", "self", "SELF", "objectID", "entity", "#first", "@distinct", "value1"]))
        case 1:
            names.append(random.pick(["@count", "@sum", "@avg", "@min", "@max", "@unionOfObjects", "@x"]))
            if random.chance(50), !slots.isEmpty { names.append(random.pick(slots)) }
        default: names.append(slots.isEmpty ? "self" : random.pick(slots))
        }
        return names.joined(separator: ".")
    }
}
