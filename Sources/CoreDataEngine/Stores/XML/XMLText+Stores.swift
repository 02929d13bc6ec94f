extension XMLText {
    /// Text of an XML store.
    static func escaped(_ string: String) -> String {
        guard string.utf8.contains(where: { $0 < 0x20 || $0 == 0x26 || $0 == 0x3C || $0 == 0x3E || $0 == 0x7F }) else {
            return string
        }
        return escaped(string, replacement: replacement(for:))
    }

    /// The value of an attribute in an XML store.
    static func escapedAttribute(_ string: String) -> String {
        escaped(string, inAttribute: true, replacement: replacement(for:))
    }

    private static func replacement(for scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "\n", "\t": nil
        case _ where scalar.value < 0x20 || scalar.value == 0x7F: "&#\(scalar.value);"
        default: nil
        }
    }
}
