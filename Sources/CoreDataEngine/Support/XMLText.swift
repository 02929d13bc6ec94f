/// Text between the tags of XML, and in its attributes.
package enum XMLText {
    /// The text with everything replaced that XML gives a meaning.
    ///
    /// - Parameters:
    ///   - inAttribute: Whether it stands between double quotes.
    ///   - replacement: What represents a character that its reader would take for something else; nil for the others.
    package static func escaped(
        _ string: String, inAttribute: Bool = false, replacement: (Unicode.Scalar) -> String?
    ) -> String {
        var result = ""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"" where inAttribute: result += "&quot;"
            default:
                if let other = replacement(scalar) { result += other } else { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }
}
