/// Leaves out what `#if` leaves out off Apple's platforms.
///
/// A condition that depends on how the code is built keeps all its branches.
enum ConditionalSource {
    /// The modules that only Apple's platforms have.
    private static let absentModules: Set<String> = [
        "AppKit", "CloudKit", "Cocoa", "CoreGraphics", "CoreLocation", "CoreSpotlight", "Darwin", "MapKit",
        "ObjectiveC",
        "SwiftData", "SwiftUI", "UIKit", "WatchKit",
    ]
    private static let presentModules: Set<String> = [
        "CoreData", "Dispatch", "Foundation", "FoundationEssentials", "OpenCoreData", "Swift",
    ]
    private static let absentSystems: Set<String> = ["macOS", "OSX", "iOS", "tvOS", "watchOS", "visionOS"]

    /// One `#if` and what is known of its branches.
    private struct Level {
        /// Whether what surrounds it is compiled.
        var isInside: Bool
        /// Whether a branch was certainly taken, so that the rest is not.
        var isDone = false
        var isActive = false
    }

    static func active(_ tokens: [SwiftToken]) -> [SwiftToken] {
        var levels: [Level] = []
        return tokens.filter { token in
            guard case .directive(let directive) = token.kind else { return levels.last?.isActive ?? true }
            switch directive {
            case .if:
                levels.append(Level(isInside: levels.last?.isActive ?? true))
                enter(token.text, &levels)
            case .elseif: enter(token.text, &levels)
            case .else: enter("true", &levels)
            case .endif: if !levels.isEmpty { levels.removeLast() }
            }
            return false
        }
    }

    /// The branch of `#if` that tokens are in, counted from 1; those outside of any have none.
    static func branches(_ tokens: [SwiftToken]) -> [SwiftToken: Int] {
        var (open, count): ([Int], Int) = ([], 0)
        var result: [SwiftToken: Int] = [:]
        for token in tokens {
            guard case .directive(let directive) = token.kind else {
                result[token] = open.last
                continue
            }
            if directive != .if, !open.isEmpty { open.removeLast() }
            if directive == .endif { continue }
            count += 1
            open.append(count)
        }
        return result
    }

    /// Attributes of Objective-C that only Apple's platforms compile, by the token that they stand before, as in
    /// `#if canImport(ObjectiveC)`, `@objc`, `#endif`, `var name: String`.
    static func appleAttributes(_ tokens: [SwiftToken]) -> [SwiftToken: Set<String>] {
        guard tokens.contains(where: { $0.isWord("objc") || $0.isWord("objcMembers") }) else { return [:] }
        let compiled = Set(active(tokens))
        var result: [SwiftToken: Set<String>] = [:]
        var (omitted, found): ([SwiftToken], Set<String>) = ([], [])
        for token in tokens {
            if case .directive = token.kind {
                found.formUnion(attributes(omitted) ?? [])
                omitted = []
            } else if !compiled.contains(token) {
                omitted.append(token)
            } else if !found.isEmpty {
                result[token] = found
                found = []
            }
        }
        return result
    }

    /// The names of attributes, if tokens are nothing else.
    private static func attributes(_ tokens: [SwiftToken]) -> [String]? {
        var (names, index): ([String], Int) = ([], 0)
        while index < tokens.count {
            guard tokens[index].isSymbol("@"), index + 1 < tokens.count, let name = tokens[index + 1].name else {
                return nil
            }
            names.append(name)
            index += 2
            guard index < tokens.count, tokens[index].isSymbol("(") else { continue }
            guard let close = tokens[index...].firstIndex(where: { $0.isSymbol(")") }) else { return nil }
            index = close + 1
        }
        return names
    }

    private static func enter(_ condition: String, _ levels: inout [Level]) {
        guard var level = levels.popLast() else { return }
        let value = value(of: condition)
        level.isActive = level.isInside && !level.isDone && value != false
        if value == true { level.isDone = true }
        levels.append(level)
    }

    /// What a condition is; `nil` if that isn't known.
    static func value(of condition: String) -> Bool? {
        var parser = ConditionParser(tokens: SwiftLexer.tokens(of: condition)) { function, argument in
            switch function {
            case "canImport" where absentModules.contains(argument): false
            case "canImport" where presentModules.contains(argument): true
            case "os" where absentSystems.contains(argument): false
            case "targetEnvironment": false
            case "_runtime" where argument == "_ObjC": false
            default: nil
            }
        }
        return parser.disjunction()
    }
}

/// Works out a condition of `#if` where what it asks may be unknown.
private struct ConditionParser {
    private static let deepest = 32

    let tokens: [SwiftToken]
    let fact: (_ function: String, _ argument: String) -> Bool?
    var index = 0
    var depth = 0

    init(tokens: [SwiftToken], fact: @escaping (String, String) -> Bool?) {
        self.tokens = tokens
        self.fact = fact
    }

    private var current: SwiftToken? { index < tokens.count ? tokens[index] : nil }

    private mutating func take(_ symbols: String...) -> Bool {
        for (offset, symbol) in symbols.enumerated() {
            guard index + offset < tokens.count, tokens[index + offset].isSymbol(symbol) else { return false }
        }
        index += symbols.count
        return true
    }

    mutating func disjunction() -> Bool? {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.deepest else { return nil }
        var result = conjunction()
        while take("|", "|") {
            let next = conjunction()
            result = result == true || next == true ? true : result == nil || next == nil ? nil : false
        }
        return result
    }

    private mutating func conjunction() -> Bool? {
        var result = term()
        while take("&", "&") {
            let next = term()
            result = result == false || next == false ? false : result == nil || next == nil ? nil : true
        }
        return result
    }

    private mutating func term() -> Bool? {
        var isNegated = false
        while take("!") { isNegated.toggle() }
        let value = primary()
        return isNegated ? value.map { !$0 } : value
    }

    private mutating func primary() -> Bool? {
        if take("(") {
            let value = disjunction()
            return take(")") ? value : nil
        }
        guard let word = current?.name else { return nil }
        index += 1
        if word == "true" || word == "false" { return word == "true" }
        guard take("(") else { return nil }
        let argument = current?.name ?? ""
        while current?.isSymbol(")") == false { index += 1 }
        index += 1
        return fact(word, argument)
    }
}
