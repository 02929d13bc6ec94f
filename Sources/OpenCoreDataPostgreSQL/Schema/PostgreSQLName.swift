#if PostgreSQL
/// Names of tables and columns out of the names of a model.
enum PostgreSQLName {
    /// The server cuts what is longer.
    private static let mostBytes = 63

    /// A name as SQL has them: `firstName` is `first_name`, `HTMLPage` is `html_page`.
    static func snake(_ name: String) -> String {
        let characters = Array(name)
        var result = ""
        for (index, character) in characters.enumerated() {
            let previous = index > 0 ? characters[index - 1] : nil
            let next = index + 1 < characters.count ? characters[index + 1] : nil
            if character.isUppercase, let previous, previous != "_",
                previous.isLowercase || previous.isNumber || (previous.isUppercase && next?.isLowercase == true)
            {
                result += "_"
            }
            result += character.lowercased()
        }
        return result
    }

    /// A name that fits: a long one is cut, and distinguished from others by a number made of all of it.
    static func fitting(_ name: String) -> String {
        let name = name.replacing("\0", with: "")
        guard name.utf8.count > mostBytes else { return name }
        let suffix = "_" + number(of: name)
        var result = name
        while result.utf8.count > mostBytes - suffix.utf8.count { result.removeLast() }
        return result + suffix
    }

    /// A number made of all of a text, in letters and digits.
    static func number(of text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(hash % 0xFFFF_FFFF, radix: 36)
    }

    /// The name, or the name with the next free number, which is taken from then on.
    static func unique(_ name: String, in taken: inout Set<String>) -> String {
        var candidate = fitting(name)
        var number = 1
        while !taken.insert(candidate).inserted {
            number += 1
            candidate = fitting("\(name)_\(number)")
        }
        return candidate
    }
}
#endif
