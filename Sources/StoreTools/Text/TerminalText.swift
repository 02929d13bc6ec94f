/// Makes strings safe for terminals.
///
/// Names and values of a store, a model or a folder may contain anything: escape sequences that recolor or rewrite the
/// screen, characters that turn the reading direction around, and invisible characters. They are shown as text here.
/// Safe strings stay unchanged, so it does no harm to make a string safe twice.
package enum TerminalText {
    /// `string` on one line, with everything visible.
    package static func line(_ string: String) -> String {
        guard string.utf8.contains(where: { !(0x20...0x7E).contains($0) }) else { return string }
        return visible(string, isLine: false)
    }

    /// The same for several lines, whose tabs stay too.
    package static func lines(_ string: String) -> String {
        guard string.utf8.contains(where: { !(0x20...0x7E).contains($0) && $0 != 0x0A }) else { return string }
        // By scalars: a carriage return and a line feed are one character.
        return string.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { visible(String(Substring($0)), isLine: true) }.joined(separator: "\n")
    }

    /// Whether a character controls the terminal, the direction of reading or the layout, or is not seen at all.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: false
        case 0..<0x20, 0x7F...0x9F, 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180E, 0x200B...0x200F,
            0x2028...0x202E, 0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3,
            0x1D173...0x1D17A, 0xE0000...0xE00FF, 0xE01F0...0xE0FFF:
            true
        default: false
        }
    }

    /// - Parameter isLine: Whether a tab, and a carriage return at the end, are what they should be.
    private static func visible(_ string: String, isLine: Bool) -> String {
        let scalars = string.unicodeScalars
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for index in scalars.indices {
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            let following = next < scalars.endIndex ? scalars[next] : nil
            if !isHidden(scalar) || isJoining(scalar, previous, following) || (isLine && scalar == "\t") {
                result.append(scalar)
            } else if scalar != "\r" || !(following == "\n" || isLine && following == nil) {
                result.append(contentsOf: picture(of: scalar).unicodeScalars)
            }
            previous = scalar
        }
        return String(result)
    }

    /// Whether a joiner has work to do: inside of an emoji, or in a script whose letters it shapes.
    private static func isJoining(
        _ scalar: Unicode.Scalar, _ previous: Unicode.Scalar?, _ following: Unicode.Scalar?
    ) -> Bool {
        guard scalar == "\u{200C}" || scalar == "\u{200D}", let previous, let following else { return false }
        return [previous, following].allSatisfy { neighbor in
            // Below are Latin, Greek, Cyrillic, Armenian and Hebrew, which have no use for it.
            neighbor.value >= 0x600 && !isHidden(neighbor)
        }
    }

    private static func picture(of scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        case 0x0A: "⏎"
        case 0x09: " "
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value).map { String(Character($0)) } ?? "?"
        case 0x7F: "␡"
        case 0x80...0x9F: "�"
        default: "<U+\(hexadecimal(scalar.value))>"
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
