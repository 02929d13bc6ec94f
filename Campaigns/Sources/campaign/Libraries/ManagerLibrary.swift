import Foundation
import THRCoreData

extension Item: ManagedObjectType, UniqueIdentifiable {
    static var entityName: String { "Item" }
    static var uniqueIDKey: String { "code" }
    static var defaultSortDescriptors: [NSSortDescriptor] { [NSSortDescriptor(key: "code", ascending: true)] }
    var uniqueIDValue: Int64 { code }
}

/// THRCoreData: a manager with two contexts, and functions of the classes.
@MainActor final class ManagerLibrary: GoodsLibrary {
    private struct Intermediate: UniqueIdentifiable {
        static var uniqueIDKey: String { "code" }
        let row: GoodsRow
        var uniqueIDValue: Int64 { row.code }
    }

    private let manager: CoreDataManager
    private var count = 0

    private init(_ manager: CoreDataManager) { self.manager = manager }

    static func open(_ file: URL?) async throws -> ManagerLibrary {
        ManagerLibrary(
            try CoreDataManager.open(
                name: "Manager", model: GoodsModel.make(),
                storeType: file.map { .sqlite($0.deletingLastPathComponent()) } ?? .inMemory))
    }

    var context: NSManagedObjectContext { manager.mainContext }

    /// Changes the main context, the background context, or a child of either, and saves up to the store.
    private func change(_ body: @escaping @Sendable (NSManagedObjectContext) -> Void) async throws {
        count += 1
        let context =
            switch count % 4 {
            case 0: manager.mainContext
            case 1: manager.backgroundContext
            case 2: manager.createChildContext(withConcurrencyType: .privateQueueConcurrencyType)
            default: manager.createChildContext(withConcurrencyType: .mainQueueConcurrencyType)
            }
        await context.perform { body(context) }
        let manager = manager
        typealias Saved = Result<Void, any Error>
        let saved = await withCheckedContinuation { (continuation: CheckedContinuation<Saved, Never>) in
            manager.save(context: context) { result in continuation.resume(returning: result.map { _ in }) }
        }
        try saved.get()
        // The other side's automatic merge has been made when the completion is called; its notification may still
        // wait on the main queue.
        await manager.mainContext.perform {}
    }

    func put(_ rows: [GoodsRow]) async throws {
        try await change { context in
            Item.insertOrUpdate(intermediates: rows.map(Intermediate.init), inContext: context) { intermediate, item in
                let row = intermediate.row
                (item.title, item.score, item.city) = (row.title, row.score, row.city)
            }
        }
    }

    func set(_ code: Int64, score: Int64) async throws {
        try await change { context in
            Item.fetchObject(withUniqueKeyValue: code, inContext: context)?.score = score
        }
    }

    func remove(_ code: Int64) async throws {
        try await change { context in
            Item.delete(
                inContext: context, matchingPredicate: Item.uniqueObjectPredicate(withUniqueKeyValue: code))
        }
    }

    func clear(_ score: Int64) async throws {
        try await change { context in
            Item.delete(inContext: context, matchingPredicate: NSPredicate(format: "score == %d", score))
        }
    }

    func forget(_ row: GoodsRow) async throws {
        let child = manager.createChildContext()
        Item.fetchOrInsertObject(withUniqueKeyValue: row.code, inContext: child).title = "forgotten"
        child.rollback()
    }

    func find(atLeast score: Int64) throws -> [GoodsRow] {
        Item.fetch(inContext: context) { request in
            request.predicate = NSPredicate(format: "score >= %d", score)
            request.sortDescriptors = Item.defaultSortDescriptors
        }
        .map(\.row)
    }

    func count(atLeast score: Int64) throws -> Int {
        Item.count(inContext: context, matchingPredicate: NSPredicate(format: "score >= %d", score))
    }

    func one(_ code: Int64) throws -> GoodsRow? {
        Item.fetchObject(withUniqueKeyValue: code, inContext: context)?.row
    }
}
