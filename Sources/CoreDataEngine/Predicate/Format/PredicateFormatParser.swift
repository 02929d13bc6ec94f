import Foundation

/// Parses the format language.
///
/// Predicates and expressions are parsed by one ladder, weakest binding first: OR, AND, NOT, comparison, set
/// operations, `|`, `^`, `&`, `<< >>`, `+ -`, `* /`, `**`, sign, `.key` and `[index]`. A parenthesis can hold either, so each step returns an
/// item that is a predicate or an expression.
struct PredicateFormatParser {
    /// What a part of the format string turned out to be, and how deep its tree is.
    struct Item {
        enum Content {
            case predicate(NSPredicate)
            case expression(NSExpression)
        }

        var content: Content
        var depth: Int
        /// Where it starts, for error messages.
        var start: Int
    }

    /// The depth of nesting for which any thread's stack has room.
    ///
    /// A parenthesis takes more than a dozen calls. A string that is nested more deeply is parsed again with a larger
    /// stack.
    private static let shallowNesting = 100
    /// How many steps inside one another there may be at all: `NOT (…)` is two for one level of the tree.
    private static let deepNesting = 2 * PredicateDepth.limit

    /// Too many steps inside one another for the stack of this thread.
    private struct NestedTooDeep: Error {}

    var lexer: PredicateLexer
    var arguments: FormatArguments
    var token = PredicateToken.end
    /// The token as a keyword in capitals; `nil` if it isn't a keyword.
    private(set) var keyword: String?
    var tokenStart = 0
    /// What represents arguments; nil when the string takes one in a way that a template can't repeat.
    var placeholders: [PredicatePlaceholder]? = []
    private var nesting = 0
    private let mostNesting: Int

    private init(_ format: String, _ values: [Any], mostNesting: Int) {
        lexer = PredicateLexer(format)
        arguments = FormatArguments(values)
        self.mostNesting = mostNesting
    }

    /// Parses, on a thread with a large stack if need be.
    private static func parse<Result>(
        _ format: String, _ arguments: [Any], _ body: (inout PredicateFormatParser) throws -> Result
    ) throws -> Result {
        do {
            var parser = PredicateFormatParser(format, arguments, mostNesting: shallowNesting)
            return try body(&parser)
        } catch is NestedTooDeep {
            return try DeepStack.run {
                var parser = PredicateFormatParser(format, arguments, mostNesting: deepNesting)
                return try body(&parser)
            }
        }
    }

    /// The predicate of a format string; one that is not valid gives a predicate that keeps the error.
    static func predicate(_ format: String, arguments: [Any]) -> NSPredicate {
        let cache = PredicateTemplateCache.shared
        if !arguments.isEmpty, let known = cache.template(of: format)?.predicate(arguments) { return known }
        do {
            return try parse(format, arguments) { parser in
                let predicate = try parser.parsePredicate()
                if let placeholders = parser.placeholders, !placeholders.isEmpty,
                    let template = PredicateTemplate(predicate, placeholders: placeholders)
                {
                    cache.insert(template, for: format)
                }
                return predicate
            }
        } catch {
            return NSPredicate(invalid: error)
        }
    }

    /// The expression of a format string; one that is not valid gives an expression that keeps the error.
    static func expression(_ format: String, arguments: [Any]) -> NSExpression {
        do {
            return try parse(format, arguments) { try $0.parseExpression() }
        } catch {
            return NSExpression(node: .invalid(error))
        }
    }

    private mutating func parsePredicate() throws -> NSPredicate {
        let item = try parseWhole()
        return try predicate(item)
    }

    private mutating func parseExpression() throws -> NSExpression {
        let item = try parseWhole()
        return try expression(item)
    }

    private mutating func parseWhole() throws -> Item {
        try advance()
        if token == .end { throw unexpected("a predicate or expression") }
        let item = try or()
        guard token == .end else { throw unexpected("an operator or the end") }
        return item
    }

    // MARK: Tokens

    mutating func advance() throws {
        lexer.skipSpace()
        tokenStart = lexer.position
        token = try lexer.next()
        if case .word(let word, false) = token, ReservedWords.contains(word) {
            keyword = word.uppercased()
        } else {
            keyword = nil
        }
    }

    func unexpected(_ expectation: String) -> any Error {
        lexer.error("expected \(expectation), found \(describe(token))", at: tokenStart)
    }

    private func describe(_ token: PredicateToken) -> String {
        switch token {
        case .number(let string), .symbol(let string), .word(let string, _): "\"\(string)\""
        case .string(let string): "the string \"\(string)\""
        case .variable(let name): "\"$\(name)\""
        case .placeholder(let letters, _): "\"%\(letters)\""
        case .end: "the end"
        }
    }

    func isSymbol(_ symbol: String) -> Bool {
        if case .symbol(let found) = token { found == symbol } else { false }
    }

    mutating func expect(_ symbol: String) throws {
        guard isSymbol(symbol) else { throw unexpected("\"\(symbol)\"") }
        try advance()
    }

    // MARK: Items

    func predicate(_ item: Item) throws -> NSPredicate {
        guard case .predicate(let predicate) = item.content else {
            throw lexer.error("expected a comparison or another predicate, found only a value", at: item.start)
        }
        return predicate
    }

