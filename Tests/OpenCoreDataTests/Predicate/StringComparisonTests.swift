import Foundation
import OpenCoreData
import Testing

@Suite struct StringComparisonTests {
    typealias Options = NSComparisonPredicate.Options

    @Test func foldingIsFoundationsOnRandomText() {
        let seed = UInt64.random(in: .min ... .max)
        print("StringComparisonTests seed \(seed)")
        var random = RandomPredicates(seed: seed)
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0x20...0x7E, 0xA0...0x24F, 0x300...0x36F, 0x370...0x5FF, 0x600...0x7FF, 0x1E00...0x1FFF,
            0x2010...0x20FF, 0x3001...0x30FF, 0x4E00...0x9FA5, 0xAC00...0xD7A3, 0xFE00...0xFFEF, 0x1F300...0x1F6FF,
        ]
        for _ in 0..<20000 {
            var scalars = String.UnicodeScalarView()
            let range = random.pick(ranges)
            for _ in 0..<random.pick([1, 2, 5, 12]) {
                let chosen = random.chance(70) ? range : random.pick(ranges)
                if let scalar = Unicode.Scalar(UInt32.random(in: chosen, using: &random.generator)) {
                    scalars.append(scalar)
                }
            }
            let string = String(scalars)
            for options: Options in [
                .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
            ] {
                let fast = Array(StringFolding.folded(string, options).utf8)
                let slow = Array(StringFolding.foldedByFoundation(string, options).utf8)
                if fast != slow {
                    let codes = string.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
                    Issue.record("seed \(seed), options \(options.rawValue): \(codes)")
                    return
                }
            }
        }
    }

    @Test func foldingIsFoundationsOnEachSingleCharacter() {
        for value in UInt32(1)..<0x11000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let string = String(Character(scalar))
            for options: Options in [
                .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
            ] {
                let isSame = StringFolding.folded(string, options).utf8.elementsEqual(
                    StringFolding.foldedByFoundation(string, options).utf8)
                if !isSame { Issue.record("options \(options.rawValue): \(String(value, radix: 16))") }
            }
        }
    }

    @Test func withoutOptionsTextsCompareByCodePoints() {
        #expect(StringComparison.compare("Z", "a", options: []) == .orderedAscending)
        #expect(StringComparison.compare("\u{FFFD}", "\u{1F600}", options: []) == .orderedAscending)
        #expect(!StringComparison.equal("é", "e\u{301}", options: []))
        #expect(StringComparison.equal("é", "e\u{301}", options: .diacriticInsensitive))
        #expect(StringComparison.equal("ÉCOLE", "ecole", options: [.caseInsensitive, .diacriticInsensitive]))
        #expect(!StringComparison.equal("A", "a", options: [.caseInsensitive, .normalized]))
        #expect(StringComparison.compare("b", "A", options: .caseInsensitive) == .orderedDescending)
        #expect(StringComparison.compare("a", "ab", options: []) == .orderedAscending)
        #expect(StringComparison.compare("", "", options: []) == .orderedSame)
    }

    @Test func partsOfTexts() throws {
        func test(_ string: String, _ type: NSComparisonPredicate.Operator, _ part: String, _ options: Options = [])
            throws
            -> Bool
        { try StringComparison.matches(string, type, part, options: options) }
        #expect(try test("Grüße", .contains, "üß"))
        #expect(try test("GRÜSSE", .contains, "uss", [.caseInsensitive, .diacriticInsensitive]))
        #expect(try !test("abc", .contains, "B"))
        #expect(try test("aab", .contains, "ab"))
        #expect(try !test("abc", .contains, ""))
        #expect(try !test("abc", .beginsWith, ""))
        #expect(try !test("", .contains, "a"))
        #expect(try test("abc", .beginsWith, "AB", .caseInsensitive))
        #expect(try test("abc", .endsWith, "bc"))
        #expect(try !test("abc", .endsWith, "abcd"))
        #expect(try !test("abc", .endsWith, ""))
        #expect(try !test("", .contains, "") && !test("", .beginsWith, "") && !test("", .endsWith, ""))
    }

    @Test func likePatterns() throws {
        func like(_ string: String, _ pattern: String, _ options: Options = []) throws -> Bool {
            try StringComparison.matches(string, .like, pattern, options: options)
        }
        #expect(try like("hello", "h*o"))
        #expect(try like("hello", "?ello"))
        #expect(try !like("hello", "h?o"))
        #expect(try like("hello", "*l*o"))
        #expect(try like("", "*"))
        #expect(try like("", ""))
        #expect(try !like("a", ""))
        #expect(try like("日本", "??"))
        #expect(try like("a*b", "a\\*b"))
        #expect(try !like("axb", "a\\*b"))
        #expect(try like("CAFÉ", "c*e", [.caseInsensitive, .diacriticInsensitive]))
        #expect(try like("aaaaaaaaab", "*a*a*b"))
        #expect(try like("mississippi", "m*iss*pi"))
        #expect(try !like("abc", "ab"))
    }

    @Test func regularExpressionsMatchTheWholeText() throws {
        func matches(_ string: String, _ pattern: String, _ options: Options = []) throws -> Bool {
            try StringComparison.matches(string, .matches, pattern, options: options)
        }
        #expect(try matches("abc123", "[a-z]+\\d+"))
        #expect(try !matches("abc123x", "[a-z]+\\d+"))
        #expect(try matches("abx", "a|abx"))
        #expect(try matches("ABC", "abc", .caseInsensitive))
        #expect(try matches("é", "e", .diacriticInsensitive))
        #expect(throws: CocoaError.self) { try matches("a", "a)(b") }
        #expect(throws: CocoaError.self) { try matches("a", "[") }
    }

    @Test func manyTitlesAreSearchedQuickly() throws {
        let matcher = try StringMatcher(
            .contains, pattern: "Número 77", options: [.caseInsensitive, .diacriticInsensitive])
        let titles = (0..<20000).map { "The Título of the book, número \($0)" }
        let start = Date()
        let found = try titles.filter { try matcher.matches($0) }.count
        print("CONTAINS[cd]: \(Date().timeIntervalSince(start) * 1e9 / 20000) ns per title")
        #expect(found == titles.indices.filter { String($0).hasPrefix("77") }.count)
    }
}
