/// Finds the types and the `@NSManaged` members of a Swift file.
///
/// It looks at what stands at the level of declarations and skips every body, so it needs to know little of the language.
struct SourceScanner {
    /// Types nested more deeply than this are skipped.
    private static let deepest = 32

    private let file: String
    let tokens: [SwiftToken]
    var index = 0
    private(set) var found = ManagedDeclarations()
    private var scopes: [Scope] = []
    private var modifiers = Modifiers()
    /// The tokens behind attributes that only Apple's platforms compile.
    private var appleAttributes: [SwiftToken: Set<String>] = [:]

    /// A type or extension whose braces are open.
    private struct Scope {
        var name: String
        var isExtension: Bool
        var isGeneric: Bool
        var isPrivate: Bool
        var isPublic: Bool
        var objectiveC: SwiftToken?
        /// Whether `@objcMembers`, or `@objc` of an extension, makes its members known to key-value coding.
        var exposesMembers: Bool
        var isIsolated: Bool
        /// The `private` of an extension, whose members it makes private.
        var privacy: SwiftToken?
    }

    /// What stands in front of a declaration.
    private struct Modifiers {
        var isManaged = false
        var isStatic = false
        var isPublic = false
        /// The attributes in front of it that only Apple's platforms compile: `objc`, `objcMembers`.
        var appleAttributes: Set<String> = []
        /// Whether it belongs to a global actor.
        var isIsolated = false
        var privacy: SwiftToken?
        var objectiveC: SwiftToken?
        var line: Int?
    }

    static func scan(_ source: String, file: String) -> ManagedDeclarations {
        let tokens = SwiftLexer.tokens(of: source)
        var scanner = SourceScanner(file: file, tokens: ConditionalSource.active(tokens))
        scanner.appleAttributes = ConditionalSource.appleAttributes(tokens)
        scanner.run()
        return scanner.found
    }

    private init(file: String, tokens: [SwiftToken]) {
        self.file = file
        self.tokens = tokens
    }

    // MARK: Tokens

    var current: SwiftToken? { index < tokens.count ? tokens[index] : nil }
    func peek(_ offset: Int) -> SwiftToken? { index + offset < tokens.count ? tokens[index + offset] : nil }

    mutating func take(_ symbol: String) -> Bool {
        guard let current, current.isSymbol(symbol) else { return false }
        index += 1
        return true
    }

    /// Skips from an opening bracket to behind the closing one.
    mutating func skipBrackets() {
        var depth = 0
        while let token = current {
            if case .symbol = token.kind {
                if "([{".contains(token.text) { depth += 1 }
                if ")]}".contains(token.text) { depth -= 1 }
            }
            index += 1
            if depth <= 0 { return }
        }
    }

    /// Skips what stands between brackets, and takes down the `@NSManaged` members of classes that are declared there.
    private mutating func skipBody() {
        let start = index
        skipBrackets()
        var className: String?
        for position in start..<index {
            let next = position + 1 < index ? tokens[position + 1] : nil
            if tokens[position].isWord("class"), let name = next?.name { className = name }
            guard tokens[position].isSymbol("@"), next?.isWord("NSManaged") == true else { continue }
            let keyword = tokens[position..<index].firstIndex { $0.isWord("var") || $0.isWord("func") }
            found.localMembers.append(
                ManagedDeclarations.LocalMember(
                    className: className, name: keyword.flatMap { $0 + 1 < index ? tokens[$0 + 1].name : nil },
                    file: file, line: tokens[position].line))
        }
    }

    /// Skips generic parameters, if there are some.
    mutating func skipGenerics() -> Bool {
        guard current?.isSymbol("<") == true else { return false }
        var depth = 0
        while let token = current {
            if token.isSymbol("<") { depth += 1 }
            if token.isSymbol(">") { depth -= 1 }
            index += 1
            if depth == 0 { break }
        }
        return true
    }

    // MARK: Declarations

    private mutating func run() {
        while let token = current {
            if let attributes = appleAttributes[token] { modifiers.appleAttributes.formUnion(attributes) }
            switch token.kind {
            case .symbol: takeSymbol(token)
            case .word: takeWord(token)
            case .quotedWord, .literal, .directive:
                index += 1
                modifiers = Modifiers()
            }
        }
    }

    private mutating func takeSymbol(_ token: SwiftToken) {
        switch token.text {
        case "@": takeAttribute(token)
        case "}":
            index += 1
            if !scopes.isEmpty { scopes.removeLast() }
            modifiers = Modifiers()
        case "{", "(", "[":
            skipBody()
            modifiers = Modifiers()
        default:
            index += 1
            modifiers = Modifiers()
        }
    }

