#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

private enum Kinds {
    enum Size: Int16, Codable {
        case small = -7
        case large = 300
    }
    enum Color: Codable { case red, green, blue }
    enum Letter: String, Codable {
        case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z
    }

    struct Everything: Codable, Equatable {
        private enum CodingKeys: String, CodingKey {
            case zebra = "z"
            case text, note, small, wide, flag, real, single, day, code, link, money, size, letter, list, data
        }

        var zebra = 1
        var text = ""
        var note: String?
        var small: Int8 = 0
        var wide: UInt32 = 0
        var flag = false
        var real = 0.0
        var single: Float = 0
        var day = Date(timeIntervalSinceReferenceDate: 0)
        var code: UUID?
        var link: URL?
        var money: Decimal = 0
        var size: Size?
        var letter: Letter = .a
        var list: [String] = []
        var data = Data()
    }

    struct Pair: Codable, Equatable {
        var first: Int?
        var second: String?
    }

    @Model final class Thing {
        var number: Int
        var everything: Everything = Everything()
        var pair: Pair?
        var size: Size = Size.small
        var color: Color?
        var letter: Letter = Letter.z
        init(number: Int) { self.number = number }
    }
}

/// Structures and enumerations as attributes, in each state that a row can have.
struct CompositeValueTests {
    private typealias Thing = Kinds.Thing

    private let folder: TemporaryFolder
    private let container: ModelContainer

    init() throws {
        folder = try TemporaryFolder()
        container = try ModelContainer(
            for: Thing.self, configurations: ModelConfiguration(url: folder.file("things.store")))
    }

    private static func everything(_ random: inout SeededGenerator) -> Kinds.Everything {
        func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }
        let texts = ["", "a", "\u{e9}\u{1F600}", String(repeating: "long ", count: 40), "zero\u{0}byte"]
        func text() -> String { texts.randomElement(using: &random) ?? "" }
        var value = Kinds.Everything()
        value.zebra = [0, -1, .max, .min, 42].randomElement(using: &random) ?? 0
        value.text = text()
        value.note = maybe(text())
        value.small = Int8.random(in: .min ... .max, using: &random)
        value.wide = UInt32.random(in: .min ... .max, using: &random)
        value.flag = Bool.random(using: &random)
        value.real = [0, -0.5, 3, 1e300, .leastNonzeroMagnitude].randomElement(using: &random) ?? 0
        value.single = Float.random(in: -9...9, using: &random)
        value.day = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -9...9, using: &random)))
        value.code = maybe(UUID())
        value.link = maybe(URL(fileURLWithPath: "/\(Int.random(in: 0...9, using: &random))"))
        value.money = Decimal(Int.random(in: -999...999, using: &random)) / 100
        value.size = [nil, .small, .large].randomElement(using: &random) ?? nil
        value.letter = [.a, .m, .z].randomElement(using: &random) ?? .a
        value.list = maybe([text(), text()]) ?? []
        value.data = maybe(Data([0, 1, 255])) ?? Data()
        return value
    }

    private func things(_ context: ModelContext) throws -> [Thing] {
        try context.fetch(FetchDescriptor<Thing>(sortBy: [SortDescriptor(\.number)]))
    }

    @Test func structuresOfAllKindsOfElementsAreReadAsWritten() throws {
        var random = SeededGenerator(seed: 5)
        let context = ModelContext(container)
        var wanted: [Kinds.Everything] = []
        for number in 0..<200 {
            let thing = Thing(number: number)
            let value = Self.everything(&random)
            thing.everything = value
            context.insert(thing)
            #expect(thing.everything == value)
            wanted.append(value)
        }
        try context.save()
        #expect(try things(context).map(\.everything) == wanted)
        let other = ModelContext(container)
        let found = try things(other)
        #expect(found.map(\.everything) == wanted)
        for (index, thing) in found.enumerated() {
            let value = Self.everything(&random)
            thing.number += 1000
            #expect(thing.everything == wanted[index])
            thing.everything = value
            #expect(thing.everything == value)
            wanted[index] = value
        }
        try other.save()
        #expect(try things(ModelContext(container)).map(\.everything) == wanted)
    }

    @Test func missingElementsAndMissingStructuresAreTakenBack() throws {
        let context = ModelContext(container)
        let thing = Thing(number: 1)
        context.insert(thing)
        thing.pair = Kinds.Pair(first: nil, second: "x")
        try context.save()
        thing.pair = Kinds.Pair(first: 2, second: nil)
        #expect(thing.pair == Kinds.Pair(first: 2, second: nil))
        context.rollback()
        #expect(thing.pair == Kinds.Pair(first: nil, second: "x"))
        thing.pair = nil
        #expect(thing.pair == nil)
        context.rollback()
        #expect(thing.pair?.second == "x")
        thing.pair = nil
        try context.save()
        #expect(try things(ModelContext(container)).first?.pair == nil)
        thing.pair = Kinds.Pair()
        try context.save()
        // Without any element it is as none, which is all that its columns can say.
        #expect(try things(ModelContext(container)).first?.pair == nil)
    }

    @Test func enumerationsAreReadAsSetBeforeAndAfterSaving() throws {
        let context = ModelContext(container)
        let thing = Thing(number: 1)
        context.insert(thing)
        for size in [Kinds.Size.small, .large] {
            for color in [nil, Kinds.Color.red, .green, .blue] {
                for letter in [Kinds.Letter.a, .q, .z] {
                    (thing.size, thing.color, thing.letter) = (size, color, letter)
                    #expect((thing.size, thing.letter) == (size, letter) && thing.color == color)
                    try context.save()
                    #expect((thing.size, thing.letter) == (size, letter) && thing.color == color)
                    let found = try #require(try things(ModelContext(container)).first)
                    #expect((found.size, found.letter) == (size, letter) && found.color == color)
                }
            }
        }
    }

    @Test func predicatesSeeWhatWasSetAndTakenBack() throws {
        let context = ModelContext(container)
        let thing = Thing(number: 1)
        context.insert(thing)
        thing.pair = Kinds.Pair(first: 1, second: "a")
        thing.color = .red
        try context.save()
        let (green, red) = (Kinds.Color.green, Kinds.Color.red)
        func count(_ predicate: Predicate<Thing>) throws -> Int {
            try context.fetchCount(FetchDescriptor(predicate: predicate))
        }
        #expect(try count(#Predicate { $0.color == red && $0.pair?.second == "a" }) == 1)
        for _ in 0..<2 {
            thing.color = .green
            thing.pair = Kinds.Pair(first: 2, second: "b")
            #expect(try count(#Predicate { $0.color == green && $0.pair?.second == "b" }) == 1)
            #expect(try count(#Predicate { $0.color == red || $0.pair?.first == 1 }) == 0)
            thing.pair = Kinds.Pair(first: 3, second: "c")
            #expect(try count(#Predicate { $0.pair?.first == 3 }) == 1)
            context.rollback()
            #expect(try count(#Predicate { $0.color == red && $0.pair?.second == "a" }) == 1)
            #expect(try count(#Predicate { $0.color == green || $0.pair?.second == "b" }) == 0)
        }
    }
}
#endif
