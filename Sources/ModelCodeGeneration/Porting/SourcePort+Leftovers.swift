extension SourcePort {
    /// What is left to be changed by hand.
    static func leftovers(_ source: PortableSource) -> [PortedSource.Leftover] {
        var found: [PortedSource.Leftover] = overridesInExtensions(source).map { line, isClassHere in
            PortedSource.Leftover(
                line: line,
                sentence: "an override in an extension needs Objective-C; move it into the class, which is "
                    + (isClassHere ? "compiled under other conditions" : "in another file"))
        }
        found += renamedClasses(source) + initializersInExtensions(source) + expressions(source)
        return found.sorted { $0.line < $1.line }
    }

    private static func expressions(_ source: PortableSource) -> [PortedSource.Leftover] {
        var found: [PortedSource.Leftover] = []
        for index in source.tokens.indices {
            let token = source.tokens[index]
            for range in token.interpolations {
                let line = token.line + source.scalars[token.range.lowerBound..<range.lowerBound].count { $0 == "\n" }
                found += expressions(PortableSource(source.text(range))).map { inner in
                    PortedSource.Leftover(line: line + inner.line - 1, sentence: inner.sentence)
                }
            }
            guard let sentence = sentence(source, index) else { continue }
            found.append(PortedSource.Leftover(line: token.line, sentence: sentence))
        }
        return found
    }

    /// Classes of models whose name for Objective-C is another than Swift's, as in `@objc(LIBBook) class Book`.
    private static func renamedClasses(_ source: PortableSource) -> [PortedSource.Leftover] {
        let tokens = source.allTokens.filter { !$0.isDirective }
        return tokens.indices.dropLast(4).compactMap { index in
            guard tokens[index].isSymbol("@"), tokens[index + 1].isWord("objc"), tokens[index + 2].isSymbol("("),
                let name = tokens[index + 3].name, tokens[index + 4].isSymbol(")"),
                let word = (index + 5..<tokens.count).first(where: { !isModifier($0, in: tokens) }),
                tokens[word].isWord("class"), word + 3 < tokens.count, let own = tokens[word + 1].name, own != name,
                tokens[word + 2].isSymbol(":"), isNamedByModels(tokens[word + 3])
            else { return nil }
            return PortedSource.Leftover(
                line: tokens[word].line,
                sentence:
                    "models know the class \(own) as \(name) on Apple's platforms alone; give it that name, or let "
                    + "them name \(own)")
        }
    }

    /// Whether a token belongs to what stands between an attribute and the word `class`.
    private static func isModifier(_ index: Int, in tokens: [SwiftToken]) -> Bool {
        if tokens[index].isSymbol("@") || tokens[index - 1].isSymbol("@") { return true }
        return ["public", "open", "internal", "package", "private", "fileprivate", "final"].contains {
            tokens[index].isWord($0)
        }
    }

    /// Whether a class with this superclass is one that models or mapping models name.
    private static func isNamedByModels(_ superclass: SwiftToken) -> Bool {
        guard let name = superclass.name else { return false }
        return ["NSManagedObject", "NSEntityMigrationPolicy"].contains(name)
            || !name.hasPrefix("NS") && !name.hasPrefix("UI")
    }

    private static func sentence(_ source: PortableSource, _ index: Int) -> String? {
        let token = source.tokens[index]
        if token.isSymbol("#"), let name = source.token(index + 1)?.name, source.token(index + 2)?.isSymbol("(") == true
        {
            switch name {
            case "selector":
                return "#selector needs Objective-C; use the variant of the method with a closure, such as "
                    + "addObserver(forName:object:queue:using:)"
            case "keyPath": return "#keyPath needs Objective-C; write the key as a string"
            default: return nil
            }
        }
        if isRequestType(source, index + 1), token.isWord("is") || token.isWord("as") {
            return "a fetch request can't be cast to another result type here; use NSFetchRequest<…>.converted(…)"
        }
        if token.isWord("optional"), ["func", "var"].contains(where: { source.token(index + 1)?.isWord($0) == true }),
            source.body(around: index)?.keyword == "protocol"
        {
            return "an optional requirement of a protocol needs Objective-C; give it an implementation in an extension"
        }
        if token.isWord("arguments"), source.token(index + 1)?.isSymbol(":") == true, isFormatArgument(source, index) {
            return "there are no CVaListPointers here; pass the arguments as argumentArray"
        }
        if isModelOfOtherBundle(source, index) {
            return
                "the resources of a package are in Bundle.module, where the plugin GenerateModels puts the .momd that "
                + "code asks for"
        }
        if token.isWord("func"), isValidationOfKey(source, index + 1) {
            return "validate<Key> methods aren't called by name here; call it in an override of "
                + "validateValue(_:forKey:)"
        }
        return nil
    }

    /// Whether `Bundle.main` or `Bundle(for:)` is asked for a compiled model, with a token as its extension.
    private static func isModelOfOtherBundle(_ source: PortableSource, _ index: Int) -> Bool {
        guard case .literal = source.tokens[index].kind, source.tokens[index].text == "\"momd\"",
            let open = source.enclosingBracket(around: index), source.token(open - 2)?.isSymbol(".") == true
        else { return false }
        if source.token(open - 3)?.isWord("main") == true { return source.token(open - 5)?.isWord("Bundle") == true }
        guard source.token(open - 3)?.isSymbol(")") == true, let start = source.opening(open - 3) else { return false }
        return source.token(start - 1)?.isWord("Bundle") == true && source.token(start + 1)?.isWord("for") == true
    }

    /// Whether a method checks a value of the property that its name has.
    private static func isValidationOfKey(_ source: PortableSource, _ index: Int) -> Bool {
        guard let name = source.token(index)?.name, name.hasPrefix("validate"), name != "validateValue",
            source.token(index + 1)?.isSymbol("(") == true
        else { return false }
        return (index + 2..<index + 6).contains {
            source.token($0)?.isWord("AutoreleasingUnsafeMutablePointer") == true
        }
    }

    private static func isRequestType(_ source: PortableSource, _ index: Int) -> Bool {
        var next = index
        if let mark = source.token(next), mark.isSymbol("?") || mark.isSymbol("!") { next += 1 }
        guard source.token(next)?.isWord("NSFetchRequest") == true, source.token(next + 1)?.isSymbol("<") == true
        else { return false }
        // A coercion of what a method returns chooses the method.
        return source.token(index - 1)?.isWord("as") != true || next > index
            || source.token(index - 2)?.isSymbol(")") != true
    }
}
