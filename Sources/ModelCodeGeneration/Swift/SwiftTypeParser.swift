/// Reads types that properties of managed objects can have. Closures, tuples and constrained types aren't among them.
struct SwiftTypeParser {
    private static let deepest = 32

    private let tokens: [SwiftToken]
    /// The token behind what was read.
    private(set) var index: Int
    private var depth = 0

    init(_ tokens: [SwiftToken], at index: Int) {
        self.tokens = tokens
        self.index = index
    }

    /// The type that all of a text spells.
    static func type(_ text: String) -> SwiftType? {
        let tokens = SwiftLexer.tokens(of: text)
        var parser = SwiftTypeParser(tokens, at: 0)
        guard let type = parser.parse(), parser.index == tokens.count else { return nil }
        return type
    }

    /// Reads a type; `nil` if the text isn't one of the supported types.
    mutating func parse() -> SwiftType? {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.deepest, var type = primary() else { return nil }
        // A postfix operator stands at the type, not in the next line.
        while let token = current, token.isSymbol("?") || token.isSymbol("!"), !token.startsLine {
            index += 1
            type = .optional(type)
        }
        if let token = current, token.isSymbol("&") || token.isSymbol("->") { return nil }
        return type
    }

    private var current: SwiftToken? { index < tokens.count ? tokens[index] : nil }

    private mutating func take(_ symbol: String) -> Bool {
        guard let current, current.isSymbol(symbol) else { return false }
        index += 1
        return true
    }

    private mutating func primary() -> SwiftType? {
        if take("[") { return bracketed() }
        if take("(") {
            guard let type = parse(), take(")") else { return nil }
            return type
        }
        let isExistential = current?.isWord("any") == true
        if isExistential { index += 1 }
        guard let type = name(), !isExistential || type == .any || type == .anyObject else { return nil }
        return type
    }

    private mutating func bracketed() -> SwiftType? {
        guard let first = parse() else { return nil }
        if take("]") { return .array(first) }
        guard take(":"), let second = parse(), take("]") else { return nil }
        return .dictionary(first, second)
    }

    private mutating func name() -> SwiftType? {
        var path: [String] = []
        repeat {
            guard let name = current?.name, path.isEmpty || current?.startsLine == false else { return nil }
            index += 1
            path.append(name)
        } while take(".")
        var arguments: [SwiftType] = []
        if take("<") {
            repeat {
                guard let argument = parse() else { return nil }
                arguments.append(argument)
            } while take(",")
            guard take(">") else { return nil }
        }
        return Self.normalized(path, arguments)
    }

    private static func normalized(_ path: [String], _ arguments: [SwiftType]) -> SwiftType {
        var path = path
        if path.count > 1, path[0] == "Swift" { path.removeFirst() }
        switch path {
        case ["Any"] where arguments.isEmpty: return .any
        case ["AnyObject"] where arguments.isEmpty: return .anyObject
        case ["Optional"] where arguments.count == 1: return .optional(arguments[0])
        default: return .named(path, arguments)
        }
    }
}
