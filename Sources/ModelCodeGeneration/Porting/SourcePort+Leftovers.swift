extension SourcePort {
    /// What is left to be changed by hand.
    static func leftovers(_ source: PortableSource) -> [PortedSource.Leftover] {
        var found: [PortedSource.Leftover] = overridesInExtensions(source).map { line in
            PortedSource.Leftover(
                line: line,
                sentence:
                    "an override in an extension needs Objective-C; move it into the class, which is in another file")
        }
        for index in source.tokens.indices {
            guard let sentence = sentence(source, index) else { continue }
            found.append(PortedSource.Leftover(line: source.tokens[index].line, sentence: sentence))
        }
        return found.sorted { $0.line < $1.line }
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
        if token.isWord("optional"), ["func", "var"].contains(where: { source.token(index + 1)?.isWord($0) == true }) {
            return "an optional requirement of a protocol needs Objective-C; give it an implementation in an extension"
        }
        if token.isWord("arguments"), source.token(index + 1)?.isSymbol(":") == true, isFormatArgument(source, index) {
            return "there are no CVaListPointers here; pass the arguments as argumentArray"
        }
        if token.isWord("func"), isValidationOfKey(source, index + 1) {
            return "validate<Key> methods aren't called by name here; call it in an override of "
                + "validateValue(_:forKey:)"
        }
        return nil
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
        var place = index
        if let mark = source.token(place), mark.isSymbol("?") || mark.isSymbol("!") { place += 1 }
        guard source.token(place)?.isWord("NSFetchRequest") == true, source.token(place + 1)?.isSymbol("<") == true
        else { return false }
        // A coercion of what a method returns chooses the method.
        return source.token(index - 1)?.isWord("as") != true || place > index
            || source.token(index - 2)?.isSymbol(")") != true
    }
}
