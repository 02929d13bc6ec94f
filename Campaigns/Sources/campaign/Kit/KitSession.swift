import CampaignCore
import Dispatch
import Foundation
import OpenCoreData
import OpenCoreDataKit

/// A database, what should be in it, and lists that show it.
@MainActor final class KitSession {
    enum Operation: String, CaseIterable {
        case write, failingWrite, concurrentWrites, read, main, discardedMain, draft, discardedDraft, nestedDraft
        case invalidDraft, importing, failingImport, cancelled, batch, summary, lists, erase, reopen, outside
    }

    private(set) var goods = Goods()
    var random: SplitMix64
    let configuration: Database.Configuration
    let files: [URL]
    private(set) var database: Database
    private var lists: [KitList] = []
    private var counts: [String: Int] = [:]
    /// The changes of the operation that runs.
    private var changes: [[GoodsChange]] = []
    private let isPlanted: Bool

    /// Whether the main context is notified of what others save.
    private var isTold: Bool { configuration.layout != .manual }

    init(_ seed: UInt64, _ folder: URL, isPlanted: Bool) async throws {
        random = SplitMix64(seed: seed)
        self.isPlanted = isPlanted
        goods.keepsRemoved = isPlanted && seed.isMultiple(of: 2)
        let (first, second) = (folder.appendingPathComponent("a.sqlite"), folder.appendingPathComponent("b.sqlite"))
        let stores: [Store]
        switch random.below(10) {
        case 0..<4: (stores, files) = ([.sqlite(at: first, watched: random.chance(40))], [first])
        case 4, 5:
            stores = [
                .sqlite(at: first, configuration: GoodsModel.goods),
                .sqlite(at: second, configuration: GoodsModel.notes),
            ]
            files = [first, second]
        case 6:
            stores = [
                .sqlite(at: first, configuration: GoodsModel.goods), .memory(configuration: GoodsModel.notes),
            ]
            files = []
        case 7: (stores, files) = ([.binary(at: first)], [])
        default: (stores, files) = ([.memory()], [])
        }
        configuration = Database.Configuration(
            name: "Kit", model: .value(GoodsModel.make()), stores: stores,
            layout: random.pick([.standard, .standard, .nested, .merging, .siblings, .manual]),
            writes: random.chance(50) ? .serial : .concurrent)
        database = try await Database.open(configuration)
        try makeLists()
    }

    /// Does random things.
    ///
    /// - Returns: How often each was done.
    func run(_ operations: Int) async throws -> [String: Int] {
        let choices = Operation.allCases + [.write, .write, .main, .main, .draft, .importing, .nestedDraft]
        var history: [String] = []
        for _ in 0..<operations {
            let operation = random.pick(choices)
            history.append(operation.rawValue)
            changes = []
            do {
                try await perform(operation)
                // Work that is awaited comes back to where it was asked for, in optimized builds, too.
                dispatchPrecondition(condition: .onQueue(.main))
                try await check("after \(operation.rawValue) on \(setting)")
            } catch let failure as CampaignFailure {
                throw CampaignFailure(
                    "\(operation.rawValue): \(failure.title)",
                    "\(failure.detail)\n\(history.joined(separator: ", "))\n\(changes)")
            } catch {
                throw CampaignFailure(
                    "\(operation.rawValue) fails",
                    "\(error) on \(setting)\n\(history.joined(separator: ", "))\n\(changes)")
            }
            counts["database: \(operation.rawValue)", default: 0] += 1
        }
        counts["operations", default: 0] += operations
        counts["batches of changes of lists", default: 0] += lists.reduce(0) { $0 + $1.batches }
        lists = []
        try await database.close()
        return counts
    }

    private var setting: String {
        "\(configuration.stores.map(\.type.rawValue)), \(configuration.layout), \(configuration.writes)"
    }

