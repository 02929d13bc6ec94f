import CoreDataMonk
import Foundation

/// CoreDataMonk: updates in blocks, conditions in operators.
@MainActor final class MonkLibrary: GoodsLibrary {
    private let world: CoreDataMainContext
    private let stack: CoreDataStack

    private init(_ stack: CoreDataStack) throws {
        self.stack = stack
        world = try CoreDataMainContext(stack: stack)
    }

    static func open(_ file: URL?) async throws -> MonkLibrary {
        let stack = CoreDataStack(model: GoodsModel.make())
        if let file { try stack.addDatabaseStore(fileURL: file) } else { try stack.addInMemoryStore() }
        return try MonkLibrary(stack)
    }

    var context: NSManagedObjectContext { world.managedObjectContext }

    private func update(_ body: (CoreDataUpdate) throws -> Void) throws {
        var problem: (any Error)?
        world.beginUpdateAndWait { update in
            do {
                try body(update)
                try update.commit()
            } catch { problem = error }
        }
        if let problem { throw problem }
    }

    func put(_ rows: [GoodsRow]) async throws {
        try update { update in
            for row in rows {
                let item = try update.fetchOrCreate(Item.self, %"code" == row.code)
                (item.title, item.score, item.city) = (row.title, row.score, row.city)
            }
        }
    }

    func set(_ code: Int64, score: Int64) async throws {
        try update { update in
            for item in try update.fetchAll(Item.self, %"code" == code) { item.score = score }
        }
    }

    func remove(_ code: Int64) async throws {
        try update { update in try update.delete(try update.fetchAll(Item.self, %"code" == code)) }
    }

    func clear(_ score: Int64) async throws {
        try update { update in _ = try update.deleteAll(Item.self, %"score" == score) }
    }

    func forget(_ row: GoodsRow) async throws {
        world.beginUpdateAndWait { update in
            let item = try update.fetchOrCreate(Item.self, %"code" == row.code)
            item.title = "forgotten"
            update.rollback()
        }
    }

    func find(atLeast score: Int64) throws -> [GoodsRow] {
        try world.fetchAll(Item.self, %"score" >= score, orderBy: .ascending("code")).map(\.row)
    }

    func count(atLeast score: Int64) throws -> Int { try world.fetchCount(Item.self, %"score" >= score) }

    func one(_ code: Int64) throws -> GoodsRow? {
        try world.fetchAll(Item.self, %"code" == code, options: .limit(1)).first?.row
    }
}
