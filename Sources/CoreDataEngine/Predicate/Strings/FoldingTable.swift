import Foundation

/// What Foundation's text folding does to single characters, so that most strings can be folded without it.
///
/// A table covers the two-byte characters of UTF-8 (Latin, Greek, Cyrillic, Hebrew, Arabic) and some more. Combining marks
/// are not in it: what becomes of one depends on the character before it. Of others some ranges that no folding changes
/// are known. A string with any other character goes through Foundation.
struct FoldingTable: Sendable {
    /// Folded bytes, low byte first, and their number in the top byte; ``unknown`` if it depends on the context.
    private let twoByte: [UInt64]
    /// The same for U+1E00 to U+1FFF: Latin with two diacritics, as in Vietnamese, and ancient Greek.
    private let extended: [UInt64]
    static let unknown = UInt64.max

    private init(_ options: String.CompareOptions) {
        twoByte = (0..<0x800).map { FoldingTable.entry(UInt32($0), options) }
        extended = (0x1E00..<0x2000).map { FoldingTable.entry(UInt32($0), options) }
    }

    private static func entry(_ value: UInt32, _ options: String.CompareOptions) -> UInt64 {
        guard let scalar = Unicode.Scalar(value), !isMark(scalar) else { return unknown }
        let folded = String(Character(scalar)).folding(options: options, locale: nil).utf8
        guard folded.count <= 7 else { return unknown }
        var packed = UInt64(folded.count) << 56
        for (index, byte) in folded.enumerated() { packed |= UInt64(byte) << UInt64(8 * index) }
        return packed
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .format, .unassigned: true
        default: false
        }
    }

    /// The packed folding of a two-byte character.
    @inline(__always)
    func packed(_ value: UInt32) -> UInt64 { twoByte[Int(value)] }

    /// The packed folding of a three-byte character.
    @inline(__always)
    func packed(threeByte value: UInt32, _ bytes: UInt64) -> UInt64 {
        if Self.isUnchanged(threeByte: value) { return bytes | 3 << 56 }
        return (0x1E00..<0x2000).contains(value) ? extended[Int(value) - 0x1E00] : Self.unknown
    }

    /// Whether a character of three bytes stays unchanged, whatever is around it.
    @inline(__always)
    private static func isUnchanged(threeByte value: UInt32) -> Bool {
        switch value {
        // Dashes, quotation marks, ellipsis; currencies; CJK punctuation, kana, ideographs; Hangul syllables.
        case 0x2010...0x2027, 0x20A0...0x20BF, 0x3001...0x3020, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FA5,
            0xAC00...0xD7A3:
            true
        default: false
        }
    }

    private static let caseTable = FoldingTable(.caseInsensitive)
    private static let diacriticTable = FoldingTable(.diacriticInsensitive)
    private static let bothTable = FoldingTable([.caseInsensitive, .diacriticInsensitive])

    /// The table for `[c]`, `[d]` or `[cd]`.
    static func table(for options: NSComparisonPredicate.Options) -> FoldingTable {
        switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
        case (true, true): bothTable
        case (true, false): caseTable
        default: diacriticTable
        }
    }
}
