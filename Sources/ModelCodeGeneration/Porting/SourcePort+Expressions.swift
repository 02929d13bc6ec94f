extension SourcePort {
    /// Selectors of the comparison methods, which sort descriptors know by name.
    private static let comparisons: Set<String> = [
        "compare", "caseInsensitiveCompare", "localizedCompare", "localizedCaseInsensitiveCompare",
        "localizedStandardCompare",
    ]

    /// `#keyPath` and `#selector` as string literals, casts of fetch requests as conversions, argument lists as arrays.
    static func expressionEdits(_ source: PortableSource) -> [SourceEdit] {
        var edits: [SourceEdit] = []
        for index in source.tokens.indices {
            edits += source.tokens[index].interpolations.compactMap { interpolationEdit(source, $0) }
            if let edit = selectorNameEdit(source, index) ?? macroEdit(source, index) ?? castEdit(source, index)
                ?? argumentsEdit(source, index)
            {
                edits.append(edit)
            }
        }
        return edits
    }

    // MARK: #keyPath and #selector

    private static func macroEdit(_ source: PortableSource, _ index: Int) -> SourceEdit? {
        guard source.tokens[index].isSymbol("#"), let name = source.token(index + 1)?.name,
            source.token(index + 2)?.isSymbol("(") == true, let close = source.closing(index + 2)
        else { return nil }
        let parts = Array(source.tokens[(index + 3)..<close])
        let text: String? =
            switch name {
            case "keyPath": keyPath(parts).map { "\"\($0)\"" }
            case "selector": selector(parts).map { "NSSelectorFromString(\"\($0)\")" }
            default: nil
            }
        let range = source.tokens[index].range.lowerBound..<source.tokens[close].range.upperBound
        return text.map { SourceEdit(range: range, text: $0) }
    }

    /// The names of a key path without those of the type in front, which begin with a capital.
    private static func keyPath(_ parts: [SwiftToken]) -> String? {
        var names = parts.compactMap(\.name)
        guard !names.isEmpty, parts.allSatisfy({ $0.name != nil || $0.isSymbol(".") }) else { return nil }
        while names.count > 1, names[0].first?.isUppercase == true { names.removeFirst() }
        if names.count > 1, names[0] == "self" { names.removeFirst() }
        return names.joined(separator: ".")
    }

    private static func selector(_ parts: [SwiftToken]) -> String? {
        let names = parts.prefix { !$0.isSymbol("(") }.compactMap(\.name)
        guard let method = names.last, comparisons.contains(method) else { return nil }
        return method + ":"
    }

    /// `NSStringFromSelector(#selector(getter: Book.title))`, the way to write a key before `#keyPath`, or
    /// `String(describing:)` of it.
    private static func selectorNameEdit(_ source: PortableSource, _ index: Int) -> SourceEdit? {
        let isDescription = source.tokens[index].isWord("String")
        guard isDescription || source.tokens[index].isWord("NSStringFromSelector"),
            source.token(index + 1)?.isSymbol("(") == true, let close = source.closing(index + 1),
            !isDescription || source.token(index + 2)?.isWord("describing") == true,
            let accessor = accessorSelector(source, index + (isDescription ? 4 : 2)), accessor.close == close - 1
        else { return nil }
        let range = source.tokens[index].range.lowerBound..<source.tokens[close].range.upperBound
        return SourceEdit(range: range, text: "\"\(accessor.name)\"")
    }

    /// The name of `#selector(getter: Book.title)`, and the index of its parenthesis.
    private static func accessorSelector(_ source: PortableSource, _ index: Int) -> (name: String, close: Int)? {
        guard source.token(index)?.isSymbol("#") == true, source.token(index + 1)?.isWord("selector") == true,
            source.token(index + 2)?.isSymbol("(") == true, let kind = source.token(index + 3)?.name,
            ["getter", "setter"].contains(kind), source.token(index + 4)?.isSymbol(":") == true,
            let close = source.closing(index + 2),
            let name = keyPath(Array(source.tokens[(index + 5)..<close]))?.split(separator: ".").last.map(String.init)
        else { return nil }
        return (kind == "getter" ? name : "set\(SwiftIdentifier.capitalized(name)):", close)
    }

    // MARK: Interpolations

    /// The same changes in an interpolated expression. A key alone becomes a part of the string.
    private static func interpolationEdit(_ source: PortableSource, _ range: Range<Int>) -> SourceEdit? {
        let inner = PortableSource(source.text(range))
        if let accessor = accessorSelector(inner, 0), accessor.close == inner.tokens.count - 1 {
            return SourceEdit(range: wholeInterpolation(source, range), text: accessor.name)
        }
        let edits = expressionEdits(inner)
        guard !edits.isEmpty else { return nil }
        let new = SourceEdit.apply(edits, to: inner.scalars)
        guard let key = plainKey(new) else { return SourceEdit(range: range, text: new) }
        return SourceEdit(range: wholeInterpolation(source, range), text: key)
    }

    /// The range with the parentheses, the backslash, and the number signs of a raw string.
    private static func wholeInterpolation(_ source: PortableSource, _ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound - 1
        repeat { start -= 1 } while start > 0 && source.scalars[start] == "#"
        return start..<range.upperBound + 1
    }

    /// The characters of a string literal that needs no escaping.
    private static func plainKey(_ literal: String) -> String? {
        let literal = literal.drop { $0 == " " }
        guard literal.count > 2, literal.first == "\"", literal.last == "\"" else { return nil }
        let key = literal.dropFirst().dropLast()
        return key.allSatisfy { $0 == "." || $0 == "_" || $0.isLetter || $0.isNumber } ? String(key) : nil
    }

    // MARK: Casts

    /// `request as! NSFetchRequest<Book>`, which can't succeed where generic classes are different classes.
    private static func castEdit(_ source: PortableSource, _ index: Int) -> SourceEdit? {
        guard source.tokens[index].isWord("as"), let mark = source.token(index + 1),
            mark.isSymbol("!") || mark.isSymbol("?"), source.isAdjacent(index, to: index + 1),
            source.token(index + 2)?.isWord("NSFetchRequest") == true, source.token(index + 3)?.isSymbol("<") == true,
            let end = source.closingAngle(index + 3), let start = source.startOfPostfix(endingAt: index - 1)
        else { return nil }
        let value = source.text(from: start, through: index - 1)
        let type = source.text(from: index + 2, through: end)
        let isForced = mark.isSymbol("!")
        let range = source.tokens[start].range.lowerBound..<source.tokens[end].range.upperBound
        if isForced, value.hasSuffix(".fetchRequest()"), type.contains("NSFetchRequestResult") {
            // The method for this result is there, and is found where the type is asked for.
            return SourceEdit(range: range, text: "\(value) as \(type)")
        }
        return SourceEdit(range: range, text: "\(type).converted(\(value))\(isForced ? "!" : "")")
    }

    // MARK: Argument lists

    /// `NSPredicate(format: format, arguments: getVaList(values))`
    private static func argumentsEdit(_ source: PortableSource, _ index: Int) -> SourceEdit? {
        guard source.tokens[index].isWord("arguments"), source.token(index + 1)?.isSymbol(":") == true,
            source.token(index + 2)?.isWord("getVaList") == true, source.token(index + 3)?.isSymbol("(") == true,
            let close = source.closing(index + 3), close > index + 4, isFormatArgument(source, index)
        else { return nil }
        let values = source.text(from: index + 4, through: close - 1)
        return SourceEdit(
            range: source.tokens[index].range.lowerBound..<source.tokens[close].range.upperBound,
            text: "argumentArray: \(values)")
    }

    /// Whether an argument label is one of `NSPredicate(format:…)` or `NSExpression(format:…)`.
    static func isFormatArgument(_ source: PortableSource, _ index: Int) -> Bool {
        var depth = 0
        var before = index - 1
        while let token = source.token(before) {
            if [")", "]", "}"].contains(where: token.isSymbol) { depth += 1 }
            if ["(", "[", "{"].contains(where: token.isSymbol) {
                if depth == 0 {
                    let isFormat = source.token(before + 1)?.isWord("format") == true
                    return isFormat
                        && ["NSPredicate", "NSExpression"].contains { source.token(before - 1)?.isWord($0) == true }
                }
                depth -= 1
            }
            before -= 1
        }
        return false
    }
}
