#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

/// Another order than that of the raw values.
private enum Grade: String, Codable, Comparable, CaseIterable {
    case low, medium, high

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }
}
private enum Step: Int, Codable, CaseIterable {
    case first = 3
    case second = 1
    case third = 2
}
private enum Weather: Codable, CaseIterable, Hashable { case spring, summer, winter }

private struct Site: Codable, Hashable {
    var city: String
    var grade: Grade?
    var zips: [Int] = []
}

private enum Works {
    @Model class Worker {
        var key: Int
        var grade: Grade = Grade.low
        var next: Grade?
        var step: Step?
        var season: Weather?
        var home: Site = Site(city: "")
        var place: Site?
        var words: Set<String> = []
        var names: [String] = []
        var link: URL?
        var wide: UInt32 = 0
        var small: UInt16?
        var size: UInt8 = 0
        @Attribute(.codable) var note: Site?
        @Attribute(.ephemeral) var mark: Int = 0
        var chief: Worker?
        @Relationship(inverse: \Worker.chief) var team: [Worker] = []
        @Relationship(inverse: \Tool.owner) var tools: [Tool] = []
        init(key: Int) { self.key = key }
    }

    @Model final class Boss: Worker {
        var bonus: Grade = Grade.high
        override init(key: Int) { super.init(key: key) }
    }

    @Model final class Tool {
        var key: Int
        var grade: Grade = Grade.low
        var step: Step?
        var season: Weather?
        var place: Site?
        var words: Set<String> = []
        var wide: UInt64 = 0
        var owner: Worker?
        var maker: Worker?
        init(key: Int) { self.key = key }
    }
}

// @unchecked Sendable because the models are used by one test, on one thread.
/// A constant of a predicate has to be so.
extension Works.Tool: Codable, @unchecked Sendable {
    convenience init(from decoder: any Decoder) throws { self.init(key: try Int(from: decoder)) }
    func encode(to encoder: any Encoder) throws { try key.encode(to: encoder) }
}

/// Predicates with what a store has in another form than Swift find what Swift's own evaluation finds, in members, too.
struct PredicateMemberTests {
    private typealias Worker = Works.Worker
    private typealias Tool = Works.Tool

    // MARK: Models

    private struct Seeds {
        var random: SeededGenerator

        mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        mutating func one<Element>(of list: [Element]) -> Element { list[number(list.count)] }
        mutating func few<Element>(of list: [Element]) -> [Element] { list.filter { _ in number(2) == 0 } }

        mutating func place() -> Site? {
            number(3) == 0
                ? nil : Site(city: one(of: ["a", "b"]), grade: one(of: [nil, .low, .high]), zips: few(of: [1, 2]))
        }

        mutating func worker(_ key: Int) -> Worker {
            let worker = number(4) == 0 ? Works.Boss(key: key) : Worker(key: key)
            worker.grade = one(of: Grade.allCases)
            worker.next = one(of: [nil] + Grade.allCases)
            worker.step = one(of: [nil] + Step.allCases)
            worker.season = one(of: [nil] + Weather.allCases)
            worker.home = place() ?? Site(city: "c")
            worker.place = place()
            worker.words = Set(few(of: ["a", "b"]))
            worker.names = few(of: ["a", "b"])
            worker.link = one(of: [nil, URL(string: "a:b")])
            worker.wide = one(of: [1, 2, .max])
            worker.small = one(of: [nil, 1, 2, .max])
            worker.size = one(of: [1, 2, .max])
            worker.note = place()
            return worker
        }

        mutating func tool(_ key: Int, _ workers: [Worker]) -> Tool {
            let tool = Tool(key: key)
            tool.grade = one(of: Grade.allCases)
            tool.step = one(of: [nil] + Step.allCases)
            tool.season = one(of: [nil] + Weather.allCases)
            tool.place = place()
            tool.words = Set(few(of: ["a", "b"]))
            tool.wide = one(of: [1, 2, .max])
            tool.owner = one(of: workers)
            tool.maker = one(of: [nil] + workers)
            return tool
        }

        // MARK: Predicates

        mutating func predicate(_ workers: [Worker], _ tools: [Tool]) -> Predicate<Worker> {
            let values = Values(
                grade: one(of: Grade.allCases), step: one(of: Step.allCases), season: one(of: Weather.allCases),
                place: place(), worker: one(of: workers), tool: one(of: tools), workers: few(of: workers),
                tools: few(of: tools), wide: one(of: [0, 1, .max]))
            return one(of: [identities, enumerations, structures, members, orders])(values, number(10))
        }
    }

    private struct Values {
        let grade: Grade
        let step: Step
        let season: Weather
        let place: Site?
        let worker: Worker
        let tool: Tool
        let workers: [Worker]
        let tools: [Tool]
        let wide: UInt32
    }

