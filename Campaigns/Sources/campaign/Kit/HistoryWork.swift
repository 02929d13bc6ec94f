import CampaignCore
import Foundation
import OpenCoreData
import OpenCoreDataKit
import TestSupport

/// What one process does for a history: random blocks of every kind at a time, on one or two databases on one store.
struct HistoryWork: Codable {
    /// The folder of the file, or the URL of a schema of a server.
    var store: URL
    var layout: Int
    var seed: UInt64
    /// How many blocks there are.
    var blocks: Int
    var databases: Int
    /// Whether some blocks do what databases must not do.
    var isPlanted: Bool
    /// Where the blocks are noted.
    var log: String
    /// From where on the values are this process's.
    var firstValue: Int

    static let layouts = [Layout.standard, .nested, .merging, .siblings, .manual]
    static let codes = Array(Int64(0)..<6)

    private struct GivenUp: Error {}

    private enum Kind: CaseIterable {
        case write, saving, importing, batch, draft, read, failing, cancelled
        /// What databases must not do: read, and overwrite what others have written since.
        case replaced
    }

    // MARK: The database

    func open() async throws -> Database {
        try await Database.open(
            Database.Configuration(
                name: "History", model: .value(GoodsModel.make()), stores: [HistoryStore.store(at: store)],
                layout: Self.layouts[layout]))
    }

    /// Makes the lists.
    static func fill(_ database: Database) async throws {
        try await database.write { context in
            for code in codes {
                let item = try context.create(Item.self)
                (item.code, item.title) = (code, "")
            }
        }
    }

    /// The lists as they are.
    static func lists(_ database: Database) async throws -> [String: [Int]] {
        try await database.read { context in
            Dictionary(uniqueKeysWithValues: try context.all(Item.self).map { ("\($0.code)", values($0)) })
        }
    }

    private static func values(_ item: Item?) -> [Int] {
        (item?.title ?? "").split(separator: ",").compactMap { Int($0) }
    }

    // MARK: Blocks

    /// Runs the blocks, in eight tasks.
    func run() async throws {
        var databases: [Database] = []
        for _ in 0..<self.databases { databases.append(try await open()) }
        let log = try HistoryLog(log, firstValue: firstValue)
        var random = SplitMix64(seed: seed)
        let seeds = (0..<8).map { _ in random.next() }
        await withTaskGroup(of: Void.self) { [databases] group in
            for (worker, seed) in seeds.enumerated() {
                let database = databases[worker % databases.count]
                group.addTask {
                    var random = SplitMix64(seed: seed)
                    for number in 0..<max(1, blocks / seeds.count) {
                        var kind = random.pick(Array(Kind.allCases.dropLast()))
                        if isPlanted, number % 8 == 3 { kind = .replaced }
                        await perform(kind, "\(firstValue) \(worker).\(number)", database, log, &random)
                    }
                }
            }
        }
        for database in databases { try await database.close() }
    }

    private func perform(
        _ kind: Kind, _ name: String, _ database: Database, _ log: HistoryLog, _ random: inout SplitMix64
    ) async {
        var rest = Self.codes
        let chosen = (0...random.below(3)).map { _ in rest.remove(at: random.below(rest.count)) }
        // A draft compares what it changes alone.
        let appended = kind == .draft ? chosen : Array(chosen.prefix(1 + random.below(chosen.count)))
        let additions = Dictionary(uniqueKeysWithValues: appended.map { ($0, log.makeValue()) })
        var block = SerialHistory.Block("\(name) \(kind)")
        if kind != .read {
            block.appends = Dictionary(uniqueKeysWithValues: additions.map { ("\($0.key)", $0.value) })
        }
        let began = log.begin(block)
        do {
            let reads = try await attempt(kind, chosen, additions, database)
            block.reads = Dictionary(uniqueKeysWithValues: reads.map { ("\($0.key)", $0.value) })
            log.end(block, .done, began: began)
        } catch {
            log.end(block, .undone, began: began)
        }
    }

    /// Reads some lists and appends to some of them.
    private static func change(
        _ chosen: [Int64], _ additions: [Int64: Int], _ context: Context, isBatch: Bool = false
    ) throws -> [Int64: [Int]] {
        var reads: [Int64: [Int]] = [:]
        for code in chosen { reads[code] = values(try context.object(Item.self, key: code)) }
        for (code, value) in additions.sorted(by: { $0.key < $1.key }) {
            let text = ((reads[code] ?? []) + [value]).map(String.init).joined(separator: ",")
            if isBatch {
                _ = try context.batchUpdate(Query(Item.self).filter("code == %@", code), set: ["title": text])
            } else {
                try context.object(Item.self, key: code)?.title = text
            }
        }
        return reads
    }

    private func attempt(
        _ kind: Kind, _ chosen: [Int64], _ additions: [Int64: Int], _ database: Database
    ) async throws -> [Int64: [Int]] {
        switch kind {
        case .write: return try await database.write { try Self.change(chosen, additions, $0) }
        case .saving:
            return try await database.write { context in
                let reads = try Self.change(chosen, additions, context)
                try context.save()
                return reads
            }
        case .importing: return try await database.importing { try Self.change(chosen, additions, $0) }
        case .batch: return try await database.write { try Self.change(chosen, additions, $0, isBatch: true) }
        case .draft:
            let draft = database.draft()
            let reads = try await draft.perform { try Self.change(chosen, additions, $0) }
            await Task.yield()
            try await draft.commit()
            return reads
        case .read: return try await database.read { try Self.change(chosen, [:], $0) }
        case .failing:
            return try await database.write { context in
                _ = try Self.change(chosen, additions, context, isBatch: chosen.count == 2)
                try context.save()
                throw GivenUp()
            }
        case .cancelled:
            let task = Task { try await database.write { try Self.change(chosen, additions, $0) } }
            await Task.yield()
            task.cancel()
            return try await task.value
        case .replaced:
            let context = database.context()
            context.mergePolicy = NSMergePolicy.overwrite
            return try await context.perform {
                let reads = try Self.change(chosen, additions, context)
                Thread.sleep(forTimeInterval: 0.005)
                try context.save()
                return reads
            }
        }
    }
}
