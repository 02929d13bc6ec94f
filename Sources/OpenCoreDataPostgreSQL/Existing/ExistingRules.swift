#if PostgreSQL
import Foundation
import OpenCoreData

/// The conditions of a column that a model can say too: limits of numbers and of lengths, and lists of values.
struct ExistingRules {
    private let type: NSAttributeType
    private var least: Decimal?
    private var most: Decimal?
    private var leastLength: Int?
    private var mostLength: Int?
    private var pattern: String?

    init(of type: NSAttributeType) {
        self.type = type
    }

    mutating func limit(length: Int) { mostLength = min(mostLength ?? length, length) }

    mutating func limit(values: [String]) {
        pattern = values.map { NSRegularExpression.escapedPattern(for: $0) }.joined(separator: "|")
    }

    // MARK: Predicates

    var predicates: [NSPredicate] { rules.map(\.predicate) }
    var warnings: [String] { rules.map(\.warning) }

    private var rules: [(predicate: NSPredicate, warning: String)] {
        var rules: [(predicate: NSPredicate, warning: String)] = []
        let value = NSExpression.expressionForEvaluatedObject()
        func add(_ left: NSExpression, _ type: NSComparisonPredicate.Operator, _ right: Any, _ warning: String) {
            rules.append(
                (
                    NSComparisonPredicate(
                        leftExpression: left, rightExpression: NSExpression(forConstantValue: right), modifier: .direct,
                        type: type, options: []), warning
                ))
        }
        func number(_ limit: Decimal) -> Any {
            switch type {
            case .decimalAttributeType: limit as NSDecimalNumber
            case .doubleAttributeType, .floatAttributeType: (limit as NSDecimalNumber).doubleValue
            default: (limit as NSDecimalNumber).int64Value
            }
        }
        if let least { add(value, .greaterThanOrEqualTo, number(least), "Value is too small") }
        if let most { add(value, .lessThanOrEqualTo, number(most), "Value is too large") }
        let length = NSExpression(forKeyPath: "length")
        if let leastLength { add(length, .greaterThanOrEqualTo, leastLength, "String is too short") }
        if let mostLength { add(length, .lessThanOrEqualTo, mostLength, "String is too long") }
        if let pattern { add(value, .matches, pattern, "String doesn't match the pattern") }
        return rules
    }

    // MARK: Conditions

    /// Takes in a condition as the server writes it.
    ///
    /// - Parameter name: What the value is called in it.
    /// - Returns: Whether a model says it all.
    mutating func add(_ condition: String, of name: String) -> Bool {
        var rules = self
        for part in Self.parts(Self.bare(condition)) where !rules.addPart(part, name) { return false }
        self = rules
        return true
    }

