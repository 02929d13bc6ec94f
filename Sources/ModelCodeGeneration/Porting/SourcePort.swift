/// Changes model classes written for Apple's platforms so that they build elsewhere, and there as before.
///
/// Attributes of Objective-C go between `#if canImport(ObjectiveC)` and `#endif`; `@NSManaged` members, the classes
/// that they are in, and initializers that override lose `private` and `fileprivate`; overrides in extensions move into
/// their class; `#keyPath`, and `#selector` of a comparison, become string literals; casts between fetch requests
/// become conversions; `init(context:)` of a class becomes `required`; files that use Core Data's types without the import
/// get it.
package enum SourcePort {
    /// How often a source is gone over: what a change brings forth may be changed again, as a cast in a cast.
    private static let passes = 8

    /// The source with the changes; the same when it needs none.
    ///
    /// - Parameter file: Its path, which the result doesn't depend on.
    package static func ported(_ source: String, file: String = "") -> String { port(source, file: file).text }

    /// The source with the changes, and what they leave to be done.
    ///
    /// - Parameter file: Its path, which the result doesn't depend on.
    package static func port(_ source: String, file: String = "") -> PortedSource {
        var text = source
        for _ in 1...passes {
            let old = text
            text = change(text) { expressionEdits($0) + privateOverrideEdits($0) + requiredInitializerEdits($0) }
            text = change(text, overrideEdits)
            text = change(text) { objectiveCEdits($0.tokens, $0.scalars) }
            let managed = SourceScanner.scan(text, file: file)
            text = change(text) { privacyEdits(managed, $0) }
            text = change(text, importEdits)
            if text == old { break }
        }
        let source = PortableSource(text)
        let declarations = SourceScanner.scan(text, file: file)
        return PortedSource(
            text: text,
            leftovers: (leftovers(source) + localMembers(declarations)).sorted { $0.line < $1.line },
            hasManagedMembers: !declarations.members.isEmpty, keys: objectKeys(source),
            keyedProperties: declarations.keyedProperties.map { property in
                PortedSource.KeyedProperty(
                    line: property.line, className: property.owner, name: property.name,
                    privacy: property.privacy?.text)
            })
    }

    private static func change(_ text: String, _ edits: (PortableSource) -> [SourceEdit]) -> String {
        let source = PortableSource(text)
        let edits = edits(source)
        return edits.isEmpty ? text : SourceEdit.apply(edits, to: source.scalars)
    }

    // MARK: Objective-C

    private static func objectiveCEdits(_ tokens: [SwiftToken], _ scalars: [Unicode.Scalar]) -> [SourceEdit] {
        var edits: [SourceEdit] = []
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
    private static func wrapping(_ attribute: Range<Int>, _ scalars: [Unicode.Scalar]) -> SourceEdit {
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
        return SourceEdit(range: start..<end, text: text)
    }

    /// The spaces that the line of a position begins with.
    private static func indentation(before position: Int, _ scalars: [Unicode.Scalar]) -> String {
        let start = scalars[..<position].lastIndex(of: "\n").map { $0 + 1 } ?? 0
        return String(String.UnicodeScalarView(scalars[start...].prefix { $0 == " " || $0 == "\t" }))
    }

    // MARK: Privacy

    private static func privacyEdits(_ declarations: ManagedDeclarations, _ source: PortableSource) -> [SourceEdit] {
        var tokens: Set<SwiftToken> = []
        for member in declarations.members {
            if let privacy = member.privacy { tokens.insert(privacy) }
            for type in declarations.types where member.owner == type.name || member.owner.hasPrefix(type.name + ".") {
                if let privacy = type.privacy { tokens.insert(privacy) }
            }
        }
        return tokens.map { SourceEdit(range: source.rangeWithSpace(of: $0), text: "") }
    }
}
