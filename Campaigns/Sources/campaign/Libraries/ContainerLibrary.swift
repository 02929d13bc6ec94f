import Foundation
import Sticky

/// Sticky: a container that hands out contexts once its stores are loaded.
@MainActor final class ContainerLibrary: GoodsLibrary {
    private let container: PersistentContainer
    private let provider: PersistentContainer.ContextProvider

    private init(_ container: PersistentContainer, _ provider: PersistentContainer.ContextProvider) {
        self.container = container
        self.provider = provider
    }

    static func open(_ file: URL?) async throws -> ContainerLibrary {
        // Its files are in the folder for application support, which campaigns leave alone.
        let container = PersistentContainer(name: "Container", managedObjectModel: GoodsModel.make(), inMemory: true)
        return ContainerLibrary(container, try await container.start())
    }

    var context: NSManagedObjectContext { provider.viewContext }

    private func change(_ body: @escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws {
        try await provider.newBackgroundContext().perform { context in
            try body(context)
            try context.save()
        }
        // Saves of other contexts aren't merged.
        provider.viewContext.refreshAllObjects()
    }

    private nonisolated static func find(_ format: String, _ value: Int64, _ context: NSManagedObjectContext) throws
        -> [Item]
    {
        try context.fetch(Item.self) { request in
            request.predicate = NSPredicate(format: format, value)
            request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
        }
    }

    func put(_ rows: [GoodsRow]) async throws {
        try await change { context in
            for row in rows {
                let item = try Self.find("code == %d", row.code, context).first ?? context.create(Item.self)
                (item.code, item.title, item.score, item.city) = (row.code, row.title, row.score, row.city)
            }
        }
    }

    func set(_ code: Int64, score: Int64) async throws {
        try await change { try Self.find("code == %d", code, $0).first?.score = score }
    }

    func remove(_ code: Int64) async throws {
        try await change { context in
            try context.delete(Item.self) { $0.predicate = NSPredicate(format: "code == %d", code) }
        }
    }

    func clear(_ score: Int64) async throws {
        try await change { context in
            try context.delete(Item.self) { $0.predicate = NSPredicate(format: "score == %d", score) }
        }
    }

    func forget(_ row: GoodsRow) async throws {
        try provider.newBackgroundContext().performAndWait { context in
            try context.create(Item.self).title = "forgotten"
            context.rollback()
        }
    }

    func find(atLeast score: Int64) throws -> [GoodsRow] { try Self.find("score >= %d", score, context).map(\.row) }

    func count(atLeast score: Int64) throws -> Int { try find(atLeast: score).count }

    func one(_ code: Int64) throws -> GoodsRow? { try Self.find("code == %d", code, context).first?.row }
}
