/// The words of a line, as shells read them: separated by spaces, in single or double quotes, with backslashes.
struct ShellWords {
    private(set) var words: [String] = []
    /// Whether the line ends behind a word, so that the next one is not begun.
    private(set) var endsWithSpace = true
    /// Where the last word begins in the line.
    private(set) var lastStart: String.Index

    /// Whether each quotation mark has a second one.
    private var isClosed = true

    /// - Returns: `nil` if a quotation mark has no second one.
    init?(_ line: String) {
        self.init(partOf: line)
        guard isClosed else { return nil }
    }

    /// The words of the beginning of a line, where the last one may not be complete.
    init(partOf line: String) {
        var word: String?
        var quote: Character?
        lastStart = line.endIndex
        var index = line.startIndex
        while index < line.endIndex {
            let character = line[index]
            if word == nil, !character.isWhitespace { lastStart = index }
            switch (quote, character) {
            case (let open?, _) where character == open: quote = nil
            case (nil, "'"), (nil, "\""):
                quote = character
                word = word ?? ""
            case (nil, "\\"), ("\"", "\\"):
                let next = line.index(after: index)
                if next < line.endIndex {
                    index = next
                    word = (word ?? "") + String(line[next])
                }
            case (nil, _) where character.isWhitespace:
                if let complete = word { words.append(complete) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
            index = line.index(after: index)
        }
        isClosed = quote == nil
        endsWithSpace = word == nil
        if let word { words.append(word) } else { lastStart = line.endIndex }
    }
}
