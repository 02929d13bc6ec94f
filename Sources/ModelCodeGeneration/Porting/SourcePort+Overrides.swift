extension SourcePort {
    /// A class or extension at the top of a file.
    private struct Body {
        /// With the types around it, as in `extension Shop.Book`.
        let name: String
        let isExtension: Bool
        /// Whether it holds for some types of a generic class alone.
        let isConstrained: Bool
        /// The indices of its braces.
        let open: Int
        let close: Int
    }

    static let declarationModifiers: Set<String> = [
        "public", "open", "internal", "package", "private", "fileprivate", "final", "dynamic", "override", "class",
        "static", "required", "convenience", "nonisolated", "lazy", "mutating",
    ]

    // MARK: Privacy

    /// The privacy of initializers that override: without the runtime they may not be less visible than what they
    /// override.
    static func privateOverrideEdits(_ source: PortableSource) -> [SourceEdit] {
        var edits: [SourceEdit] = []
        for index in source.tokens.indices where source.tokens[index].isWord("init") {
            var words: [SwiftToken] = []
            var before = index - 1
            while let token = source.token(before), let name = token.name, declarationModifiers.contains(name) {
                words.append(token)
                before -= 1
            }
            guard words.contains(where: { $0.isWord("override") }) else { continue }
            for word in words where word.isWord("private") || word.isWord("fileprivate") {
                edits.append(SourceEdit(range: source.rangeWithSpace(of: word), text: ""))
            }
        }
        return edits
    }

    // MARK: Extensions

    /// Moves overrides from extensions into their class, if it is in the same file and compiled under the same
    /// conditions.
    static func overrideEdits(_ source: PortableSource) -> [SourceEdit] {
        let bodies = bodies(source)
        var edits: [SourceEdit] = []
        for body in bodies where body.isExtension && !body.isConstrained {
            guard let type = bodies.first(where: { !$0.isExtension && $0.name == body.name }) else { continue }
            for member in overrides(source, in: body)
            where source.branches[member.lowerBound] == source.branches[type.close] {
                let range = wholeLines(source, member)
                var text = source.text(range)
                if text.hasSuffix("\n") { text.removeLast() }
                edits.append(SourceEdit(range: range, text: ""))
                edits.append(insertion(source, of: text, before: type.close))
            }
        }
        // Several go to one position, in their order.
        let byRange = Dictionary(grouping: edits, by: \.range)
        return byRange.map { range, edits in SourceEdit(range: range, text: edits.map(\.text).joined()) }
    }

    /// The lines of overrides that stand in extensions, and whether their class is in the same file.
    static func overridesInExtensions(_ source: PortableSource) -> [(line: Int, isClassHere: Bool)] {
        let bodies = bodies(source)
        return bodies.filter(\.isExtension).flatMap { body in
            let isClassHere = bodies.contains { !$0.isExtension && $0.name == body.name }
            return overrides(source, in: body).filter { source.tokens[$0].contains { $0.isWord("override") } }
                .map { (source.tokens[$0.lowerBound].line, isClassHere) }
        }
    }

    private static func bodies(_ source: PortableSource) -> [Body] {
        var result: [Body] = []
        var index = 0
        while let token = source.token(index) {
            if token.isSymbol("{") {
                index = (source.closing(index) ?? source.tokens.count) + 1
                continue
            }
            let isExtension = token.isWord("extension")
            if isExtension || token.isWord("class"), let name = qualifiedName(source, index + 1),
                let open = source.tokens[index...].firstIndex(where: { $0.isSymbol("{") }),
                let close = source.closing(open)
            {
                let isConstrained = isExtension && source.tokens[index..<open].contains { $0.isWord("where") }
                result.append(
                    Body(
                        name: name, isExtension: isExtension, isConstrained: isConstrained, open: open, close: close))
                index = close
            }
            index += 1
        }
        return result
    }

    private static func qualifiedName(_ source: PortableSource, _ index: Int) -> String? {
        guard var name = source.token(index)?.name else { return nil }
        var index = index + 1
        while source.token(index)?.isSymbol(".") == true, let inner = source.token(index + 1)?.name {
            name += "." + inner
            index += 2
        }
        return name
    }

    /// The tokens of the members with `override`.
    private static func overrides(_ source: PortableSource, in body: Body) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var index = body.open + 1
        while index < body.close {
            let token = source.tokens[index]
            if token.isSymbol("{") || token.isSymbol("(") || token.isSymbol("[") {
                index = (source.closing(index) ?? body.close) + 1
                continue
            }
            if token.isWord("override") || isContextInitializer(source, index),
                let end = endOfMember(source, from: index, before: body.close)
            {
                result.append(startOfMember(source, index, after: body.open)..<(end + 1))
                index = end
            }
            index += 1
        }
        return result
    }

    private static func startOfMember(_ source: PortableSource, _ index: Int, after open: Int) -> Int {
        var start = index
        while start - 1 > open {
            let token = source.tokens[start - 1]
            if let name = token.name, declarationModifiers.contains(name) {
                start -= 1
            } else if token.name != nil, source.token(start - 2)?.isSymbol("@") == true {
                start -= 2
            } else {
                break
            }
        }
        return start
    }

    private static func endOfMember(_ source: PortableSource, from index: Int, before close: Int) -> Int? {
        var end = index
        while end < close {
            let token = source.tokens[end]
            if token.isSymbol("{") { return source.closing(end) }
            if token.isSymbol("(") || token.isSymbol("[") { end = source.closing(end) ?? close }
            end += 1
        }
        return nil
    }

    /// The lines that tokens stand on, with the comments right above them.
    private static func wholeLines(_ source: PortableSource, _ member: Range<Int>) -> Range<Int> {
        let scalars = source.scalars
        func startOfLine(_ position: Int) -> Int { scalars[..<position].lastIndex(of: "\n").map { $0 + 1 } ?? 0 }
        var start = startOfLine(source.tokens[member.lowerBound].range.lowerBound)
        // The rest of a line that something else stands on stays.
        if let before = source.token(member.lowerBound - 1), before.range.upperBound > start {
            return source.tokens[member.lowerBound].range
                .lowerBound..<source.tokens[member.upperBound - 1].range.upperBound
        }
        while start > 0 {
            let previous = startOfLine(start - 1)
            let line = source.text(previous..<(start - 1)).drop { $0 == " " || $0 == "\t" }
            guard line.hasPrefix("//"), !line.hasPrefix("// MARK") else { break }
            start = previous
        }
        var end = source.tokens[member.upperBound - 1].range.upperBound
        while end < scalars.count, scalars[end] != "\n" {
            // Something else on the line of the brace.
            guard scalars[end] == " " || scalars[end] == "\t" || scalars[end] == "\r" else { return start..<end }
            end += 1
        }
        return start..<min(end + 1, scalars.count)
    }

    private static func insertion(_ source: PortableSource, of text: String, before close: Int) -> SourceEdit {
        let brace = source.tokens[close].range.lowerBound
        var start = brace
        while start > 0, source.scalars[start - 1] == " " || source.scalars[start - 1] == "\t" { start -= 1 }
        let startsLine = start == 0 || source.scalars[start - 1] == "\n"
        let position = startsLine ? start : brace
        return SourceEdit(range: position..<position, text: "\n\(text)\n")
    }
}
