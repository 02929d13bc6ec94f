import Foundation

extension PredicateFormatParser {
    // MARK: Operations

    mutating func setOperation() throws -> Item {
        var left = try bitOr()
        while let word = keyword, ["UNION", "INTERSECT", "MINUS"].contains(word) {
            try advance()
            let right = try bitOr()
            let (a, b) = (try expression(left), try expression(right))
            let node: ExpressionNode =
                switch word {
                case "UNION": .unionSet(a, b)
                case "INTERSECT": .intersectSet(a, b)
                default: .minusSet(a, b)
                }
            left = try item(.expression(NSExpression(node: node)), of: [left, right], start: left.start)
        }
        return left
    }

    // The operations on bits bind as in C among themselves and with arithmetic, but all of them tighter than comparisons:
    // `flags & 4 != 0` is what it looks like.
    private mutating func bitOr() throws -> Item {
        try operation(Self.bitOrs) { try $0.bitXor() }
    }

    private mutating func bitXor() throws -> Item {
        try operation(Self.bitXors) { try $0.bitAnd() }
    }

    private mutating func bitAnd() throws -> Item {
        try operation(Self.bitAnds) { try $0.shift() }
    }

    private mutating func shift() throws -> Item {
        try operation(Self.shifts) { try $0.sum() }
    }

    private mutating func sum() throws -> Item {
        try operation(Self.sums) { try $0.product() }
    }

    private mutating func product() throws -> Item {
        try operation(Self.products) { try $0.power() }
    }

    private mutating func power() throws -> Item {
        try operation(Self.powers) { try $0.signed() }
    }

    // Functions by operator, weakest first.
    private static let bitOrs = ["|": "bitwiseOr:with:"]
    private static let bitXors = ["^": "bitwiseXor:with:"]
    private static let bitAnds = ["&": "bitwiseAnd:with:"]
    private static let shifts = ["<<": "leftshift:by:", ">>": "rightshift:by:"]
    private static let sums = ["+": "add:to:", "-": "from:subtract:"]
    private static let products = ["*": "multiply:by:", "/": "divide:by:", "%": "modulus:by:"]
    private static let powers = ["**": "raise:toPower:"]

    private mutating func operation(
        _ functions: [String: String], _ operand: (inout PredicateFormatParser) throws -> Item
    ) throws -> Item {
        var left = try operand(&self)
        while case .symbol(let symbol) = token, let function = functions[symbol] {
            try advance()
            let right = try operand(&self)
            left = try call(function, [left, right], start: left.start)
        }
        return left
    }

    private func call(_ function: String, _ arguments: [Item], start: Int) throws -> Item {
        let node = ExpressionNode.function(function, try arguments.map { try expression($0) })
        return try item(.expression(NSExpression(node: node)), of: arguments, start: start)
    }

    private mutating func signed() throws -> Item {
        let start = tokenStart
        if isSymbol("~") {
            try advance()
            return try nested { parser in try parser.call("onesComplement:", [parser.signed()], start: start) }
        }
        if isSymbol("+") { try advance() }
        guard isSymbol("-") else { return try postfix() }
        try advance()
        if case .number(let digits) = token {
            let value = try number("-" + digits)
            try advance()
            return try postfix(of: constant(value, start))
        }
        return try nested { parser in
            try parser.call("from:subtract:", [parser.constant(Int64(0), start), parser.signed()], start: start)
        }
    }

    private func constant(_ value: Any?, _ start: Int) -> Item {
        Item(content: .expression(NSExpression(forConstantValue: value)), depth: 1, start: start)
    }

    // MARK: Keys and indexes

    private mutating func postfix() throws -> Item {
        try postfix(of: primary())
    }

    private mutating func postfix(of operand: Item) throws -> Item {
        var result = operand
        while true {
            if isSymbol(".") {
                try advance()
                let path = try keyPath()
                let owner = try expression(result)
                let node: ExpressionNode =
                    if case .keyPath(let start) = owner.node { .keyPath("\(start).\(path)") } else {
                        .operandKeyPath(owner, path)
                    }
                result = try item(.expression(NSExpression(node: node)), of: [result], start: result.start)
            } else if isSymbol("["), isIndexable(result) {
                try advance()
                let index = try indexExpression()
                try expect("]")
                result = try call("objectFrom:withIndex:", [result, index], start: result.start)
            } else {
                return result
            }
        }
    }

    private func isIndexable(_ item: Item) -> Bool {
        if case .expression = item.content { true } else { false }
    }

    private mutating func indexExpression() throws -> Item {
        if let word = keyword, ["FIRST", "LAST", "SIZE"].contains(word) {
            let result = constant(word, tokenStart)
            try advance()
            return result
        }
        return try nested { try $0.setOperation() }
    }

    /// Keys joined by dots, up to where the path ends.
    ///
    /// After a dot every word is a key.
    private mutating func keyPath() throws -> String {
        var keys: [String] = []
        while true {
            switch token {
            case .word(let word, _): keys.append(word)
            case .placeholder("K", let position): keys.append(try keyPathArgument(position))
            case .number(let digits) where keys.last?.hasPrefix("@") == true: keys.append(digits)
            default: throw unexpected("a key")
            }
            try advance()
            guard isSymbol(".") else { return keys.joined(separator: ".") }
            try advance()
        }
    }

