import CampaignCore
import Foundation
import OpenCoreData
import OpenCoreDataKit
import Synchronization

/// What a server does with a database in SQLite: reads, writes, imports, live lists, backups, deleting old history. The
/// data stays as large as it was.
final class SoakLoad: Sendable {
    private static let codes = 4_000
    let database: Database
    private let folder: URL
    private let seed: UInt64
    /// What is done; everything when empty.
    private let only: Set<String>
    private let counts = Mutex<[String: Int]>([:])
    private let over = Mutex(false)
    private let failure = Mutex<String?>(nil)

    static func file(in folder: URL) -> URL { folder.appendingPathComponent("Soak.sqlite") }

    init(_ folder: URL, seed: UInt64, only: Set<String> = []) async throws {
        self.only = only
        self.folder = folder
        self.seed = seed
        database = try await Database.open(
            Database.Configuration(
                name: "Soak", model: .value(GoodsModel.make()),
                stores: [.sqlite(at: Self.file(in: folder), watched: true)],
                layout: .siblings))
        try await database.importing { context in
            let rows = (1...Self.codes).map { GoodsRow(code: Int64($0), title: "T\($0)", score: Int64($0 % 9)) }
            try context.upsert(rows, into: Item.self, key: \.code) { try $0.fill($1, in: context) }
        }
    }

    var tally: [String: Int] { counts.withLock { $0 } }
    var operations: Int { tally.values.reduce(0, +) }
    /// The first thing that went wrong.
    var problem: String? { failure.withLock { $0 } }
    private var isOver: Bool { over.withLock { $0 } || problem != nil }

    func end() { over.withLock { $0 = true } }

    /// Works until the end; returns when all has stopped.
    func work() async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<2 {
                group.addTask { await self.loop("write", number, pause: 4) { try await self.write(&$0) } }
            }
            for number in 2..<5 {
                group.addTask { await self.loop("read", number, pause: 2) { try await self.read(&$0) } }
            }
            group.addTask { await self.loop("draft", 5, pause: 20) { try await self.draft(&$0) } }
            group.addTask { await self.loop("import", 6, pause: 700) { try await self.importRows(&$0) } }
            group.addTask { await self.loop("list", 7, pause: 60) { try await self.list(&$0) } }
            group.addTask { await self.loop("backup", 8, pause: 5_000) { _ in try await self.backUp() } }
            group.addTask { await self.loop("purge", 9, pause: 3_000) { _ in try await self.purge() } }
            group.addTask { await self.loop("generation", 10, pause: 150) { try await self.pin(&$0) } }
        }
    }

    private func loop(
        _ name: String, _ number: Int, pause: UInt64, _ body: (inout SplitMix64) async throws -> Void
    ) async {
        guard only.isEmpty || only.contains(name) else { return }
        var random = SplitMix64(seed: seed, case: number)
        while !isOver {
            do {
                try await body(&random)
                counts.withLock { $0[name, default: 0] += 1 }
            } catch {
                failure.withLock { $0 = $0 ?? "\(name) fails: \(error)" }
            }
            // Short sleeps, so that the end is not waited for.
            for _ in 0..<(1 + pause / 500) where !isOver {
                try? await Task.sleep(nanoseconds: min(pause, 500) * 1_000_000)
            }
        }
    }

    private func write(_ random: inout SplitMix64) async throws {
        let rows = (0..<(1 + random.below(10))).map { _ in
            GoodsRow.random(Int64(1 + random.below(Self.codes)), &random)
        }
        // One that goes and comes again.
        let code = Int64(1 + random.below(Self.codes))
        let other = GoodsRow.random(code, &random)
        try await database.write { context in
            try GoodsChange.remove(code).apply(in: context)
            try context.save()
            for row in rows + [other] { try row.put(in: context) }
        }
    }

    private func read(_ random: inout SplitMix64) async throws {
        let score = Int64(random.below(9))
        let city = random.pick(["a", "b", "c"])
        try await database.read { context in
            let query = Query(Item.self).filter(NSPredicate(format: "score == %d AND city == %@", score, city))
            for item in try context.all(query.limit(200)) { _ = item.row }
            _ = try context.count(Query(Item.self).filter(NSPredicate(format: "score > %d", score)))
        }
    }

    private func draft(_ random: inout SplitMix64) async throws {
        let row = GoodsRow.random(Int64(1 + random.below(Self.codes)), &random)
        let draft = database.draft()
        try await draft.perform { try row.put(in: $0) }
        guard random.chance(50) else { return await draft.discard() }
        // Others may have changed the row since.
        do { try await draft.commit() } catch DatabaseError.conflict { await draft.discard() }
    }

    private func importRows(_ random: inout SplitMix64) async throws {
        let rows = (0..<500).map { _ in GoodsRow.random(Int64(1 + random.below(Self.codes)), &random) }
        try await database.importing { context in
            try context.upsert(rows, into: Item.self, batchSize: 100, key: \.code) { try $0.fill($1, in: context) }
        }
    }

    /// A list on the main queue, for as long as a few changes come.
    private func list(_ random: inout SplitMix64) async throws {
        let shape = KitList.Shape.random(&random)
        let pause = UInt64(random.below(200))
        try await show(shape, milliseconds: pause)
    }

    @MainActor private func show(_ shape: KitList.Shape, milliseconds: UInt64) async throws {
        let list = try KitList(shape, database.main, forgetsBatch: false)
        try await Task.sleep(nanoseconds: milliseconds * 1_000_000)
        try list.checkRules()
    }

    private func backUp() async throws {
        try await database.backup(to: folder.appendingPathComponent("Backup.sqlite"), replacesExisting: true)
    }

    private func purge() async throws {
        let date = Date.now.addingTimeInterval(-5)
        try await database.read { context in
            _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: date))
        }
    }

    /// A reader that keeps to one state for a while.
    private func pin(_ random: inout SplitMix64) async throws {
        let pause = UInt64(random.below(100))
        let context = database.context()
        let count = try await context.perform {
            // Contexts of the database may sit on a writer, where generations are not supported.
            if context.parent == nil { try context.setQueryGenerationFrom(.current) }
            return try context.count(Query(Item.self))
        }
        try await Task.sleep(nanoseconds: pause * 1_000_000)
        try await context.perform {
            guard context.parent == nil else { return }
            let again = try context.count(Query(Item.self))
            guard again == count else { throw CampaignFailure("A generation changes", "\(count), \(again)") }
            try context.setQueryGenerationFrom(nil)
        }
    }
}
