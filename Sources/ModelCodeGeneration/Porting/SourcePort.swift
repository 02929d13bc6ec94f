/// Changes model classes written for Apple's platforms so that they build elsewhere, and there as before.
///
/// Attributes of Objective-C go between `#if canImport(ObjectiveC)` and `#endif`, and `@NSManaged` members, and the classes
/// that they are in, lose `private` and `fileprivate`.
package enum SourcePort {
    /// A place in the source and what comes there.
    private struct Edit {
        var range: Range<Int>
        var text: String
    }

    /// The source with the changes; the same when it needs none.
    ///
    /// - Parameter file: Its path, which the result doesn't depend on.
    package static func ported(_ source: String, file: String = "") -> String {
        let scalars = Array(source.unicodeScalars)
        let tokens = ConditionalSource.active(SwiftLexer.tokens(of: source))
        var edits = objectiveCEdits(tokens, scalars)
        edits += privacyEdits(SourceScanner.scan(source, file: file), scalars)
        var result = ""
        var position = 0
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where edit.range.lowerBound >= position {
            result.unicodeScalars.append(contentsOf: scalars[position..<edit.range.lowerBound])
            result += edit.text
            position = edit.range.upperBound
        }
        result.unicodeScalars.append(contentsOf: scalars[position...])
        return result
    }

    // MARK: Objective-C

    private static func objectiveCEdits(_ tokens: [SwiftToken], _ scalars: [Unicode.Scalar]) -> [Edit] {
        var edits: [Edit] = []
        var index = 0
        while index + 1 < tokens.count {
            let (sign, name) = (tokens[index], tokens[index + 1])
            index += 1
            guard sign.isSymbol("@"), ["objc", "objcMembers"].contains(where: name.isWord) else { continue }
            var end = name.range.upperBound
            if index + 1 < tokens.count, tokens[index + 1].isSymbol("("), tokens[index + 1].range.lowerBound == end,
                let close = tokens[(index + 1)...].first(where: { $0.isSymbol(")") })
            {
                end = close.range.upperBound
            }
            edits.append(wrapping(sign.range.lowerBound..<end, scalars))
        }
        return edits
    }

    /// Puts an attribute on a line of its own, between conditions.
    private static func wrapping(_ attribute: Range<Int>, _ scalars: [Unicode.Scalar]) -> Edit {
        let indentation = indentation(before: attribute.lowerBound, scalars)
        var start = attribute.lowerBound
        while start > 0, scalars[start - 1] == " " || scalars[start - 1] == "\t" { start -= 1 }
        let startsLine = start == 0 || scalars[start - 1] == "\n"
        var end = attribute.upperBound
        while end < scalars.count, scalars[end] == " " || scalars[end] == "\t" { end += 1 }
        let endsLine = end == scalars.count || scalars[end] == "\n" || scalars[end] == "\r"
        var text = startsLine ? "" : "\n"
        text += "#if canImport(ObjectiveC)\n\(indentation)"
        text.unicodeScalars.append(contentsOf: scalars[attribute])
        text += "\n#endif"
        if !endsLine { text += "\n" + indentation }
        return Edit(range: start..<end, text: text)
    }

    /// The spaces that the line of a place begins with.
    private static func indentation(before place: Int, _ scalars: [Unicode.Scalar]) -> String {
        let start = scalars[..<place].lastIndex(of: "\n").map { $0 + 1 } ?? 0
        return String(String.UnicodeScalarView(scalars[start...].prefix { $0 == " " || $0 == "\t" }))
    }

    // MARK: Privacy

    private static func privacyEdits(_ declarations: ManagedDeclarations, _ scalars: [Unicode.Scalar]) -> [Edit] {
        var tokens: Set<SwiftToken> = []
        for member in declarations.members {
            if let privacy = member.privacy { tokens.insert(privacy) }
            for type in declarations.types where member.owner == type.name || member.owner.hasPrefix(type.name + ".") {
                if let privacy = type.privacy { tokens.insert(privacy) }
            }
        }
        return tokens.map { token in
            var end = token.range.upperBound
            while end < scalars.count, scalars[end] == " " { end += 1 }
            return Edit(range: token.range.lowerBound..<end, text: "")
        }
    }
}
