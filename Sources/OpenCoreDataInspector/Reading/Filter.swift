#if Inspector
import Foundation
import HTTPTypes
import OpenCoreData
import StoreTools

/// Reads filters, and finds where they are wrong with them.
enum Filter {
    /// The predicate that a person wrote.
    ///
    /// - Throws: ``InspectorError`` with the range of the mistake.
    static func predicate(
        _ string: String, entity: NSEntityDescription, in reader: StoreReader
    ) throws -> NSPredicate {
        do {
            let predicate = try EnumerationPredicate(entity: entity).replacing(
                NSPredicate(validatingFormat: string))
            return try TypedPredicate(entity: entity, object: reader.objectID(named:)).replacing(predicate)
        } catch {
            throw Self.error(Sentence.string(of: error), in: string)
        }
    }

    /// An error about a filter, with the range where its sentence says the mistake is.
    static func error(_ sentence: String, in filter: String) -> InspectorError {
        if let match = sentence.firstMatch(of: /is not valid at character (\d+): (.*)/), let number = Int(match.1) {
            let start = min(max(0, number - 1), filter.count)
            return InspectorError(
                .unprocessableContent, String(match.2).capitalizedFirst,
                range: start..<max(start + 1, endOfWord(from: start, in: filter)))
        }
        if let match = sentence.firstMatch(of: /(?:property|element) named ([^;]+);/),
            let range = range(ofWord: String(match.1), in: filter)
        {
            return InspectorError(.unprocessableContent, sentence, range: range)
        }
        // A constant stands in quotes in the filter too.
        if let match = sentence.firstMatch(of: /^"([^"]+)" (cannot be compared|isn't the name of an object)/) {
            for quote in ["\"", "'"] {
                guard let range = filter.range(of: quote + match.1 + quote) else { continue }
                let start = filter.distance(from: filter.startIndex, to: range.lowerBound)
                return InspectorError(
                    .unprocessableContent, sentence, range: start..<start + filter[range].count)
            }
        }
        for match in sentence.matches(of: #/["'\u{201C}\u{2018}]([^"'\u{201D}\u{2019}]+)["'\u{201D}\u{2019}]/#) {
            if let range = range(ofWord: String(match.1), in: filter) {
                return InspectorError(.unprocessableContent, sentence, range: range)
            }
        }
        for word in sentence.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") })
            .reversed()
        {
            let text = word.trimmingSuffix(while: { $0 == "." })
            if text.count > 2, let range = range(ofWord: String(text), in: filter) {
                return InspectorError(.unprocessableContent, sentence, range: range)
            }
        }
        return InspectorError(.unprocessableContent, sentence, range: 0..<filter.count)
    }

    private static func endOfWord(from start: Int, in text: String) -> Int {
        let rest = Array(text).dropFirst(start)
        return start + rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }.count
    }

    /// Where a word stands outside of quotes.
    private static func range(ofWord word: String, in text: String) -> Range<Int>? {
        let (letters, sought) = (Array(text), Array(word))
        var quote: Character?
        for (index, letter) in letters.enumerated() {
            if let open = quote {
                if letter == open { quote = nil }
                continue
            }
            if letter == "\"" || letter == "'" {
                quote = letter
                continue
            }
            let end = index + sought.count
            guard end <= letters.count, letters[index..<end].elementsEqual(sought),
                index == 0 || !isPartOfName(letters[index - 1]), end == letters.count || !isPartOfName(letters[end])
            else { continue }
            return index..<end
        }
        return nil
    }

    private static func isPartOfName(_ letter: Character) -> Bool {
        letter.isLetter || letter.isNumber || letter == "_"
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while isPart: (Character) -> Bool) -> Substring {
        var result = self
        while let last = result.last, isPart(last) { result.removeLast() }
        return result
    }
}
#endif
