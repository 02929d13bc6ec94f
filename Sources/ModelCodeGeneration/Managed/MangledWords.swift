/// Spells identifiers in symbols, where a word that stood in an earlier identifier is one letter.
struct MangledWords {
    private static let mostWords = 26
    private var words: [String] = []

    /// A word of the identifier at hand that has stood before.
    private struct Repetition {
        var start: Int
        var length: Int
        var word: Int
    }

    mutating func mangle(_ identifier: String) -> String {
        guard identifier.utf8.allSatisfy({ $0 < 0x80 }) else {
            let encoded = Punycode.encode(identifier)
            let separator = encoded.first.map { $0.isNumber || $0 == "_" } == true ? "_" : ""
            return "00\(encoded.utf8.count)\(separator)\(encoded)"
        }
        let characters = Array(identifier.utf8)
        let repetitions = repetitions(in: characters)
        var result = repetitions.isEmpty ? "" : "0"
        var position = 0
        for (index, repetition) in repetitions.enumerated() {
            result += Self.plain(characters[position..<repetition.start])
            position = repetition.start + repetition.length
            let isLast = index == repetitions.count - 1
            let letter = UInt8(ascii: isLast ? "A" : "a") + UInt8(repetition.word)
            result.unicodeScalars.append(Unicode.Scalar(letter))
            if isLast, position == characters.count { result += "0" }
        }
        return result + Self.plain(characters[position...])
    }

    private static func plain(_ part: ArraySlice<UInt8>) -> String {
        part.isEmpty ? "" : "\(part.count)\(String(decoding: part, as: UTF8.self))"
    }

    /// Finds the words that have stood before, and takes in those that haven't.
    private mutating func repetitions(in characters: [UInt8]) -> [Repetition] {
        var result: [Repetition] = []
        var start: Int?
        for position in 0...characters.count {
            let character = position < characters.count ? characters[position] : 0
            if let begin = start, Self.endsWord(character, after: characters[position - 1]) {
                let word = String(decoding: characters[begin..<position], as: UTF8.self)
                if let index = words.firstIndex(of: word) {
                    result.append(Repetition(start: begin, length: position - begin, word: index))
                } else if position - begin >= 2, words.count < Self.mostWords {
                    words.append(word)
                }
                start = nil
            }
            if start == nil, Self.beginsWord(character) { start = position }
        }
        return result
    }

    private static func beginsWord(_ character: UInt8) -> Bool {
        character != 0 && character != UInt8(ascii: "_") && !(48...57).contains(character)
    }

    private static func endsWord(_ character: UInt8, after previous: UInt8) -> Bool {
        character == 0 || character == UInt8(ascii: "_")
            || !(65...90).contains(previous) && (65...90).contains(character)
    }
}
