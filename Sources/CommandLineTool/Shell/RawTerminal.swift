import Foundation

/// A terminal that gives each key as it is pressed.
final class RawTerminal {
    enum Key {
        case text(String)
        case enter, tab, interrupt, end
        case left, right, up, down, lineStart, lineEnd
        case backspace, delete, cutToEnd, cutToStart, cutWord, clear
        /// Ctrl-D: the end where nothing is typed.
        case deleteOrEnd
        case unknown
    }

    private var former = termios()

    /// `nil` if standard input or output is no terminal.
    init?() {
        guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &former) == 0 else { return nil }
        var raw = former
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL | BRKINT)
        withUnsafeMutableBytes(of: &raw.c_cc) { settings in
            settings[Int(VMIN)] = 1
            settings[Int(VTIME)] = 0
        }
        guard tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0 else { return nil }
    }

    /// Gives the terminal back as it was.
    func restore() { _ = tcsetattr(STDIN_FILENO, TCSADRAIN, &former) }

    func nextKey() -> Key {
        guard let byte = nextByte() else { return .end }
        switch byte {
        case 1: return .lineStart
        case 2: return .left
        case 3: return .interrupt
        case 4: return .deleteOrEnd
        case 5: return .lineEnd
        case 6: return .right
        case 8, 127: return .backspace
        case 9: return .tab
        case 10, 13: return .enter
        case 11: return .cutToEnd
        case 12: return .clear
        case 14: return .down
        case 16: return .up
        case 21: return .cutToStart
        case 23: return .cutWord
        case 27: return escape()
        case 0..<32: return .unknown
        default: return text(byte)
        }
    }

    private func text(_ first: UInt8) -> Key {
        var bytes = [first]
        let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        while bytes.count < count, let byte = nextByte() { bytes.append(byte) }
        return .text(String(decoding: bytes, as: UTF8.self))
    }

    /// The key of a sequence such as `ESC [ A` or `ESC [ 3 ~`.
    private func escape() -> Key {
        guard let kind = nextByte(), kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else { return .unknown }
        var parameter = ""
        while let byte = nextByte() {
            let character = Character(Unicode.Scalar(byte))
            guard character.isNumber || character == ";" else { return Self.key(character, parameter) }
            parameter.append(character)
        }
        return .unknown
    }

    private static func key(_ character: Character, _ parameter: String) -> Key {
        switch (character, parameter) {
        case ("A", _): .up
        case ("B", _): .down
        case ("C", _): .right
        case ("D", _): .left
        case ("H", _), ("~", "1"), ("~", "7"): .lineStart
        case ("F", _), ("~", "4"), ("~", "8"): .lineEnd
        case ("~", "3"): .delete
        default: .unknown
        }
    }

    private func nextByte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            if count == 1 { return byte }
            guard count < 0, errno == EINTR else { return nil }
        }
    }
}