    private static func identities(_ v: Values, _ kind: Int) -> Predicate<Worker> {
        let (tool, id, toolID) = (v.tool, v.worker.persistentModelID, v.tool.persistentModelID)
        let (ids, tools) = (v.workers.map(\.persistentModelID), Set(v.tools))
        let toolIDs = Set(v.tools.map(\.persistentModelID))
        switch kind {
        case 0: return #Predicate { $0.tools.contains { $0.persistentModelID == toolID } }
        case 1: return #Predicate { $0.tools.contains { $0 == tool } }
        case 2: return #Predicate { $0.tools.contains { $0.maker?.persistentModelID == id } }
        case 3: return #Predicate { $0.tools.contains { toolIDs.contains($0.persistentModelID) } }
        case 4: return #Predicate { !ids.contains($0.persistentModelID) }
        case 5: return #Predicate { $0.tools.filter { $0.maker?.persistentModelID == id }.count > 0 }
        case 6: return #Predicate { $0.tools.allSatisfy { $0.maker?.persistentModelID != id } }
        case 7: return #Predicate { $0.chief?.persistentModelID == id || $0.persistentModelID == id }
        case 8: return #Predicate { $0.tools.contains { tools.contains($0) } }
        default: return #Predicate { $0.tools.contains(tool) }
        }
    }

    private static func enumerations(_ v: Values, _ kind: Int) -> Predicate<Worker> {
        let (grade, step, season) = (v.grade, v.step, v.season)
        let (seasons, grades, steps) = ([season, .winter], Set([grade, .low]), [step, .first])
        let missing: Weather? = nil
        let summer = Weather.summer
        switch kind {
        case 0: return #Predicate { $0.tools.contains { $0.season == season } }
        case 1: return #Predicate { $0.tools.contains { $0.season != season } }
        case 2: return #Predicate { $0.tools.contains { $0.step == step } }
        case 3: return #Predicate { grades.contains($0.grade) }
        case 4: return #Predicate { $0.season.flatMap { seasons.contains($0) } == true }
        case 5: return #Predicate { $0.step.flatMap { steps.contains($0) } == true }
        case 6: return #Predicate { $0.tools.allSatisfy { $0.season == missing } }
        case 7: return #Predicate { ($0.season ?? season) == summer }
        case 8: return #Predicate { $0.chief?.grade == $0.next }
        default: return #Predicate { $0.chief?.season == season || $0.chief?.grade == grade }
        }
    }

    private static func structures(_ v: Values, _ kind: Int) -> Predicate<Worker> {
        let (place, grade) = (v.place, v.grade)
        let home = place ?? Site(city: "c")
        let places = [home, Site(city: "a")]
        let link = URL(string: "a:b")
        switch kind {
        case 0: return #Predicate { $0.home == home }
        case 1: return #Predicate { $0.place != place }
        case 2: return #Predicate { $0.words.contains("a") }
        case 3: return #Predicate { $0.tools.contains { $0.place == home || $0.words.contains("b") } }
        case 4: return #Predicate { places.contains($0.home) }
        case 5: return #Predicate { $0.note == place }
        case 6: return #Predicate { $0.names.contains("b") && $0.note == nil }
        case 7: return #Predicate { $0.place?.grade == grade }
        case 8: return #Predicate { $0.tools.contains { $0.place?.grade == grade && $0.place != nil } }
        default: return #Predicate { $0.link == link && !$0.names.isEmpty }
        }
    }

    private static func members(_ v: Values, _ kind: Int) -> Predicate<Worker> {
        let (tool, id, grade, season) = (v.tool, v.worker.persistentModelID, v.grade, v.season)
        switch kind {
        case 0: return #Predicate { $0.team.contains { $0.tools.contains { $0 == tool } } }
        case 1: return #Predicate { $0.team.contains { $0.tools.contains { $0.season == season } } }
        case 2: return #Predicate { $0.tools.filter { $0.grade == grade }.count == 1 }
        case 3: return #Predicate { item in item.tools.contains { $0.grade == item.grade } }
        case 4: return #Predicate { $0.chief?.tools.contains { $0.season == season } == true }
        case 5: return #Predicate { $0.tools.allSatisfy { $0.owner?.season == season } }
        case 6: return #Predicate { $0.team.contains { $0.chief?.persistentModelID == id } }
        case 7: return #Predicate { $0.tools.filter { $0.season == season }.contains { $0.grade == grade } }
        case 8: return #Predicate { $0.mark == 0 && $0.tools.count > 0 }
        default: return #Predicate { $0.tools.contains { $0.maker?.chief?.persistentModelID == id } }
        }
    }

