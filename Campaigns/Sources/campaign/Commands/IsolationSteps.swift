import BNRCoreDataStack
import CampaignCore
import Foundation
import OpenCoreData
import OpenCoreDataKit
import Sticky

/// The asynchronous functions of the engine, the kit and the libraries, with what they return and what they throw.
struct IsolationSteps {
    private typealias Step = (name: String, body: (IsolationSteps) async throws -> Void)

    private static var all: [Step] { engineSteps + librarySteps + kitSteps }

    private static var engineSteps: [Step] {
        [
            ("perform of a context", { await $0.context.perform {} }),
            (
                "perform of a context that fails",
                { try await $0.refused { try await $0.context.perform { throw Refusal() } } }
            ),
            ("perform of a coordinator", { await $0.coordinator.perform {} }),
            (
                "perform of a coordinator that fails",
                { try await $0.refused { try await $0.coordinator.perform { throw Refusal() } } }
            ),
            ("performBackgroundTask", { await $0.container.performBackgroundTask { _ in } }),
            (
                "performBackgroundTask that fails",
                { try await $0.refused { try await $0.container.performBackgroundTask { _ in throw Refusal() } } }
            ),
            ("backUpPersistentStore", { try await $0.backUp($0.folder.appendingPathComponent("copy.sqlite")) }),
            ("backUpPersistentStore that fails", { try await $0.refused { try await $0.backUp($0.nowhere) } }),
        ]
    }

    private static var kitSteps: [Step] {
        [
            ("open", { _ = try await Database.open($0.configuration("opened")) }),
            ("open that fails", { try await $0.refused { try await Database.open($0.wrong) } }),
            ("read", { _ = try await $0.database.read { try $0.count(Query(Item.self)) } }),
            ("read that fails", { try await $0.refused { try await $0.database.read { _ in throw Refusal() } } }),
            ("write", { try await $0.write(1, "a") }),
            ("write with a result", { try await $0.writeForResult() }),
            ("write that fails", { try await $0.refused { try await $0.database.write { _ in throw Refusal() } } }),
            ("write that is not valid", { try await $0.refused { try await $0.write(3, nil) } }),
            ("importing", { try await $0.database.importing { try GoodsRow(code: 4, title: "d").put(in: $0) } }),
            (
                "importing that fails",
                { try await $0.refused { try await $0.database.importing { _ in throw Refusal() } } }
            ),
            ("commit", { try await $0.draft(5, "e").commit() }),
            ("commit that is not valid", { try await $0.refused { try await $0.draft(6, nil).commit() } }),
            ("discard", { try await $0.draft(7, "g").discard() }),
            ("saveToStore", { try await $0.saveToStore() }),
            ("settle", { await $0.database.settle() }),
            ("discardUnsaved", { await $0.database.discardUnsaved() }),
            ("backup", { try await $0.database.backup(to: $0.folder.appendingPathComponent("backup")) }),
            ("backup that fails", { try await $0.refused { try await $0.database.backup(to: $0.nowhere) } }),
            ("erase", { try await $0.database.erase() }),
            ("commits", { try await $0.nextCommit() }),
            ("close", { try await $0.database.close() }),
            ("write when closed", { try await $0.refused { try await $0.write(10, "j") } }),
        ]
    }

    private static var librarySteps: [Step] {
        [
            ("constructSQLiteStack", { try await $0.constructStack($0.folder.appendingPathComponent("stack.sqlite")) }),
            ("constructSQLiteStack that fails", { try await $0.refused { try await $0.constructStack($0.nowhere) } }),
            ("start", { try await $0.startContainer() }),
            ("perform of Sticky", { await $0.context.perform(block: { _ in }) }),
            (
                "perform of Sticky that fails",
                { try await $0.refused { try await $0.context.perform(block: { _ in throw Refusal() }) } }
            ),
        ]
    }

    static var count: Int { all.count }

    struct Refusal: Error {}