    func expression(_ item: Item) throws -> NSExpression {
        guard case .expression(let expression) = item.content else {
            throw lexer.error("expected a value, found a predicate", at: item.start)
        }
        return expression
    }

    /// An item made of others, one level deeper than they are.
    func item(_ content: Item.Content, of parts: [Item], start: Int) throws -> Item {
        let depth = (parts.lazy.map(\.depth).max() ?? 0) + 1
        guard depth <= PredicateDepth.limit else { throw tooDeep(at: start) }
        return Item(content: content, depth: depth, start: start)
    }

    private func tooDeep(at position: Int) -> any Error {
        lexer.error("the predicate is nested more than \(PredicateDepth.limit) levels deep", at: position)
    }

    /// Guards a recursive step.
    mutating func nested(_ body: (inout PredicateFormatParser) throws -> Item) throws -> Item {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= mostNesting else {
            throw mostNesting < Self.deepNesting ? NestedTooDeep() : tooDeep(at: tokenStart)
        }
        return try body(&self)
    }

    // MARK: Predicates

    mutating func or() throws -> Item {
        try compound(.or, keyword: "OR", symbol: "||") { try $0.and() }
    }

    private mutating func and() throws -> Item {
        try compound(.and, keyword: "AND", symbol: "&&") { try $0.not() }
    }

    private mutating func compound(
        _ type: NSCompoundPredicate.LogicalType, keyword word: String, symbol: String,
        _ part: (inout PredicateFormatParser) throws -> Item
    ) throws -> Item {
        let first = try part(&self)
        guard keyword == word || isSymbol(symbol) else { return first }
        var items = [first]
        while keyword == word || isSymbol(symbol) {
            try advance()
            items.append(try part(&self))
        }
        let predicates = try items.map { try predicate($0) }
        let compound = NSCompoundPredicate(type: type, subpredicates: predicates)
        return try item(.predicate(compound), of: items, start: first.start)
    }

    private mutating func not() throws -> Item {
        guard keyword == "NOT" || isSymbol("!") else { return try comparison() }
        let start = tokenStart
        try advance()
        return try nested { parser in
            let operand = try parser.not()
            let negated = NSCompoundPredicate(notPredicateWithSubpredicate: try parser.predicate(operand))
            return try parser.item(.predicate(negated), of: [operand], start: start)
        }
    }

    private mutating func comparison() throws -> Item {
        let start = tokenStart
        let quantifier = keyword.flatMap { ["ANY", "SOME", "ALL", "NONE"].contains($0) ? $0 : nil }
        if quantifier != nil { try advance() }
        let left = try setOperation()
        guard let (type, selector) = try comparisonOperator() else {
            if quantifier != nil { throw unexpected("a comparison operator") }
            return left
        }
        let options = selector == nil ? try comparisonOptions() : []
        let right = try setOperation()
        let modifier: NSComparisonPredicate.Modifier =
            switch quantifier {
            case nil: .direct
            case "ALL": .all
            default: .any
            }
        var predicate: NSPredicate
        if let selector {
            predicate = NSComparisonPredicate(
                leftExpression: try expression(left), rightExpression: try expression(right),
                customSelector: Selector(selector))
        } else {
            predicate = NSComparisonPredicate(
                leftExpression: try expression(left), rightExpression: try expression(right), modifier: modifier,
                type: type, options: options)
        }
        if quantifier == "NONE" { predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate) }
        return try item(.predicate(predicate), of: [left, right], start: start)
    }

    private static let symbolOperators: [String: NSComparisonPredicate.Operator] = [
        "=": .equalTo, "==": .equalTo, "!=": .notEqualTo, "<>": .notEqualTo, "<": .lessThan, ">": .greaterThan,
        "<=": .lessThanOrEqualTo, "=<": .lessThanOrEqualTo, ">=": .greaterThanOrEqualTo, "=>": .greaterThanOrEqualTo,
    ]

    private static let wordOperators: [String: NSComparisonPredicate.Operator] = [
        "IN": .in, "CONTAINS": .contains, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "LIKE": .like,
        "MATCHES": .matches, "BETWEEN": .between,
    ]

    private mutating func comparisonOperator() throws -> (NSComparisonPredicate.Operator, selector: String?)? {
        switch token {
        case .symbol(let symbol):
            guard let type = Self.symbolOperators[symbol] else { return nil }
            try advance()
            return (type, nil)
        case .word(let word, false):
            if let type = Self.wordOperators[word.uppercased()] {
                try advance()
                return (type, nil)
            }
            guard word.hasSuffix(":") else { return nil }
            try advance()
            return (.customSelector, word)
        default: return nil
        }
    }

    private mutating func comparisonOptions() throws -> NSComparisonPredicate.Options {
        guard isSymbol("[") else { return [] }
        try advance()
        guard case .word(let letters, _) = token else { throw unexpected("options such as [cd]") }
        var options: NSComparisonPredicate.Options = []
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            case "n": options.insert(.normalized)
            case "l": options.insert(.localeSensitive)
            default: throw unexpected("options made of the letters c, d, n and l")
            }
        }
        try advance()
        try expect("]")
        return options
    }
}
