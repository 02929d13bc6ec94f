import OpenCoreData

/// How wide a string is in the fonts without serifs that pictures are shown with. The widest of them counts.
package enum DiagramText {
    package static func width(of string: String, size: Double, isBold: Bool = false) -> Int {
        let units = string.reduce(0.0) { $0 + width(of: $1) }
        return Int((units * size * (isBold ? 1.1 : 1)).rounded(.up))
    }

    /// In parts of the size.
    private static func width(of character: Character) -> Double {
        switch character {
        case "i", "j", "l", "I", "|", "!", "'", ".", ",", ":", ";": 0.33
        case "f", "r", "t", "(", ")", "[", "]", " ", "-", "/": 0.42
        case "m", "w", "M", "W", "@", "%": 0.98
        case "a"..."z", "0"..."9", "_", "?", "*": 0.63
        case "A"..."Z": 0.74
        default: Double(max(1, DisplayWidth.columns(of: character))) * 0.75
        }
    }

    /// `string` with what XML gives a meaning replaced, and without what XML cannot hold.
    package static func escaped(_ string: String) -> String {
        XMLText.escaped(string, inAttribute: true) { scalar in
            if scalar.value < 0x20 || (0xFFFE...0xFFFF).contains(scalar.value) { return "\u{FFFD}" }
            return TerminalText.isHidden(scalar) ? "&#x\(String(scalar.value, radix: 16));" : nil
        }
    }
}