    private static func orders(_ v: Values, _ kind: Int) -> Predicate<Worker> {
        let (grade, wide) = (v.grade, v.wide)
        let (long, short) = (UInt64(wide), UInt16(truncatingIfNeeded: wide))
        let (low, grades, zero) = (Grade.low, Grade.low...grade, UInt16(0))
        switch kind {
        case 0: return #Predicate { $0.grade < grade }
        case 1: return #Predicate { $0.grade >= grade }
        case 2: return #Predicate { grades.contains($0.grade) }
        case 3: return #Predicate { ($0.next ?? grade) > low }
        case 4: return #Predicate { $0.tools.contains { $0.grade > grade } }
        case 5: return #Predicate { $0.wide > wide || $0.wide == 1 }
        case 6: return #Predicate { ($0.small ?? zero) <= short }
        case 7: return #Predicate { $0.tools.contains { $0.wide > long } }
        case 8: return #Predicate { ($0 as? Works.Boss).flatMap { $0.bonus > grade } == true }
        default: return #Predicate { ($0.place?.grade ?? low) < grade }
        }
    }

    // MARK: Comparing

    private static let count =
        (ProcessInfo.processInfo.environment["OPENCOREDATA_PREDICATES"].flatMap { Int($0) } ?? 3_000) / 30

    private static func container(_ folder: TemporaryFolder, _ kind: StoreKind = .file) throws -> ModelContainer {
        var place = try kind.configuration(folder)
        place.allowsUnverifiedEncodings = true
        return try ModelContainer(for: Worker.self, Works.Boss.self, configurations: place)
    }

    private static func fill(_ context: ModelContext, _ seeds: inout Seeds) throws {
        var workers: [Worker] = []
        for key in 0..<12 {
            let worker = seeds.worker(key)
            if key > 3 { worker.chief = workers[seeds.number(key)] }
            workers.append(worker)
        }
        for key in 0..<20 { context.insert(seeds.tool(key, workers)) }
        for worker in workers { context.insert(worker) }
        try context.save()
    }

    @Test(arguments: 1..<UInt64(11), StoreKind.here)
    func aStoreFindsWhatSwiftFinds(_ seed: UInt64, _ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        var seeds = Seeds(random: SeededGenerator(seed: seed))
        let container = try Self.container(folder, kind)
        try Self.fill(ModelContext(container), &seeds)
        let context = ModelContext(container)
        let workers = try context.fetch(FetchDescriptor<Worker>(sortBy: [SortDescriptor(\.key)]))
        let tools = try context.fetch(FetchDescriptor<Tool>(sortBy: [SortDescriptor(\.key)]))
        try #require(workers.count == 12 && tools.count == 20)
        for _ in 0..<Self.count {
            let predicate = seeds.predicate(workers, tools)
            let wanted = try workers.filter { try predicate.evaluate($0) }.map(\.key)
            let found = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.key).sorted()
            try #require(found == wanted, "Seed \(seed): \(predicate)")
            try #require(try context.fetchCount(FetchDescriptor(predicate: predicate)) == wanted.count)
        }
    }

    // MARK: Orders and limits

    @Test func modelsAreSortedAsSwiftSortsTheValues() throws {
        let folder = try TemporaryFolder()
        var seeds = Seeds(random: SeededGenerator(seed: 5))
        let container = try Self.container(folder)
        let context = ModelContext(container)
        try Self.fill(context, &seeds)
        let workers = try context.fetch(FetchDescriptor<Worker>())
        for worker in workers { worker.mark = (worker.key * 7) % 5 }
        try context.save()
        for order in [
            SortDescriptor(\Worker.grade), SortDescriptor(\Worker.next, order: .reverse), SortDescriptor(\Worker.wide),
            SortDescriptor(\Worker.small), SortDescriptor(\Worker.mark), SortDescriptor(\Worker.size, order: .reverse),
            SortDescriptor(\Worker.chief?.grade), SortDescriptor(\Worker.place?.city),
        ] {
            let sort = [order, SortDescriptor(\Worker.key)]
            let found = try context.fetch(FetchDescriptor<Worker>(sortBy: sort)).map(\.key)
            #expect(found == workers.sorted(using: sort).map(\.key), "\(order)")
        }
    }

    @Test(arguments: [false, true]) func aLimitOfZeroIsNone(_ isEvaluatedInMemory: Bool) throws {
        let folder = try TemporaryFolder()
        let context = ModelContext(try Self.container(folder))
        for key in 0..<6 { context.insert(Worker(key: key)) }
        try context.save()
        let low = Grade.low
        var descriptor = FetchDescriptor<Worker>(sortBy: [SortDescriptor(\.key)])
        if isEvaluatedInMemory { descriptor.predicate = #Predicate { $0.grade <= low } }
        func found(_ limit: Int?, _ offset: Int?) throws -> [Int] {
            descriptor.fetchLimit = limit
            descriptor.fetchOffset = offset
            let keys = try context.fetch(descriptor).map(\.key)
            #expect(try context.fetchCount(descriptor) == keys.count)
            #expect(try context.fetch(descriptor, batchSize: 2).map(\.key) == keys)
            return keys
        }
        #expect(try found(0, nil) == [0, 1, 2, 3, 4, 5])
        #expect(try found(-2, -3) == [0, 1, 2, 3, 4, 5])
        #expect(try found(2, 3) == [3, 4])
        #expect(try found(.max, .max) == [])
        #expect(try found(nil, 4) == [4, 5])
    }
}
#endif