    let folder: URL
    let database: Database
    let container: NSPersistentContainer
    private let isWhereItShouldBe: () -> Bool

    var context: NSManagedObjectContext { container.newBackgroundContext() }
    var coordinator: NSPersistentStoreCoordinator { container.persistentStoreCoordinator }
    /// A location below a file.
    var nowhere: URL { folder.appendingPathComponent("a.sqlite/none.sqlite") }
    var wrong: Database.Configuration {
        Database.Configuration(name: "Wrong", model: .value(GoodsModel.make()), stores: [.sqlite(at: nowhere)])
    }

    /// - Parameter isWhereItShouldBe: Whether the caller runs where it is isolated.
    init(_ folder: URL, _ isWhereItShouldBe: @escaping () -> Bool) throws {
        self.folder = folder
        self.isWhereItShouldBe = isWhereItShouldBe
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        database = try Database.openBlocking(
            Database.Configuration(
                name: "Isolation", model: .value(GoodsModel.make()),
                stores: [.sqlite(at: folder.appendingPathComponent("a.sqlite"))]))
        container = NSPersistentContainer(name: "Container", managedObjectModel: GoodsModel.make())
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: folder.appendingPathComponent("b.sqlite"))
        ]
        container.loadPersistentStores { _, _ in }
    }

    func configuration(_ name: String) -> Database.Configuration {
        Database.Configuration(
            name: name, model: .value(GoodsModel.make()),
            stores: [.sqlite(at: folder.appendingPathComponent("\(name).sqlite"))])
    }

    /// Awaits each, on the actor that calls.
    ///
    /// - Returns: The names of those after which it went on elsewhere.
    func run(isolation: isolated (any Actor)? = #isolation) async throws -> [String] {
        var wrong: [String] = []
        for (name, body) in Self.all {
            try await body(self)
            if !isWhereItShouldBe() { wrong.append(name) }
        }
        return wrong
    }

    /// Awaits what has to fail.
    func refused<Value>(_ body: (IsolationSteps) async throws -> Value) async throws {
        do { _ = try await body(self) } catch {
            guard isWhereItShouldBe() else { throw CampaignFailure("An error is caught elsewhere", "\(error)") }
            return
        }
        throw CampaignFailure("What should fail does not")
    }

    /// A draft with a new item, which without a title is not valid.
    func draft(_ code: Int64, _ title: String?) async throws -> Draft {
        let draft = database.draft()
        try await draft.perform { try GoodsRow(code: code, title: title).put(in: $0) }
        guard isWhereItShouldBe() else { throw CampaignFailure("A draft goes on elsewhere") }
        return draft
    }

    func write(_ code: Int64, _ title: String?) async throws {
        try await database.write { try GoodsRow(code: code, title: title).put(in: $0) }
    }

    func writeForResult() async throws {
        let id = try await database.write { context in
            let item = try context.create(Item.self)
            (item.code, item.title) = (2, "b")
            return item.objectID
        }
        guard !id.isTemporaryID else { throw CampaignFailure("A write gives a temporary identifier") }
    }

    func constructStack(_ url: URL) async throws {
        _ = try await CoreDataStack.constructSQLiteStack(model: GoodsModel.make(), at: url)
    }

    func startContainer() async throws {
        let container = PersistentContainer(name: "C", managedObjectModel: GoodsModel.make(), inMemory: true)
        try await container.start()
    }

    func saveToStore() async throws {
        let context = context
        try await context.perform { try GoodsRow(code: 8, title: "h").put(in: context) }
        try await context.saveToStore()
    }

    func backUp(_ url: URL) async throws {
        guard let store = coordinator.persistentStores.first else { throw CampaignFailure("The store is missing") }
        try await coordinator.backUpPersistentStore(store, to: url)
    }

    func nextCommit() async throws {
        let commits = database.commits
        try await database.write { try GoodsRow(code: 9, title: "i").put(in: $0) }
        for await _ in commits { break }
    }
}
