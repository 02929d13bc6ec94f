import Foundation
import OpenCoreData

/// The values that attributes and constants are drawn from: few, so that comparisons hit, and awkward.
enum SampleValues {
    /// What a value is to predicates.
    enum Kind: CaseIterable {
        case integer, real, flag, decimal, date, text, link, identifier, bytes

        var isNumber: Bool { self == .integer || self == .real || self == .flag || self == .decimal }

        init(_ kind: SlotKind) {
            switch kind {
            case .integer16, .integer32, .integer64, .toOne: self = .integer
            case .boolean: self = .flag
            case .double, .float: self = .real
            case .decimal: self = .decimal
            case .date: self = .date
            case .string: self = .text
            case .uri: self = .link
            case .uuid: self = .identifier
            case .data, .transformable, .objectID, .composite, .undefined: self = .bytes
            }
        }
    }

    static let texts = [
        "", "a", "A", "ab", "Ab", "aB", "abc", "b", "ba", "á", "Á", "a\u{301}", "straße", "STRASSE", "10", "9", "1.5",
        "-2", "a*b", "a?b", "a\\b", "%", "_", "日本", "ﬁ", "I", "ı", "x y", "\u{1F600}", "Zebra", "zebra", "é", "E",
    ]
    static let integers: [Int64] = [-3, -1, 0, 1, 2, 3, 5, 9, 10, 100]
    static let reals: [Double] = [-2.5, -1, 0, 0.1, 0.25, 1, 1.5, 2, 3, 9, 10.75]
    static let decimals = ["-1.25", "0", "0.1", "1", "1.5", "2", "10.11", "3", "100000000000000000000"]
    /// Decimals that no row has: a column of SQLite's keeps the nearest `Double`.
    static let longDecimals = ["12345678901234567890123456789012345678", "-9876543210987654321.0123456789"]
    /// Parts of the texts that numbers have.
    static let digits = ["123", "1234567890123456789", "e+", "0000", ".", "-", "inf", "nan", "01234567"]
    /// Numbers that no row has.
    static let limits: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e300, 0x1p63]
    static let dates: [Double] = [-86_400, 0, 0.5, 1, 2, 3, 86_400.25, 500_000_000]
    static let links = ["https://a.example/", "https://b.example/x?y=1", "file:///tmp/a", "mailto:a@example.org"]
    static let identifiers = [
        "00000000-0000-0000-0000-000000000001", "11111111-2222-3333-4444-555555555555",
        "FFFFFFFF-0000-4000-8000-00000000000A",
    ]
    static let data: [[UInt8]] = [[], [0], [1, 2, 3], [255, 0, 255]]

    /// A value as a predicate's constant.
    static func constant(_ kind: Kind, _ random: inout RandomSource) -> Any {
        switch kind {
        case .integer: return Int(random.pick(integers))
        case .real: return random.chance(8) ? random.pick(limits) : random.pick(reals)
        case .flag: return random.chance(50)
        case .decimal: return Decimal(string: random.pick(random.chance(10) ? longDecimals : decimals)) ?? 0
        case .date: return Date(timeIntervalSinceReferenceDate: random.pick(random.chance(5) ? limits : dates))
        case .text: return random.pick(texts)
        case .link: return URL(string: random.pick(links)) as Any
        case .identifier: return UUID(uuidString: random.pick(identifiers)) as Any
        case .bytes: return Data(random.pick(data))
        }
    }

    /// A value as a row holds it.
    static func stored(_ kind: SlotKind, _ random: inout RandomSource) -> PropertyValue {
        if random.chance(22) { return .null }
        switch kind {
        case .integer16, .integer32, .integer64: return .integer(random.pick(integers))
        case .boolean: return .integer(random.chance(50) ? 1 : 0)
        case .double: return .double(random.pick(reals))
        case .float: return .double(Double(Float(random.pick(reals))))
        case .date: return .double(random.pick(dates))
        case .string: return .string(random.pick(texts))
        case .uri: return URL(string: random.pick(links)).map { .uri($0) } ?? .null
        case .uuid: return UUID(uuidString: random.pick(identifiers)).map { .uuid($0) } ?? .null
        case .decimal: return .decimal(DecimalBox(Decimal(string: random.pick(decimals)) ?? 0))
        case .data: return .data(Data(random.pick(data)))
        case .transformable, .objectID, .composite, .undefined, .toOne: return .null
        }
    }
}