    private mutating func keyPathArgument(_ position: Int?) throws -> String {
        placeholders = nil
        guard let value = arguments.take(position: position) else { throw missingArgument("%K") }
        guard let path = try FormatArguments.keyPath(value), !path.isEmpty else {
            throw lexer.error("the argument of %K has to be a key path as a string", at: tokenStart)
        }
        return path
    }

    private func missingArgument(_ placeholder: String) -> any Error {
        lexer.error("there is no argument for \(placeholder)", at: tokenStart)
    }

    // MARK: Primary expressions

    private mutating func primary() throws -> Item {
        let start = tokenStart
        switch token {
        case .number(let string):
            let value = try number(string)
            try advance()
            return constant(value, start)
        case .string(let string):
            try advance()
            return constant(string, start)
        case .variable(let name):
            try advance()
            return Item(content: .expression(NSExpression(node: .variable(name))), depth: 1, start: start)
        case .placeholder(let letters, let position): return try placeholder(letters, position)
        case .symbol(let symbol): return try primary(symbol)
        case .word(let word, let isEscaped): return try primary(word, isEscaped: isEscaped)
        case .end: throw unexpected("a value")
        }
    }

    private mutating func primary(_ symbol: String) throws -> Item {
        let start = tokenStart
        switch symbol {
        case "(":
            try advance()
            var inner = try nested { try $0.or() }
            try expect(")")
            inner.start = start
            return inner
        case "{": return try aggregate()
        case "<", "<>":
            lexer.position = start
            if lexer.takeNull() {
                try advance()
                return constant(NSNull(), start)
            }
            let data = try lexer.data()
            try advance()
            return constant(data, start)
        case ".":
            let fraction = try lexer.number()
            guard fraction.count > 0 else { throw unexpected("a value") }
            let value = try number("0." + fraction)
            try advance()
            return constant(value, start)
        default: throw unexpected("a value")
        }
    }

    private mutating func aggregate() throws -> Item {
        let start = tokenStart
        try advance()
        var elements: [Item] = []
        while !isSymbol("}") {
            elements.append(try nested { try $0.setOperation() })
            guard isSymbol(",") else { break }
            try advance()
        }
        try expect("}")
        let node = ExpressionNode.aggregate(try elements.map { try expression($0) })
        return try item(.expression(NSExpression(node: node)), of: elements, start: start)
    }

    private mutating func primary(_ word: String, isEscaped: Bool) throws -> Item {
        let start = tokenStart
        if !isEscaped, ReservedWords.contains(word), let result = try literal(word.uppercased(), start) {
            return result
        }
        try advance()
        if isSymbol("("), !word.hasPrefix("@") { return try function(word, start) }
        guard !word.contains(":") else { throw lexer.error("\"\(word)\" is not a key", at: start) }
        let path = Item(content: .expression(NSExpression(node: .keyPath(word))), depth: 1, start: start)
        return path
    }

    /// What a keyword represents; nil if it is a key outside of its place, as `first` is.
    private mutating func literal(_ word: String, _ start: Int) throws -> Item? {
        switch word {
        case "NULL", "NIL": return try literalConstant(nil, start)
        case "TRUE", "YES": return try literalConstant(true, start)
        case "FALSE", "NO": return try literalConstant(false, start)
        case "TRUEPREDICATE", "FALSEPREDICATE":
            try advance()
            return Item(content: .predicate(NSPredicate(value: word == "TRUEPREDICATE")), depth: 1, start: start)
        case "SELF":
            try advance()
            return Item(content: .expression(NSExpression(node: .evaluatedObject)), depth: 1, start: start)
        case "ANYKEY":
            try advance()
            return Item(content: .expression(NSExpression(node: .anyKey)), depth: 1, start: start)
        case "SUBQUERY": return try subquery(start)
        case "TERNARY": return try ternary(start)
        case "FUNCTION": return try method(start)
        case "CAST":
            try advance()
            return try function("castObject:toType:", start)
        case "FETCH": return try fetch(start)
        case "FIRST", "LAST", "SIZE", "CI", "CASEINSENSITIVE": return nil
        default: throw unexpected("a value")
        }
    }

    private mutating func literalConstant(_ value: Any?, _ start: Int) throws -> Item {
        try advance()
        return constant(value, start)
    }

