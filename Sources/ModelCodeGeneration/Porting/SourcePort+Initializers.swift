extension SourcePort {
    /// `init(context:)` of a class, which is `required` where the class has no runtime to be found by.
    static func requiredInitializerEdits(_ source: PortableSource) -> [SourceEdit] {
        source.tokens.indices.flatMap { index -> [SourceEdit] in
            guard let body = contextInitializer(source, index), body.keyword == "class" else { return [] }
            let words = modifiers(source, before: index)
            guard !words.contains(where: { $0.isWord("required") }) else { return [] }
            let isPublic = ["public", "open"].contains { isModifier($0, of: body, source) }
            let needsAccess = isPublic && !words.contains { $0.isWord("public") || $0.isWord("open") }
            var edits = words.filter { $0.isWord("private") || $0.isWord("fileprivate") }.map {
                SourceEdit(range: source.rangeWithSpace(of: $0), text: "")
            }
            let start = (words.first { $0.isWord("convenience") } ?? source.tokens[index]).range.lowerBound
            edits.append(SourceEdit(range: start..<start, text: (needsAccess ? "public " : "") + "required "))
            return edits
        }
    }

    /// Those in extensions of classes elsewhere, where they can't be `required`.
    static func initializersInExtensions(_ source: PortableSource) -> [PortedSource.Leftover] {
        source.tokens.indices.compactMap { index in
            guard contextInitializer(source, index)?.keyword == "extension" else { return nil }
            return PortedSource.Leftover(
                line: source.tokens[index].line,
                sentence: "init(context:) in an extension overrides that of the class; move it into the class, as "
                    + "'required convenience init(context:)'")
        }
    }

    /// Whether a token begins an `init(context:)` of a class of managed objects.
    static func isContextInitializer(_ source: PortableSource, _ index: Int) -> Bool {
        contextInitializer(source, index) != nil
    }

    private static func contextInitializer(_ source: PortableSource, _ index: Int) -> PortableSource.Body? {
        guard source.tokens[index].isWord("init"), source.token(index + 1)?.isSymbol("(") == true,
            source.token(index + 2)?.isWord("context") == true, let close = source.closing(index + 1)
        else { return nil }
        let isNamed = source.token(index + 3)?.name != nil
        let colon = index + (isNamed ? 4 : 3)
        guard source.token(colon)?.isSymbol(":") == true,
            source.token(colon + 1)?.isWord("NSManagedObjectContext") == true,
            close == colon + 2, let body = source.body(around: index), isManaged(body, source, initializer: close)
        else { return nil }
        return body
    }

    /// Whether a class inherits from `NSManagedObject`, or its initializer calls the one with an entity.
    private static func isManaged(_ body: PortableSource.Body, _ source: PortableSource, initializer close: Int) -> Bool
    {
        if source.token(body.index + 2)?.isSymbol(":") == true,
            source.token(body.index + 3)?.isWord("NSManagedObject") == true
        {
            return true
        }
        guard let open = source.tokens[close...].firstIndex(where: { $0.isSymbol("{") }), let end = source.closing(open)
        else { return false }
        return (open..<end).contains {
            source.tokens[$0].isWord("init") && source.token($0 + 1)?.isSymbol("(") == true
                && source.token($0 + 2)?.isWord("entity") == true
        }
    }

    private static func modifiers(_ source: PortableSource, before index: Int) -> [SwiftToken] {
        var words: [SwiftToken] = []
        var before = index - 1
        while let token = source.token(before), let name = token.name, declarationModifiers.contains(name) {
            words.insert(token, at: 0)
            before -= 1
        }
        return words
    }

    private static func isModifier(_ word: String, of body: PortableSource.Body, _ source: PortableSource) -> Bool {
        modifiers(source, before: body.index).contains { $0.isWord(word) }
    }
}
