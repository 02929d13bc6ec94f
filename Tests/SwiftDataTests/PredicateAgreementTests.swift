#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

private enum Level: Int, Codable {
    case low = 1
    case middle, high
}
private enum Tint: String, Codable { case red, green }
private enum Phase: Codable { case new, running, over }

private struct Spot: Codable, Hashable {
    var city: String
    var zip: Int?
}

private enum Zoo {
    @Model final class Owner {
        var name: String = ""
        var age: Int = 0
        var boss: Owner?
        init() {}
    }

    @Model final class Part {
        var size: Int = 0
        var label: String?
        init() {}
    }

    @Model class Item {
        var key: Int = 0
        var number: Int = 0
        var small: Int16 = 0
        var rank: Int?
        var text: String = ""
        var note: String?
        var flag: Bool = false
        var price: Double = 0
        var weight: Double?
        var day: Date = Date(timeIntervalSinceReferenceDate: 0)
        var end: Date?
        var code: UUID = UUID()
        var level: Level = Level.low
        var tint: Tint?
        var phase: Phase = Phase.new
        var next: Phase?
        var spot: Spot?
        var owner: Owner?
        var parts: [Part] = []
        init() {}
    }

    @Model final class Special: Item {
        var extra: Int = 0
        override init() { super.init() }
    }
}

/// Random predicates find in a store the models for which Swift's own evaluation is true.
struct PredicateAgreementTests {
    private typealias Item = Zoo.Item

    private static let strings = ["", "a", "A", "b", "ab", "Ba", "\u{e9}", "e", "a_b", "50%", "*", "zz"]
    private static let codes = (0..<4).map { _ in UUID() }