    private func number(_ string: String) throws -> Any {
        let isNegative = string.hasPrefix("-")
        let digits = (isNegative ? string.dropFirst() : string[...]).lowercased()
        for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] where digits.hasPrefix(prefix) {
            guard let value = Int64((isNegative ? "-" : "") + digits.dropFirst(2), radix: radix) else {
                throw lexer.error("\"\(string)\" is not a number, or too large", at: tokenStart)
            }
            return value
        }
        if let value = Int64(string) { return value }
        guard let value = Double(string), value.isFinite else {
            throw lexer.error("\"\(string)\" is not a number, or too large", at: tokenStart)
        }
        return value
    }

    // MARK: Placeholders

    private mutating func placeholder(_ letters: String, _ position: Int?) throws -> Item {
        let start = tokenStart
        if letters == "K" {
            let path = try keyPathArgument(position)
            try advance()
            let isSelf = path.uppercased() == "SELF"
            let expression = NSExpression(node: isSelf ? .evaluatedObject : .keyPath(path))
            return Item(content: .expression(expression), depth: 1, start: start)
        }
        guard let value = arguments.take(position: position) else { throw missingArgument("%\(letters)") }
        let index = arguments.lastTaken
        if letters == "@" {
            try advance()
            let item = arguments.lastIsNull ? constant(NSNull(), start) : argument(value, start)
            return noted(item, index, letters)
        }
        guard let converted = FormatArguments.convert(value, letters) else {
            throw lexer.error(
                "the argument of %\(letters) is \(PredicateValue(value).kind), which does not fit", at: start)
        }
        try advance()
        return noted(constant(converted, start), index, letters)
    }

    /// Notes that an item represents an argument.
    private mutating func noted(_ item: Item, _ index: Int, _ letters: String) -> Item {
        if case .expression(let expression) = item.content {
            placeholders?.append(PredicatePlaceholder(expression: expression, index: index, letters: letters))
        } else {
            placeholders = nil
        }
        return item
    }

    private func argument(_ value: Any?, _ start: Int) -> Item {
        switch value {
        case let predicate as NSPredicate: Item(content: .predicate(predicate), depth: 1, start: start)
        case let expression as NSExpression: Item(content: .expression(expression), depth: 1, start: start)
        default: constant(value, start)
        }
    }

    // MARK: Functions

    /// The arguments between parentheses.
    private mutating func argumentList() throws -> [Item] {
        try expect("(")
        var items: [Item] = []
        while !isSymbol(")") {
            items.append(try nested { try $0.or() })
            guard isSymbol(",") else { break }
            try advance()
        }
        try expect(")")
        return items
    }

    private mutating func function(_ word: String, _ start: Int) throws -> Item {
        let items = try argumentList()
        let name = FunctionNames.full(word, argumentCount: items.count)
        guard FunctionNames.isKnown(name) else {
            throw lexer.error("\"\(word)\" is not a known function", at: start)
        }
        let result = try call(name, items, start: start)
        guard name == "castObject:toType:", let folded = try foldedCast(items) else { return result }
        return constant(folded, start)
    }

    /// The value of a CAST of a literal, which is how constants of some types are written.
    private func foldedCast(_ items: [Item]) throws -> Any? {
        guard items.count == 2, case .constant(let value) = try expression(items[0]).node,
            case .constant(let type) = try expression(items[1]).node
        else { return nil }
        return try? ValueCast.cast(value, to: type)
    }

    /// `FUNCTION(operand, 'selector:', arguments)`.
    private mutating func method(_ start: Int) throws -> Item {
        try advance()
        let items = try argumentList()
        guard items.count >= 2, case .constant(let value) = try expression(items[1]).node, let name = value as? String
        else {
            throw lexer.error("FUNCTION needs an operand and the name of a method as a string", at: start)
        }
        let call = NSExpression(
            forFunction: try expression(items[0]), selectorName: name,
            arguments: try items.dropFirst(2).map { try expression($0) })
        return try item(.expression(call), of: items, start: start)
    }

    /// `FETCH(request, context, countOnly)`.
    private mutating func fetch(_ start: Int) throws -> Item {
        try advance()
        let items = try argumentList()
        guard items.count == 3, case .integer(let flag) = PredicateValue(try expression(items[2]).rawConstant) else {
            throw lexer.error("FETCH needs a fetch request, a context, and YES or NO for the number alone", at: start)
        }
        let node = ExpressionNode.fetch(try expression(items[0]), try expression(items[1]), flag != 0)
        return try item(.expression(NSFetchRequestExpression(node: node)), of: items, start: start)
    }

    private mutating func ternary(_ start: Int) throws -> Item {
        try advance()
        let items = try argumentList()
        guard items.count == 3 else {
            throw lexer.error("TERNARY needs a predicate and two values", at: start)
        }
        let node = ExpressionNode.conditional(
            try predicate(items[0]), try expression(items[1]), try expression(items[2]))
        return try item(.expression(NSExpression(node: node)), of: items, start: start)
    }

    private mutating func subquery(_ start: Int) throws -> Item {
        try advance()
        try expect("(")
        let collection = try nested { try $0.setOperation() }
        try expect(",")
        guard case .variable(let name) = token else { throw unexpected("a variable such as $x") }
        try advance()
        try expect(",")
        let condition = try nested { try $0.or() }
        try expect(")")
        let node = ExpressionNode.subquery(try expression(collection), name, try predicate(condition))
        return try item(.expression(NSExpression(node: node)), of: [collection, condition], start: start)
    }
}