    private func perform(_ operation: Operation) async throws {
        switch operation {
        case .write: try await write()
        case .failingWrite: try await writeAndFail()
        case .concurrentWrites: try await writeConcurrently()
        case .read: try await read()
        case .main: try await changeMain(saves: true)
        case .discardedMain: try await changeMain(saves: false)
        case .draft: try await draft(commits: true)
        case .discardedDraft: try await draft(commits: false)
        case .nestedDraft: try await draftOnDraft()
        case .invalidDraft: try await correctDraft()
        case .importing: try await importRows()
        case .failingImport: try await importAndFail()
        case .cancelled: try await cancel()
        case .batch: try await batch()
        case .summary: try summarize()
        case .lists: try makeLists()
        case .erase: try await erase()
        case .reopen: try await reopen()
        case .outside: try await changeOutside()
        }
    }

    func makeChanges(atMost count: Int = 6) -> [GoodsChange] {
        let made = goods.changes(&random, atMost: count)
        changes.append(made)
        return made
    }

    func note(_ made: [GoodsChange]) { changes.append(made) }

    func apply(_ changes: [GoodsChange]) { goods.apply(changes) }

    func noteUnchecked(_ name: String) { counts["database: \(name)", default: 0] += 1 }

    func refetchLists() throws { for list in lists { try list.refetch() } }

    private func makeLists() throws {
        counts["batches of changes of lists", default: 0] += lists.reduce(0) { $0 + $1.batches }
        lists = try (0..<2).map { _ in
            let shape = KitList.Shape.random(&random)
            return try KitList(shape, database.main, forgetsBatch: isPlanted && !goods.keepsRemoved)
        }
    }

    // MARK: Looking

    /// Compares the main context, the lists, and at times other readers, with what should be there.
    private func check(_ setting: String) async throws {
        await database.settle()
        let main = database.main
        if !isTold {
            main.refreshAllObjects()
            for list in lists { try list.refetch() }
        }
        try main.requireInvariants()
        try goods.check(Goods.read(main), "main context \(setting)")
        for list in lists { try list.check(goods, setting) }
        guard random.chance(20) else { return }
        let goods = goods
        try goods.check(try await database.read { try Goods.read($0) }, "read \(setting)")
        if !files.isEmpty { try goods.check(try readFiles(), "files \(setting)") }
    }

    /// What a plain coordinator of the engine finds in the files.
    private func readFiles() throws -> Goods {
        let stack = try PlainStack(configuration, files)
        defer { stack.close() }
        return try stack.context.performAndWait { try Goods.read(stack.context) }
    }

    // MARK: The database as a whole

    private func erase() async throws {
        guard random.chance(40) else { return }
        lists = []
        try await database.erase()
        forgetAll()
        try makeLists()
    }

    private func forgetAll() {
        goods.items = [:]
        goods.notes = [:]
    }

    private func reopen() async throws {
        lists = []
        try await database.close()
        do {
            try await database.write { _ = try Goods.read($0) }
            throw KitCampaign.failure("A closed database can be written")
        } catch is DatabaseError {}
        database = try await Database.open(configuration)
        for store in configuration.stores where store.type == .inMemory {
            if store.configuration != GoodsModel.notes { goods.items = [:] }
            if store.configuration != GoodsModel.goods { goods.notes = [:] }
        }
        try makeLists()
    }

    /// A plain coordinator of the engine changes the files, as another process would.
    private func changeOutside() async throws {
        // Nested contexts don't follow other processes.
        let follows = configuration.layout.merging != .none || configuration.layout == .manual
        guard follows, configuration.stores.allSatisfy(\.watched), !files.isEmpty else { return }
        let changes = makeChanges()
        let stack = try PlainStack(configuration, files)
        try stack.context.performAndWait {
            for change in changes { try change.apply(in: stack.context) }
            try stack.context.save()
        }
        stack.close()
        apply(changes)
        let deadline = Date.now.addingTimeInterval(30)
        while Date.now < deadline {
            if configuration.layout == .manual {
                database.main.refreshAllObjects()
                try refetchLists()
            }
            if try Goods.read(database.main) == goods, lists.allSatisfy({ $0.shows(goods) }) { break }
            try await Task.sleep(nanoseconds: 2_000_000)
        }
        noteUnchecked("changes from outside")
    }
}
