#if PostgreSQL
import Foundation
import OpenCoreData

/// What folding does to single characters, for the functions of a store.
struct FoldTable {
    /// What becomes of the characters of a part of Unicode.
    private struct Block {
        let range: ClosedRange<UInt32>
        /// Characters that become another one, at the same indexes.
        var from = ""
        var to = ""
        /// Characters that become several, or none.
        var longer: [(String, String)] = []

        init(_ range: ClosedRange<UInt32>) { self.range = range }

        /// The statement that replaces them in the variable `value`.
        var step: String {
            var value = "value"
            for (character, replacement) in longer {
                value = "replace(\(value), \(SQLName.literal(character)), \(SQLName.literal(replacement)))"
            }
            return "value := translate(\(value), \(SQLName.literal(from)), \(SQLName.literal(to)));"
        }
    }

    private let options: NSComparisonPredicate.Options
    /// Latin of Western Europe first, then what is less usual.
    private var blocks = [
        0x80...0x24F, 0x250...0x3FF, 0x400...0x52F, 0x530...0x7FF, 0x1E00...0x1EFF, 0x1F00...0x1FFF,
    ].map(Block.init)
    /// A regular expression that finds a character which is not known.
    var unknown = ""

    /// Latin, Greek, Cyrillic, Hebrew, Arabic and their neighbors; characters that depend on those around them are
    /// taken out.
    private static let mapped: [ClosedRange<UInt32>] = [0x80...0x7FF, 0x1E00...0x1FFF]
    /// What no folding changes, whatever stands beside it: punctuation, currencies, symbols, emoji, kana, ideographs,
    /// Hangul syllables.
    private static let unchanged: [ClosedRange<UInt32>] = [
        0x200D...0x20CF, 0x2133...0x215F, 0x2190...0x225F, 0x2270...0x24B5, 0x24D0...0x2BFF, 0x2E00...0x3029,
        0x3030...0x3098, 0x309B...0xA63F, 0xAC00...0xD7A3, 0xE000...0xFAFF, 0xFE30...0xFF20, 0xFF3B...0xFF9D,
        0x1F000...0x1F3FA, 0x1F400...0x1FFFF,
    ]

    /// Letters and digits behind which marks are left out, within brackets of a regular expression.
    static let letters =
        "A-Za-z0-9"
        + expression([0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x3B1...0x3C9, 0x410...0x44F, 0x1E00...0x1EFF])
    private static let accents: [ClosedRange<UInt32>] = [0x300...0x344, 0x346...0x36F]
    /// What makes an emoji of a symbol, the frame of a key, and colors of skin.
    private static let signs: [ClosedRange<UInt32>] = [0xFE0F...0xFE0F, 0x20E3...0x20E3, 0x1F3FB...0x1F3FF]
    static let marks = expression(accents + signs)
    /// Symbols behind which signs are kept.
    private static let symbols = expression([
        0x2190...0x21FF, 0x2300...0x23FF, 0x2600...0x27BF, 0x1F000...0x1F3FA, 0x1F400...0x1FAFF,
    ])

    /// - Parameter isForEachOption: Whether characters count as unknown that become something else if one of the options is applied
    ///   after the other.
    init(_ options: NSComparisonPredicate.Options, isForEachOption: Bool = false) {
        self.options = options
        var contextual: [UInt32] = []
        for value in Self.mapped.joined() {
            guard let scalar = Unicode.Scalar(value), !Self.dependsOnContext(scalar) else {
                contextual.append(value)
                continue
            }
            let string = String(Character(scalar))
            if isForEachOption, Self.dependsOnOrder(string, options) { contextual.append(value) }
            let folded = StringFolding.foldedByFoundation(string, options).unicodeScalars
            guard let block = blocks.firstIndex(where: { $0.range.contains(value) }) else { continue }
            if folded.count == 1, let only = folded.first {
                guard only != scalar else { continue }
                blocks[block].from.unicodeScalars.append(scalar)
                blocks[block].to.unicodeScalars.append(only)
            } else {
                blocks[block].longer.append((string, String(folded)))
            }
        }
        let known = Self.expression([0x1...0x7F] + Self.mapped + Self.unchanged)
        unknown = "[^\(known)\(Self.marks)]"
        contextual.removeAll { value in Self.accents.contains { $0.contains(value) } }
        if !contextual.isEmpty { unknown += "|[\(Self.expression(contextual.map { $0...$0 }))]" }
        // Behind other characters it depends on them.
        if options.contains(.diacriticInsensitive) {
            let (accents, signs) = (Self.expression(Self.accents), Self.expression(Self.signs))
            unknown +=
                "|(^|[^\(Self.letters)\(Self.marks)])[\(accents)]|[\(Self.symbols)][\(Self.marks)]*[\(accents)]"
                + "|(^|[^\(Self.letters)\(Self.symbols)\(Self.marks)])[\(signs)]"
        }
    }

    /// The statements that fold the variable `value`, which has known characters only.
    ///
    /// For each character of a string the server looks through the whole list, so there are several, of which a string needs few.
    var steps: String {
        var steps: [String] = []
        if options.contains(.caseInsensitive) { steps.append("value := lower(value COLLATE \"C\");") }
        var others: [String] = []
        if options.contains(.diacriticInsensitive) {
            // Foundation leaves marks out behind letters and digits, and keeps signs behind symbols.
            let marks = SQLName.literal("([\(Self.letters)])[\(Self.marks)]+")
            others.append("value := regexp_replace(value, \(marks), '\\1', 'g');")
        }
        for block in blocks.dropFirst() {
            let test = SQLName.literal("[\(Self.expression([block.range]))]")
            others.append("IF value ~ \(test) THEN \(block.step) END IF;")
        }
        let usual = SQLName.literal("[^\(Self.expression([0x1...0x24F]))]")
        steps.append("IF value ~ \(usual) THEN \(others.joined(separator: " ")) END IF;")
        steps.append(blocks[0].step)
        return steps.joined(separator: "\n")
    }

    /// Whether a character becomes something else if one option is applied after the other.
    private static func dependsOnOrder(_ string: String, _ options: NSComparisonPredicate.Options) -> Bool {
        let folded = StringFolding.foldedByFoundation(string, options)
        return [NSComparisonPredicate.Options.caseInsensitive, .diacriticInsensitive].contains {
            StringFolding.foldedByFoundation(StringFolding.foldedByFoundation(string, $0), options) != folded
        }
    }

    private static func expression(_ ranges: [ClosedRange<UInt32>]) -> String {
        func escape(_ value: UInt32) -> String {
            let digits = String(value, radix: 16)
            return value < 0x10000
                ? "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                : "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        }
        return ranges.map { range in
            range.count == 1
                ? escape(range.lowerBound) : "\(escape(range.lowerBound))-\(escape(range.upperBound))"
        }.joined()
    }

    private static func dependsOnContext(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .format, .unassigned: true
        default: false
        }
    }
}
#endif
