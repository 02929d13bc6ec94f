import OpenCoreDataKit
import TestSupport
import Testing

/// Random blocks of every kind at a time: what they have read and written is explained by one order of them.
@Suite struct HistoryTests {
    private static let keys = (0..<6).map { "list \($0)" }
    private struct GivenUp: Error {}

    private enum Kind: CaseIterable {
        case write, saving, importing, batch, draft, read, failing, cancelled, replaced
    }

    private static func values(_ villager: Villager?) -> [Int] {
        (villager?.street ?? "").split(separator: ",").compactMap { Int($0) }
    }

    private static func lists(_ database: Database) async throws -> [String: [Int]] {
        try await database.read { context in
            Dictionary(uniqueKeysWithValues: try context.villagers().map { ($0.name ?? "", values($0)) })
        }
    }

    /// Runs blocks on two databases on one store.
    private static func run(_ blocks: Int, seed: UInt64, layout: Layout, planted: Bool = false) async throws -> [String]
    {
        let first = try await Village.open(.disk, layout: layout)
        let second = try await Village.open(.disk, layout: layout, in: first.folder)
        for key in keys { try await first.settle(key) }
        let history = SerialHistory()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                let database = worker % 2 == 0 ? first.database : second.database
                group.addTask {
                    var random = SeededGenerator(seed: seed &+ UInt64(worker))
                    for number in 0..<blocks / 8 {
                        var kind = Kind.allCases[random.below(Kind.allCases.count - 1)]
                        if planted, number % 8 == 3 { kind = .replaced }
                        await perform(kind, "\(worker).\(number)", database, history, &random)
                    }
                }
            }
        }
        return history.anomalies(try await lists(first.database))
    }

    private static func perform(
        _ kind: Kind, _ name: String, _ database: Database, _ history: SerialHistory, _ random: inout SeededGenerator
    ) async {
        let chosen = Array(keys.shuffled(using: &random).prefix(1 + random.below(3)))
        let appended = Array(chosen.prefix(kind == .draft ? chosen.count : 1 + random.below(chosen.count)))
        let additions = Dictionary(uniqueKeysWithValues: appended.map { ($0, history.makeValue()) })
        var block = SerialHistory.Block("\(name) \(kind)")
        if kind != .read { block.appends = additions }
        let began = history.begin()
        do {
            block.reads = try await attempt(kind, chosen, additions, database)
            history.end(block, .done, began: began)
        } catch {
            history.end(block, .undone, began: began)
        }
    }

    /// - Returns: What was read.
    private static func attempt(
        _ kind: Kind, _ chosen: [String], _ additions: [String: Int], _ database: Database
    ) async throws -> [String: [Int]] {
        let change: @Sendable (Context, Bool) throws -> [String: [Int]] = { context, isBatch in
            var reads: [String: [Int]] = [:]
            for key in chosen { reads[key] = values(try context.villager(key)) }
            for (key, value) in additions.sorted(by: { $0.key < $1.key }) {
                let text = ((reads[key] ?? []) + [value]).map(String.init).joined(separator: ",")
                if isBatch {
                    _ = try context.batchUpdate(Query(Villager.self).filter("name == %@", key), set: ["street": text])
                } else {
                    try context.villager(key)?.street = text
                }
            }
            return reads
        }
        switch kind {
        case .write: return try await database.write { try change($0, false) }
        case .saving:
            return try await database.write { context in
                let reads = try change(context, false)
                try context.save()
                for key in chosen { _ = values(try context.villager(key)) }
                return reads
            }
        case .importing: return try await database.importing { try change($0, false) }
        case .batch: return try await database.write { try change($0, true) }
        case .draft:
            let draft = database.draft()
            let reads = try await draft.perform { try change($0, false) }
            await Task.yield()
            try await draft.commit()
            return reads
        case .read:
            return try await database.read { context in
                Dictionary(uniqueKeysWithValues: try chosen.map { ($0, values(try context.villager($0))) })
            }
        case .failing:
            return try await database.write { context in
                _ = try change(context, chosen.count % 2 == 0)
                try context.save()
                throw GivenUp()
            }
        case .cancelled:
            let task = Task { try await database.write { try change($0, false) } }
            await Task.yield()
            task.cancel()
            return try await task.value
        case .replaced:
            // What databases must not do: read, and overwrite what others have written since.
            let context = database.context()
            context.mergePolicy = NSMergePolicy.overwrite
            return try await context.perform {
                let reads = try change(context, false)
                Thread.sleep(forTimeInterval: 0.005)
                try context.save()
                return reads
            }
        }
    }

    @Test(arguments: [Layout.standard, .nested, .siblings, .manual])
    func oneOrderExplainsWhatBlocksHaveReadAndWritten(_ layout: Layout) async throws {
        let anomalies = try await Self.run(800, seed: UInt64.random(in: 0...UInt64.max), layout: layout)
        #expect(anomalies == [])
    }

    @Test func anOverwrittenListIsFound() async throws {
        let anomalies = try await Self.run(800, seed: 7, layout: .standard, planted: true)
        #expect(!anomalies.isEmpty)
    }

    @Test func contradictionsAreFound() {
        func history(_ blocks: [(reads: [String: [Int]], appends: [String: Int])]) -> SerialHistory {
            let history = SerialHistory()
            // All at a time.
            let began = blocks.map { _ in history.begin() }
            for (index, (reads, appends)) in blocks.enumerated() {
                var block = SerialHistory.Block("\(index)")
                (block.reads, block.appends) = (reads, appends)
                history.end(block, .done, began: began[index])
            }
            return history
        }
        let lists = ["x": [1], "y": [2]]
        // Each has read what the other has not written yet.
        let skew = history([(["x": [], "y": []], ["x": 1]), (["x": [], "y": []], ["y": 2])])
        #expect(skew.anomalies(lists).count == 1)
        let serial = history([(["x": [], "y": []], ["x": 1]), (["x": [1], "y": []], ["y": 2])])
        #expect(serial.anomalies(lists) == [])
        // A read of half of a block.
        let torn = history([([:], ["x": 1, "y": 2]), (["x": [1], "y": []], [:])])
        #expect(torn.anomalies(lists).count == 1)
        // Later, and yet it has seen less.
        let late = SerialHistory()
        var block = SerialHistory.Block("a")
        block.appends = ["x": 1]
        late.end(block, .done, began: late.begin())
        block = SerialHistory.Block("b")
        block.reads = ["x": []]
        late.end(block, .done, began: late.begin())
        #expect(late.anomalies(["x": [1]]).count == 1)
        let lost = history([([:], ["x": 3])])
        #expect(lost.anomalies(lists).count == 1)
    }
}
