import CampaignCore
import Foundation
import OpenCoreData

/// One of the libraries over the kit, with the verbs that programs use every day.
@MainActor protocol GoodsLibrary: AnyObject {
    /// - Parameter file: The store; nil for one in memory.
    static func open(_ file: URL?) async throws -> Self

    /// The context that a program shows on its screen.
    var context: NSManagedObjectContext { get }

    /// Makes items, or changes those that are there, and saves.
    func put(_ rows: [GoodsRow]) async throws
    func set(_ code: Int64, score: Int64) async throws
    func remove(_ code: Int64) async throws
    func clear(_ score: Int64) async throws
    /// Makes a change and takes it back.
    func forget(_ row: GoodsRow) async throws

    /// The items from a score on, in the order of their codes.
    func find(atLeast score: Int64) throws -> [GoodsRow]
    func count(atLeast score: Int64) throws -> Int
    func one(_ code: Int64) throws -> GoodsRow?
}

/// Random use of a library.
@MainActor enum LibrarySession {
    static func run(_ input: KitCampaign.Input, _ folder: URL, isPlanted: Bool) async throws -> [String: Int] {
        let library: any GoodsLibrary
        var random = SplitMix64(seed: input.seed)
        let file = random.chance(40) ? folder.appendingPathComponent("Library.sqlite") : nil
        switch input.part {
        case .monk: library = try await MonkLibrary.open(file)
        case .manager: library = try await ManagerLibrary.open(file)
        case .candy: library = try await CandyLibrary.open(file)
        case .tiers: library = try await TiersLibrary.open(file)
        case .container, .database, .history: library = try await ContainerLibrary.open(file)
        }
        var goods = Goods()
        goods.keepsRemoved = isPlanted
        for number in 0..<input.operations {
            let setting = "operation \(number), \(file == nil ? "in memory" : "in a file")"
            do {
                try await step(library, &goods, &random)
                try goods.check(Goods.read(library.context), setting)
                try look(library, goods, &random, setting)
            } catch let error where !(error is CampaignFailure) {
                throw CampaignFailure("An operation fails", "\(error) in \(setting)")
            }
        }
        return ["operations": input.operations, "\(input.part.rawValue): operations": input.operations]
    }

    private static func step(
        _ library: any GoodsLibrary, _ goods: inout Goods, _ random: inout SplitMix64
    ) async throws {
        let known = goods.items.keys.sorted()
        let code = known.isEmpty ? 1 : random.pick(known)
        let score = Int64(random.below(9))
        switch random.below(8) {
        case 0..<3:
            let rows = (0..<(1 + random.below(6))).map { _ in
                GoodsRow.random(Int64(1 + random.below(40)), &random, hasShelf: false)
            }
            try await library.put(rows)
            goods.apply(rows.map { .put($0) })
        case 3, 4:
            try await library.set(code, score: score)
            goods.apply(.score(code, score))
        case 5:
            try await library.remove(code)
            goods.apply(.remove(code))
        case 6:
            try await library.clear(score)
            goods.apply(.clear(score))
        default: try await library.forget(.random(code, &random, hasShelf: false))
        }
    }

    private static func look(
        _ library: any GoodsLibrary, _ goods: Goods, _ random: inout SplitMix64, _ setting: String
    ) throws {
        let score = Int64(random.below(9))
        let wanted = goods.rows.filter { $0.score >= score }
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.predicate = NSPredicate(format: "score >= %d", score)
        request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
        let plain = try library.context.fetch(request).map(\.row)
        let found = try library.find(atLeast: score)
        guard found == plain, plain == wanted else {
            throw CampaignFailure("A library finds something else than a fetch", "\(setting): \(found), \(plain)")
        }
        let count = try library.count(atLeast: score)
        guard count == plain.count else {
            throw CampaignFailure("A library counts something else", "\(setting): \(count) of \(plain.count)")
        }
        let code = Int64(1 + random.below(40))
        let one = try library.one(code)
        guard one == goods.items[code] else {
            throw CampaignFailure("A library finds another object", "\(setting): \(one as Any)")
        }
    }
}