    private mutating func takeAttribute(_ token: SwiftToken) {
        if modifiers.line == nil { modifiers.line = token.line }
        index += 1
        guard let name = current?.name else { return }
        if ["objc", "objcMembers", "NSManaged"].contains(name), current?.range.lowerBound == token.range.upperBound {
            if name == "NSManaged" { modifiers.isManaged = true } else { modifiers.objectiveC = current }
        }
        if name.hasSuffix("Actor") { modifiers.isIsolated = true }
        index += 1
        while take(".") { index += 1 }
        // Arguments follow without a space; a parenthesis behind one belongs to what comes next.
        if let open = current, open.isSymbol("("), index > 0,
            tokens[index - 1].range.upperBound == open.range.lowerBound
        {
            skipBrackets()
        }
    }

    private mutating func takeWord(_ token: SwiftToken) {
        if modifiers.line == nil { modifiers.line = token.line }
        switch token.text {
        case "private", "fileprivate":
            index += 1
            if current?.isSymbol("(") == true { skipBrackets() } else { modifiers.privacy = token }
        case "public", "open":
            index += 1
            if current?.isSymbol("(") == true { skipBrackets() } else { modifiers.isPublic = true }
        case "internal", "package", "final", "dynamic", "override", "lazy", "weak", "unowned", "nonisolated",
            "required",
            "convenience", "mutating", "nonmutating", "indirect", "optional":
            index += 1
            if current?.isSymbol("(") == true { skipBrackets() }
        case "static":
            index += 1
            modifiers.isStatic = true
        case "class":
            if let next = peek(1), ["func", "var", "let", "subscript"].contains(where: next.isWord) {
                index += 1
                modifiers.isStatic = true
            } else {
                takeType(.class)
            }
        case "actor" where peek(1)?.name != nil: takeType(.class)
        case "struct": takeType(.struct)
        case "enum": takeType(.enum)
        case "protocol", "extension": takeExtension()
        case "typealias": takeAlias()
        case "var": takeProperty()
        case "func": takeMethod()
        default:
            index += 1
            modifiers = Modifiers()
        }
    }

    /// Behind the colon of a type, up to its brace.
    private mutating func inheritedTypes() -> [SwiftType] {
        var result: [SwiftType] = []
        guard take(":") else { return result }
        repeat {
            while take("@") { index += 1 }
            var parser = SwiftTypeParser(tokens, at: index)
            guard let type = parser.parse() else { break }
            index = parser.index
            result.append(type)
        } while take(",")
        return result
    }

    /// Continues to the opening brace of a type or extension; false if it has none, or isn't scanned.
    private mutating func openBrace() -> Bool {
        while let token = current, !token.isSymbol("{"), !token.isSymbol("}") { index += 1 }
        guard scopes.count < Self.deepest else {
            if current?.isSymbol("{") == true { skipBrackets() }
            return false
        }
        return take("{")
    }

    private mutating func takeType(_ kind: NominalType.Kind) {
        let modifiers = modifiers
        self.modifiers = Modifiers()
        let line = current?.line ?? 1
        index += 1
        guard let name = current?.name else { return }
        index += 1
        let outer = scopes.last
        let isGeneric = skipGenerics() || outer?.isGeneric == true
        let inherited = inheritedTypes()
        guard openBrace() else { return }
        let scope = Scope(
            name: (outer.map { $0.name + "." } ?? "") + name, isExtension: false, isGeneric: isGeneric,
            isPrivate: modifiers.privacy != nil || outer?.isPrivate == true,
            isPublic: modifiers.isPublic && outer?.isPublic != false, objectiveC: modifiers.objectiveC,
            exposesMembers: modifiers.appleAttributes.contains("objcMembers"), isIsolated: modifiers.isIsolated)
        scopes.append(scope)
        found.types.append(
            ManagedDeclarations.DeclaredType(
                name: scope.name, kind: kind, inherited: inherited, isGeneric: isGeneric, isPrivate: scope.isPrivate,
                isPublic: scope.isPublic, isIsolated: scope.isIsolated, privacy: modifiers.privacy,
                objectiveC: modifiers.objectiveC, file: file,
                line: line))
    }