    private static func date(_ number: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(number) * 1_000) }

    // MARK: Models

    private struct Seeds {
        var random: SeededGenerator

        mutating func number(_ range: ClosedRange<Int> = -3...5) -> Int { Int.random(in: range, using: &random) }
        mutating func string() -> String { strings.randomElement(using: &random) ?? "" }
        mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

        mutating func items(_ count: Int) -> [Item] {
            let owners = (0..<6).map { index in
                let owner = Zoo.Owner()
                owner.name = string()
                owner.age = number()
                return owner
            }
            for index in 1..<owners.count where !isOne(in: 3) { owners[index].boss = owners[index - 1] }
            return (0..<count).map { item($0, owners) }
        }

        private mutating func item(_ key: Int, _ owners: [Zoo.Owner]) -> Item {
            let item: Item
            if isOne(in: 4) {
                let special = Zoo.Special()
                special.extra = number()
                item = special
            } else {
                item = Item()
            }
            item.key = key
            item.number = number()
            item.small = Int16(number())
            item.rank = isOne(in: 3) ? nil : number()
            item.text = string()
            item.note = isOne(in: 3) ? nil : string()
            item.flag = isOne(in: 2)
            item.price = Double(number()) / 2
            item.weight = isOne(in: 3) ? nil : Double(number()) / 2
            item.day = date(number())
            item.end = isOne(in: 3) ? nil : date(number())
            item.code = codes[number(0...3)]
            item.level = [.low, .middle, .high][number(0...2)]
            item.tint = [nil, .red, .green][number(0...2)]
            item.phase = [.new, .running, .over][number(0...2)]
            item.next = [nil, .new, .running, .over][number(0...3)]
            item.spot = isOne(in: 3) ? nil : Spot(city: string(), zip: isOne(in: 3) ? nil : number())
            item.owner = isOne(in: 3) ? nil : owners[number(0...5)]
            item.parts = (0..<max(0, number())).map { _ in
                let part = Zoo.Part()
                part.size = number()
                part.label = isOne(in: 3) ? nil : string()
                return part
            }
            return item
        }

        // MARK: Predicates

        mutating func predicate() -> Predicate<Item> {
            let groups = [
                numbers, texts, values, enumerations, relationships, collections, conditions, negations, mixtures,
            ]
            let (n, m, s) = (number(), number(), string())
            return groups[number(0...groups.count - 1)](n, m, s, number(0...7))
        }
    }

    private static func numbers(_ n: Int, _ m: Int, _ s: String, _ kind: Int) -> Predicate<Item> {
        let list = [n, m]
        let optional: Int? = m > 3 ? nil : n
        switch kind {
        case 0: return #Predicate { $0.number == n || $0.small == 2 }
        case 1: return #Predicate { $0.rank == optional }
        case 2: return #Predicate { $0.rank != optional }
        case 3: return #Predicate { ($0.rank ?? m) > n }
        case 4: return #Predicate { $0.number + m <= n * 2 }
        case 5: return #Predicate { list.contains($0.number) }
        case 6: return #Predicate { ($0.rank ?? n) == $0.number }
        default: return #Predicate { ($0.number - n) * 2 >= m && -$0.number < n }
        }
    }

    private static func texts(_ n: Int, _ m: Int, _ s: String, _ kind: Int) -> Predicate<Item> {
        let optional: String? = m > 3 ? nil : s
        switch kind {
        case 0: return #Predicate { $0.text == s }
        case 1: return #Predicate { $0.text.contains(s) }
        case 2: return #Predicate { $0.text.starts(with: s) }
        case 3: return #Predicate { $0.text.localizedStandardContains(s) }
        case 4: return #Predicate { $0.note == optional }
        case 5: return #Predicate { $0.note != optional }
        case 6: return #Predicate { $0.note?.contains(s) == true }
        default: return #Predicate { ($0.note ?? "b") == s || $0.text.isEmpty }
        }
    }

    private static func values(_ n: Int, _ m: Int, _ s: String, _ kind: Int) -> Predicate<Item> {
        let day = date(n)
        let price = Double(m) / 2
        let code = codes[abs(n) % 4]
        switch kind {
        case 0: return #Predicate { $0.flag }
        case 1: return #Predicate { !$0.flag }
        case 2: return #Predicate { $0.day > day }
        case 3: return #Predicate { $0.end == day || $0.end == nil }
        case 4: return #Predicate { $0.price * 2 > price }
        case 5: return #Predicate { ($0.weight ?? price) < 1 }
        case 6: return #Predicate { $0.code == code }
        default: return #Predicate { $0.weight != price && $0.end != day }
        }
    }

    private static func enumerations(_ n: Int, _ m: Int, _ s: String, _ kind: Int) -> Predicate<Item> {
        let (level, tint, phase) = (Level.middle, Tint.red, m > 0 ? Phase.running : Phase.over)
        let next: Phase? = n > 2 ? nil : phase
        let missing: Tint? = n > 2 ? nil : tint
        switch kind {
        case 0: return #Predicate { $0.level == level }
        case 1: return #Predicate { $0.tint == missing }
        case 2: return #Predicate { $0.tint != missing }
        case 3: return #Predicate { $0.phase == phase }
        case 4: return #Predicate { $0.next == next }
        case 5: return #Predicate { $0.next != next }
        case 6: return #Predicate { $0.spot?.city == s }
        default: return #Predicate { $0.spot == nil || $0.spot?.zip == n }
        }
    }

    private static func relationships(_ n: Int, _ m: Int, _ s: String, _ kind: Int) -> Predicate<Item> {
        switch kind {
        case 0: return #Predicate { $0.owner?.name == s }
        case 1: return #Predicate { $0.owner == nil }
        case 2: return #Predicate { $0.owner?.boss?.name == s }
        case 3: return #Predicate { ($0.owner?.age ?? m) > n }
        case 4: return #Predicate { $0.owner?.name != s }
        case 5: return #Predicate { $0.owner != nil && $0.owner?.boss == nil }
        case 6: return #Predicate { item in (item.owner?.name ?? "") == item.text }
        default: return #Predicate { $0.owner?.boss?.age == n }
        }
    }

    private static func collections(_ n: Int, _ m: Int, _ s: String, _ kind: Int) -> Predicate<Item> {
        switch kind {
        case 0: return #Predicate { $0.parts.contains { $0.size > n } }
        case 1: return #Predicate { $0.parts.allSatisfy { $0.size > n } }
        case 2: return #Predicate { $0.parts.count > n }
        case 3: return #Predicate { $0.parts.isEmpty }
        case 4: return #Predicate { $0.parts.filter { $0.size == n }.count == 1 }
        case 5: return #Predicate { $0.parts.contains { $0.label == s || $0.label == nil } }
        case 6: return #Predicate { item in item.parts.contains { $0.size == item.number } }
        default: return #Predicate { !$0.parts.contains { $0.size != m } }
        }
    }

    private static func conditions(_ n: Int, _ m: Int, _ s: String, _ kind: Int) -> Predicate<Item> {
        switch kind {
        case 0: return #Predicate { $0.flag ? $0.number > n : $0.text == s }
        case 1:
            return #Predicate {
                if let rank = $0.rank { rank > n } else { $0.flag }
            }
        case 2: return #Predicate { ($0.flag ? $0.number : m) > n }
        case 3: return #Predicate { ($0.rank == nil) == $0.flag }
        case 4: return #Predicate { ($0.number > n) != ($0.text == s) }
        case 5: return #Predicate { $0 is Zoo.Special }
        case 6: return #Predicate { ($0 as? Zoo.Special)?.extra == n }
        default: return #Predicate { (n...(n + 2)).contains($0.number) }
        }
    }

    private static func negations(_ n: Int, _ m: Int, _ s: String, _ kind: Int) -> Predicate<Item> {
        let optional: String? = m > 3 ? nil : s
        let phase: Phase? = m > 3 ? nil : .over
        switch kind {
        case 0: return #Predicate { !($0.rank == n) }
        case 1: return #Predicate { !($0.note == optional) }
        case 2: return #Predicate { !($0.owner?.name == s) }
        case 3: return #Predicate { !($0.note?.contains(s) == true || $0.rank == n) }
        case 4: return #Predicate { !($0.next == phase && $0.flag) }
        case 5: return #Predicate { !($0.spot?.city == s) }
        case 6: return #Predicate { !(($0.rank ?? m) > n) && !($0.owner?.boss?.name == s) }
        default: return #Predicate { !($0.parts.contains { $0.label == s }) }
        }
    }

    private static func mixtures(_ n: Int, _ m: Int, _ s: String, _ kind: Int) -> Predicate<Item> {
        let (level, phase, tint) = (Level.high, Phase.new, Tint.green)
        switch kind {
        case 0: return #Predicate { $0.number > n && ($0.text == s || $0.note == s) && $0.rank != m }
        case 1: return #Predicate { !($0.flag && $0.rank == m) || $0.level == level }
        case 2: return #Predicate { $0.owner?.name == s || $0.parts.contains { $0.size == m } }
        case 3: return #Predicate { ($0.tint == tint || $0.phase == phase) && !($0.spot == nil) }
        case 4: return #Predicate { !($0.tint == tint) && !($0.number == n || $0.number == m) }
        case 5: return #Predicate { ($0.owner?.age ?? n) > m || !($0.parts.isEmpty) && $0.flag }
        case 6: return #Predicate { ($0.weight ?? 0) + $0.price > 1 && $0.note != nil }
        default: return #Predicate { $0.parts.contains { $0.size > n && $0.label != s } != $0.flag }
        }
    }

    // MARK: Comparing

    private static let firstSeed =
        ProcessInfo.processInfo.environment["OPENCOREDATA_PREDICATES_SEED"].flatMap { UInt64($0) } ?? 1
    private static let stores = 20
    private static let models = 16
    private static let count =
        ProcessInfo.processInfo.environment["OPENCOREDATA_PREDICATES"].flatMap { Int($0) } ?? 3_000

    // Many stores of few models: other models find other mistakes, and each costs an evaluation.
    @Test(arguments: firstSeed..<(firstSeed + UInt64(stores)))
    func aStoreFindsWhatSwiftFinds(_ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer(
            for: Zoo.Item.self, Zoo.Special.self, configurations: ModelConfiguration(url: folder.file("zoo.store")))
        let context = ModelContext(container)
        var (seeds, same) = (Seeds(random: SeededGenerator(seed: seed)), Seeds(random: SeededGenerator(seed: seed)))
        let loose = seeds.items(Self.models)
        for item in same.items(Self.models) { context.insert(item) }
        try context.save()
        let fresh = ModelContext(container)
        for _ in 0..<Self.count / Self.stores {
            let predicate = seeds.predicate()
            let wanted = try loose.filter { try predicate.evaluate($0) }.map(\.key)
            let found = try fresh.fetch(FetchDescriptor(predicate: predicate)).map(\.key).sorted()
            if found != wanted {
                let (more, less) = (Set(found).subtracting(wanted), Set(wanted).subtracting(found))
                Issue.record("Seed \(seed): \(predicate)\ntoo many: \(more.sorted()), missing: \(less.sorted())")
                return
            }
        }
    }
}
#endif
