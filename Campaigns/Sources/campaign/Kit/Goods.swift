import CampaignCore

/// What an item holds.
struct GoodsRow: Hashable, Sendable {
    var code: Int64
    /// Mandatory: a row without it can't be saved.
    var title: String?
    var score: Int64 = 0
    var city: String?
    var shelf: String?

    static let cities: [String?] = [nil, "a", "b", "c"]
    static let shelves: [String?] = [nil, nil, "low", "high", "far"]

    static func random(_ code: Int64, _ random: inout SplitMix64, hasShelf: Bool = true) -> GoodsRow {
        GoodsRow(
            code: code, title: "T\(random.below(1_000))", score: Int64(random.below(9)), city: random.pick(cities),
            shelf: hasShelf ? random.pick(shelves) : nil)
    }
}

/// One change, made in a context and in what should be there.
enum GoodsChange: Sendable {
    case put(GoodsRow)
    case score(Int64, Int64)
    case remove(Int64)
    /// All items of a score go.
    case clear(Int64)
    /// All items of a city get a score.
    case mark(String?, Int64)
    case removeShelf(String)
    case note(Int64, String?)
}

/// What should be in a database.
struct Goods: Equatable, Sendable {
    var items: [Int64: GoodsRow] = [:]
    var notes: [Int64: String] = [:]
    /// The planted defect: what goes is not noticed.
    var keepsRemoved = false

    /// The rows in the order of their codes.
    var rows: [GoodsRow] { items.values.sorted { $0.code < $1.code } }

    mutating func apply(_ change: GoodsChange) {
        switch change {
        case .put(let row): items[row.code] = row
        case .score(let code, let score): items[code]?.score = score
        case .remove(let code): if !keepsRemoved { items[code] = nil }
        case .clear(let score): if !keepsRemoved { items = items.filter { $0.value.score != score } }
        case .mark(let city, let score):
            for row in items.values where row.city == city { items[row.code]?.score = score }
        case .removeShelf(let name):
            for row in items.values where row.shelf == name { items[row.code]?.shelf = nil }
        case .note(let code, let string): notes[code] = string
        }
    }

    mutating func apply(_ changes: [GoodsChange]) { for change in changes { apply(change) } }

    /// A random change, mostly of something that is there.
    func change(_ random: inout SplitMix64) -> GoodsChange {
        let codes = items.keys.sorted()
        let known = codes.isEmpty ? 1 : random.pick(codes)
        switch random.below(12) {
        case 0..<4: return .put(.random(Int64(1 + random.below(60)), &random))
        case 4, 5: return .score(known, Int64(random.below(9)))
        case 6, 7: return .remove(known)
        case 8: return random.chance(30) ? .clear(Int64(random.below(9))) : .put(.random(known, &random))
        case 9: return .mark(random.pick(GoodsRow.cities), Int64(random.below(9)))
        case 10: return .removeShelf(random.pick(["low", "high", "far"]))
        default: return .note(Int64(random.below(10)), random.chance(70) ? "N\(random.below(100))" : nil)
        }
    }

    func changes(_ random: inout SplitMix64, atMost count: Int) -> [GoodsChange] {
        var copy = self
        return (0...random.below(count)).map { _ in
            let change = copy.change(&random)
            copy.apply(change)
            return change
        }
    }
}