    private mutating func takeExtension() {
        let modifiers = modifiers
        self.modifiers = Modifiers()
        index += 1
        var path: [String] = []
        repeat {
            guard let name = current?.name else { break }
            index += 1
            path.append(name)
        } while take(".")
        guard openBrace() else { return }
        scopes.append(
            Scope(
                name: path.joined(separator: "."), isExtension: true, isGeneric: false,
                isPrivate: false, isPublic: modifiers.isPublic, objectiveC: modifiers.objectiveC,
                exposesMembers: !modifiers.appleAttributes.isEmpty, isIsolated: modifiers.isIsolated,
                privacy: modifiers.privacy))
    }

    private mutating func takeAlias() {
        modifiers = Modifiers()
        index += 1
        guard let name = current?.name else { return }
        index += 1
        guard !skipGenerics(), take("=") else { return }
        var parser = SwiftTypeParser(tokens, at: index)
        guard let type = parser.parse() else { return }
        index = parser.index
        found.aliases[(scopes.last.map { $0.name + "." } ?? "") + name] = type
    }

    // MARK: Members

    private func member(_ name: String, _ content: ManagedDeclarations.Member.Content, _ modifiers: Modifiers)
        -> ManagedDeclarations.Member?
    {
        guard modifiers.isManaged, let scope = scopes.last else { return nil }
        return ManagedDeclarations.Member(
            owner: scope.name, isInExtension: scope.isExtension, name: name, content: content,
            isStatic: modifiers.isStatic, isPublic: modifiers.isPublic || scope.isExtension && scope.isPublic,
            privacy: modifiers.privacy ?? scope.privacy,
            objectiveC: modifiers.objectiveC ?? (scope.isExtension ? scope.objectiveC : nil), file: file,
            line: modifiers.line ?? current?.line ?? 1)
    }

    private func keyedProperty(_ name: String, _ modifiers: Modifiers) -> ManagedDeclarations.KeyedProperty? {
        guard let scope = scopes.last, !modifiers.isManaged, !modifiers.isStatic, !modifiers.isIsolated,
            !scope.isIsolated, scope.exposesMembers || modifiers.appleAttributes.contains("objc")
        else { return nil }
        return ManagedDeclarations.KeyedProperty(
            owner: scope.name, isInExtension: scope.isExtension, name: name,
            privacy: modifiers.privacy ?? scope.privacy, file: file, line: modifiers.line ?? current?.line ?? 1)
    }

    private mutating func takeProperty() {
        var modifiers = modifiers
        self.modifiers = Modifiers()
        modifiers.line = current?.line
        // In "var a, b: Int" the type is that of both.
        var names: [String] = []
        repeat {
            index += 1
            guard let name = current?.name else { return }
            index += 1
            names.append(name)
            guard take(":") else { continue }
            var parser = SwiftTypeParser(tokens, at: index)
            let type = parser.parse()
            index = parser.index
            for name in names {
                if let member = member(name, .property(type), modifiers) { found.members.append(member) }
                if let property = keyedProperty(name, modifiers) { found.keyedProperties.append(property) }
            }
            names = []
            if type == nil { return }
        } while current?.isSymbol(",") == true
    }

    private mutating func takeMethod() {
        var modifiers = modifiers
        self.modifiers = Modifiers()
        modifiers.line = current?.line
        index += 1
        guard let name = current?.name else { return }
        index += 1
        guard modifiers.isManaged else { return }
        let isGeneric = skipGenerics()
        let parameters = isGeneric ? nil : methodParameters()
        let returnsValue = current?.isSymbol("->") == true && peek(1)?.isWord("Void") != true
        if let member = member(name, .method(parameters, returnsValue: returnsValue), modifiers) {
            found.members.append(member)
        }
    }

    /// The parameters of a method; `nil` when they are of a kind that no accessor has.
    private mutating func methodParameters() -> [ManagedDeclarations.MethodParameter]? {
        let start = index
        guard take("(") else { return nil }
        var result: [ManagedDeclarations.MethodParameter] = []
        while current?.isSymbol(")") == false {
            guard let first = current?.name else { break }
            index += 1
            let second = current?.name
            if second != nil { index += 1 }
            guard take(":") else { break }
            var parser = SwiftTypeParser(tokens, at: index)
            guard let type = parser.parse() else { break }
            index = parser.index
            result.append(
                ManagedDeclarations.MethodParameter(
                    label: first == "_" ? nil : first, name: second ?? first, type: type))
            if !take(",") { break }
        }
        if take(")") { return result }
        index = start
        skipBrackets()
        return nil
    }
}
