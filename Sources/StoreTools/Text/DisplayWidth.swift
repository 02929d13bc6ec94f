/// How many columns of a terminal a string takes.
package enum DisplayWidth {
    package static func columns(of string: String) -> Int {
        if string.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return string.utf8.count }
        return string.reduce(0) { $0 + columns(of: $1) }
    }

    /// Two for East Asian wide characters and emoji, none for what only modifies its neighbor, else one.
    package static func columns(of character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.value < 0x300 { return first.value < 0x20 || (0x7F..<0xA0).contains(first.value) ? 0 : 1 }
        if first.properties.isEmojiPresentation { return 2 }
        if character.unicodeScalars.contains("\u{FE0F}"), first.properties.isEmoji { return 2 }
        if isWide(first.value) { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return 1
        }
    }

    /// `string`, cut at `limit` columns with an ellipsis as its last one.
    package static func truncate(_ string: String, to limit: Int) -> String {
        // A character takes as many columns as it has bytes, or fewer.
        guard string.utf8.count > limit, columns(of: string) > limit else { return string }
        var result = ""
        var used = 0
        for character in string {
            let width = columns(of: character)
            if used + width > limit - 1 { break }
            used += width
            result.append(character)
        }
        return result + "…"
    }

    /// The ranges of East Asian Width W and F that hold letters, signs and symbols.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x1B000...0x1B2FF, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default:
            false
        }
    }
}
