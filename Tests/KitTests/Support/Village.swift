import OpenCoreDataKit
import TestSupport

/// Where a test's data is.
enum Medium: CaseIterable, Sendable {
    case disk, memory
}

/// A database of villagers in a folder of its own.
struct Village: Sendable {
    let database: Database
    let folder: TemporaryFolder
    let url: URL

    static func open(
        _ medium: Medium = .disk, layout: Layout = .nested, writes: WriteOrder = .concurrent, watched: Bool = false,
        in folder: TemporaryFolder? = nil, onBackgroundError: (@Sendable (any Error) -> Void)? = nil
    ) async throws -> Village {
        let folder = try folder ?? TemporaryFolder()
        let url = folder.file("Village.sqlite")
        let database = try await Database.open(
            Database.Configuration(
                name: "Village", model: .value(VillageModel.make()),
                stores: [medium == .disk ? store(at: url, watched: watched) : .memory()], layout: layout,
                writes: writes, onBackgroundError: onBackgroundError))
        return Village(database: database, folder: folder, url: url)
    }

    /// Whether the data is in a file, not on a server.
    var isFile: Bool { database.tree.coordinator.persistentStores.allSatisfy { $0.url?.isFileURL == true } }

    /// A file, or a schema of the server that tests run on instead.
    private static func store(at url: URL, watched: Bool) -> Store {
        guard let server = TestStack.serverLocation(insteadOf: url) else { return .sqlite(at: url, watched: watched) }
        var store = Store(type: NSPersistentStore.StoreType(rawValue: server.type), location: .server(server.url))
        store.watched = watched
        return store
    }

    /// Adds a villager and gives back who it is.
    @discardableResult
    func settle(_ name: String, age: Int64 = 0) async throws -> NSManagedObjectID {
        try await database.write { context in
            let villager = Villager(context: context)
            villager.name = name
            villager.age = age
            return villager.objectID
        }
    }

    /// What the stores have, read without the contexts that are there.
    func storedNames() async throws -> [String] {
        try await database.read { try $0.villagerNames() }
    }

    func storedAge(_ name: String) async throws -> Int64? {
        try await database.read { try $0.villager(name)?.age }
    }

    /// What the `sqlite3` command reads in the file, or `psql` on the server.
    func sqlite(_ sql: String) throws -> String {
        let place = TestStack.serverLocation(insteadOf: url)?.url ?? url
        return try SQLiteShell.run(sql, on: place).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension NSManagedObjectContext {
    func villagers() throws -> [Villager] {
        let request = NSFetchRequest<Villager>(entityName: "Villager")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try fetch(request)
    }

    func villagerNames() throws -> [String] { try villagers().compactMap(\.name) }

    func villager(_ name: String) throws -> Villager? { try villagers().first { $0.name == name } }

    @discardableResult
    func addVillager(_ name: String?, age: Int64 = 0) -> Villager {
        let villager = Villager(context: self)
        villager.name = name
        villager.age = age
        return villager
    }
}

/// Something the tests throw.
struct Mishap: Error, Equatable {
    var number = 0
}