    private mutating func addPart(_ part: String, _ name: String) -> Bool {
        let quoted = "\"\(name.replacing("\"", with: "\"\""))\""
        let text = Self.withoutCasts(part)
        for value in [name, quoted] {
            if text == "\(value) IS NOT NULL" { return true }
            for function in ["length", "char_length", "character_length"] {
                let call = "\(function)(\(value))"
                if type == .stringAttributeType, text.hasPrefix(call + " "), addLength(text.dropFirst(call.count + 1)) {
                    return true
                }
            }
            guard text.hasPrefix(value + " ") else { continue }
            let rest = text.dropFirst(value.count + 1)
            if type == .stringAttributeType { return addList(rest) }
            return addNumber(rest)
        }
        return false
    }

    private mutating func addLength(_ text: Substring) -> Bool {
        guard let (comparison, number) = Self.comparison(text), let limit = Int(number) else { return false }
        switch comparison {
        case ">=": leastLength = max(leastLength ?? limit, limit)
        case ">": leastLength = max(leastLength ?? limit + 1, limit + 1)
        case "<=": mostLength = min(mostLength ?? limit, limit)
        case "<": mostLength = min(mostLength ?? limit - 1, limit - 1)
        case "=": (leastLength, mostLength) = (limit, limit)
        default: return false
        }
        return true
    }

    private mutating func addNumber(_ text: Substring) -> Bool {
        let integers: [NSAttributeType] = [.integer16AttributeType, .integer32AttributeType, .integer64AttributeType]
        let numbers = integers + [.decimalAttributeType, .doubleAttributeType, .floatAttributeType]
        guard numbers.contains(type), let (comparison, number) = Self.comparison(text), Double(number) != nil,
            let limit = Decimal(string: number)
        else { return false }
        let isWhole = integers.contains(type)
        guard !isWhole || Int64(number) != nil else { return false }
        switch comparison {
        case ">=": least = max(least ?? limit, limit)
        case "<=": most = min(most ?? limit, limit)
        // A model has no limits that are excluded.
        case ">" where isWhole: least = max(least ?? limit + 1, limit + 1)
        case "<" where isWhole: most = min(most ?? limit - 1, limit - 1)
        default: return false
        }
        return true
    }

    /// A list of strings, one of which the value is.
    private mutating func addList(_ text: Substring) -> Bool {
        guard pattern == nil else { return false }
        var rest = text
        let isOne = rest.hasPrefix("= '")
        if isOne {
            rest = rest.dropFirst(2)
        } else {
            guard rest.hasPrefix("= ANY (") else { return false }
            rest = rest.dropFirst(7)
            while rest.first == "(" { rest.removeFirst() }
            guard rest.hasPrefix("ARRAY[") else { return false }
            rest = rest.dropFirst(6)
        }
        var values: [String] = []
        while rest.first == "'" {
            rest.removeFirst()
            var value = ""
            while let character = rest.popFirst() {
                if character == "'" {
                    guard rest.first == "'" else { break }
                    rest.removeFirst()
                }
                value.append(character)
            }
            values.append(value)
            guard rest.hasPrefix(", ") else { break }
            rest = rest.dropFirst(2)
        }
        guard !values.isEmpty, rest.allSatisfy({ "])".contains($0) }) else { return false }
        limit(values: values)
        return true
    }

    private static func comparison(_ text: Substring) -> (String, String)? {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return nil }
        var number = words[1].trimmingCharacters(in: ["(", ")"])
        if number.count > 2, number.first == "'", number.last == "'" { number = String(number.dropFirst().dropLast()) }
        return (words[0], number)
    }

    // MARK: Text

    /// A condition without the parentheses around all of it.
    private static func bare(_ text: String) -> String {
        var text = text.trimmingCharacters(in: .whitespaces)
        while text.hasPrefix("("), text.hasSuffix(")"), closing(text) == text.index(before: text.endIndex) {
            text = String(text.dropFirst().dropLast())
        }
        return text
    }

    /// Where the first parenthesis ends.
    private static func closing(_ text: String) -> String.Index? {
        var depth = 0
        var isText = false
        for index in text.indices {
            switch text[index] {
            case "'": isText.toggle()
            case "(" where !isText: depth += 1
            case ")" where !isText:
                depth -= 1
                if depth == 0 { return index }
            default: break
            }
        }
        return nil
    }

    /// The parts of a condition that all have to hold.
    private static func parts(_ text: String) -> [String] {
        var parts: [String] = []
        var part = ""
        var depth = 0
        var isText = false
        for character in text {
            switch character {
            case "'": isText.toggle()
            case "(" where !isText: depth += 1
            case ")" where !isText: depth -= 1
            default: break
            }
            part.append(character)
            if depth == 0, !isText, part.hasSuffix(" AND ") {
                parts.append(String(part.dropLast(5)))
                part = ""
            }
        }
        let all = parts + [part]
        return all.count == 1 ? all.map(bare) : all.flatMap { Self.parts(bare($0)) }
    }

    /// A condition without casts, and without parentheses around a name that was cast.
    private static func withoutCasts(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        var isText = false
        while let character = rest.popFirst() {
            if character == "'" { isText.toggle() }
            guard !isText, character == ":", rest.first == ":" else {
                result.append(character)
                continue
            }
            rest.removeFirst()
            let types = ["character varying", "double precision", "\"char\""]
            if let long = types.first(where: rest.hasPrefix) {
                rest = rest.dropFirst(long.count)
            } else {
                rest = rest.drop { $0.isLetter || $0.isNumber || "_.\"".contains($0) }
            }
            if rest.first == "(" { rest = rest.drop { $0 != ")" }.dropFirst() }
            if rest.hasPrefix("[]") { rest = rest.dropFirst(2) }
        }
        return result.replacing(/\(([A-Za-z_][A-Za-z_0-9]*|"[^"]*"|-?[0-9.]+)\)(?! *\()/) { match in
            // The parentheses of a call stay.
            let before = result[..<match.range.lowerBound].last
            return before?.isLetter == true || before == "_" ? "\(match.output.0)" : "\(match.output.1)"
        }
    }
}
#endif
