import BNRCoreDataStack
import Foundation

extension Item: CoreDataModelable {}

/// BNRCoreDataStack: three tiers of contexts, saves that go up by themselves.
@MainActor final class TiersLibrary: GoodsLibrary {
    private let stack: CoreDataStack
    private var count = 0

    private init(_ stack: CoreDataStack) { self.stack = stack }

    static func open(_ file: URL?) async throws -> TiersLibrary {
        if let file {
            return TiersLibrary(try await CoreDataStack.constructSQLiteStack(model: GoodsModel.make(), at: file))
        }
        return TiersLibrary(try CoreDataStack.constructInMemoryStack(model: GoodsModel.make()))
    }

    var context: NSManagedObjectContext { stack.mainQueueContext }

    /// Changes the main context or a worker, and saves up to the store.
    private func change(_ body: @escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws {
        count += 1
        if count.isMultiple(of: 2) {
            try body(context)
        } else {
            let worker = stack.newBackgroundWorkerMOC()
            try await worker.perform {
                try body(worker)
                try worker.saveContextAndWait()
            }
        }
        try context.saveContextToStoreAndWait()
    }

    private nonisolated static func key(_ code: Int64) -> NSPredicate { NSPredicate(format: "code == %d", code) }

    func put(_ rows: [GoodsRow]) async throws {
        try await change { context in
            for row in rows {
                let found = try Item.findFirstInContext(context, predicate: Self.key(row.code))
                let item = found ?? Item(managedObjectContext: context)
                (item.code, item.title, item.score, item.city) = (row.code, row.title, row.score, row.city)
            }
        }
    }

    func set(_ code: Int64, score: Int64) async throws {
        try await change { try Item.findFirstInContext($0, predicate: Self.key(code))?.score = score }
    }

    func remove(_ code: Int64) async throws {
        try await change { context in
            if let item = try Item.findFirstInContext(context, predicate: Self.key(code)) { context.delete(item) }
        }
    }

    func clear(_ score: Int64) async throws {
        try await change { context in
            let kept = try Item.allInContext(context, predicate: NSPredicate(format: "score != %d", score))
            try Item.removeAllInContext(context, except: kept)
        }
    }

    func forget(_ row: GoodsRow) async throws {
        let child = stack.newChildContext()
        await child.perform {
            let item = Item(managedObjectContext: child)
            item.title = "forgotten"
            child.rollback()
        }
    }

    func find(atLeast score: Int64) throws -> [GoodsRow] {
        try Item.allInContext(
            context, predicate: NSPredicate(format: "score >= %d", score),
            sortDescriptors: [NSSortDescriptor(key: "code", ascending: true)]
        ).map(\.row)
    }

    func count(atLeast score: Int64) throws -> Int {
        try Item.countInContext(context, predicate: NSPredicate(format: "score >= %d", score))
    }

    func one(_ code: Int64) throws -> GoodsRow? {
        try Item.findFirstInContext(context, predicate: Self.key(code))?.row
    }
}
