import OpenCoreDataKit
import TestSupport
import Testing

/// Blocks of several databases on one store, and stores that others hold.
@Suite struct SharedStoreTests {
    private enum Way: CaseIterable, Sendable {
        case retry, fail, importing, saving, batch, draft, layoutDraft
    }

    private static func increment(_ database: Database, _ way: Way) async throws {
        let change: @Sendable (Context) throws -> Void = { try $0.villager("Counter")?.age += 1 }
        switch way {
        case .retry: try await database.write { try change($0) }
        case .fail: try await database.write(conflicts: .fail) { try change($0) }
        case .importing: try await database.importing { try change($0) }
        case .saving:
            try await database.write { context in
                try change(context)
                try context.save()
            }
        case .batch:
            try await database.write { context in
                let age = try context.villager("Counter")?.age ?? 0
                _ = try context.batchUpdate(Query(Villager.self), set: ["age": age + 1])
            }
        case .draft:
            let draft = database.draft()
            try await draft.perform { try change($0) }
            try await draft.commit()
        case .layoutDraft:
            let draft = database.context().draft()
            try await draft.perform { try change($0) }
            try await draft.commit()
        }
    }

    /// - Returns: How many increments threw an error.
    private static func increment(_ databases: [Database], _ ways: [Way], _ count: Int) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<count {
                group.addTask {
                    do {
                        try await increment(databases[number % databases.count], ways[number / 2 % ways.count])
                        return 0
                    } catch { return 1 }
                }
            }
            return await group.reduce(0, +)
        }
    }

    @Test(arguments: TransactionTests.layouts, Medium.allCases)
    func twoHundredIncrementsAreTwoHundred(_ layout: Layout, _ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: layout, watched: medium == .disk)
        try await village.settle("Counter")
        let failed = await Self.increment([village.database], [.retry, .fail, .importing, .saving, .batch], 200)
        #expect(failed == 0)
        #expect(try await village.storedAge("Counter") == 200)
        let others = await Self.increment([village.database], Way.allCases, 70)
        #expect(try await village.storedAge("Counter") == Int64(270 - others))
        #expect(others <= 20)
    }

    @Test(arguments: TransactionTests.layouts)
    func twoDatabasesOnOneFileCountToo(_ layout: Layout) async throws {
        let first = try await Village.open(.disk, layout: layout)
        let second = try await Village.open(.disk, layout: .standard, in: first.folder)
        try await first.settle("Counter")
        let failed = await Self.increment([first.database, second.database], Way.allCases, 140)
        #expect(try await first.storedAge("Counter") == Int64(140 - failed))
        #expect(failed <= 40)
    }

    @Test func twoProcessesOnOneFileCountToo() async throws {
        let village = try await Village.open(.disk, layout: .standard)
        guard village.isFile else { return }
        try await village.settle("Counter")
        let ways: [Way] = [.retry, .fail, .importing, .saving, .batch, .draft]
        async let own = Self.increment([village.database], ways, 60)
        await #expect(processExitsWith: .success) { [path = village.folder.url.path as String] in
            let folder = URL(fileURLWithPath: path)
            let database = try await Database.open(
                at: folder.appendingPathComponent("Village.sqlite"), model: VillageModel.make())
            let failed = await SharedStoreTests.increment(
                [database], [.retry, .fail, .importing, .saving, .batch, .draft], 60)
            try await database.close()
            try "\(failed)".write(
                to: folder.appendingPathComponent("failed"), atomically: true, encoding: .utf8)
        }
        let others = try String(contentsOf: village.folder.file("failed"), encoding: .utf8)
        let failed = await own + (Int(others) ?? 0)
        #expect(try await village.storedAge("Counter") == Int64(120 - failed))
        #expect(failed < 120)
    }

    /// Stores that are written as a whole.
    @Test(arguments: [NSPersistentStore.StoreType.binary, .xml])
    func twoDatabasesOnOneWholeFileLoseNothingWithoutAnError(_ type: NSPersistentStore.StoreType) async throws {
        let folder = try TemporaryFolder()
        func open() async throws -> Database {
            try await Database.open(
                Database.Configuration(
                    name: "Whole", model: .value(VillageModel.make()),
                    stores: [Store(type: type, location: .file(folder.file("Whole.data")))]))
        }
        let first = try await open()
        try await first.write { _ = $0.addVillager("Counter") }
        let second = try await open()
        let failed = await Self.increment([first, second], [.retry, .importing, .saving], 60)
        try await first.close()
        try await second.close()
        let third = try await open()
        #expect(try await third.read { try $0.villager("Counter")?.age } == Int64(60 - failed))
        #expect(failed < 60)
    }

    @Test func aStoreThatCantCommitAfterAnotherIsNamed() async throws {
        let folder = try TemporaryFolder()
        let lasting = folder.file("Lasting.sqlite")
        let configuration = Database.Configuration(
            name: "Village", model: .value(VillageModel.make()),
            stores: [
                .sqlite(at: lasting, configuration: "Lasting"),
                .sqlite(at: folder.file("Passing.sqlite"), configuration: "Passing"),
            ])
        let database = try await Database.open(configuration)
        let error = await #expect(throws: DatabaseError.self) {
            try await database.write { context in
                context.addVillager("Ada")
                try context.create(Notice.self).text = "x"
                try context.save()
                // The file whose transaction ends last is gone.
                try FileManager.default.moveItem(at: lasting, to: folder.file("Elsewhere.sqlite"))
            }
        }
        guard case .storeFailed(_, _, let cause)? = error, let cause = cause as? CocoaError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.code.rawValue == NSPersistentStoreIncompleteSaveError)
        let saved = cause.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore]
        #expect(saved?.map { $0.url?.lastPathComponent } == ["Passing.sqlite"])
        try FileManager.default.moveItem(at: folder.file("Elsewhere.sqlite"), to: lasting)
        try await database.close()
        let again = try await Database.open(configuration)
        #expect(try await again.read { try $0.count(Notice.self) } == 1)
        #expect(try await again.read { try $0.count(Villager.self) } == 0)
    }

    @Test func aBlockThatMetALockedStoreLeavesNothingForTheNext() async throws {
        let village = try await Village.open(.disk, layout: .standard)
        guard village.isFile else { return }
        try await village.settle("Ada")
        // Another coordinator on the file, as another process has: it begins to write and doesn't end.
        let writer = try await EndlessWriter(village.url)
        let ways: [@Sendable () async throws -> Void] = [
            { try await village.database.write { _ = $0.addVillager("Write") } },
            { try await village.database.importing { _ = $0.addVillager("Import") } },
        ]
        for way in ways {
            let error = await #expect(throws: DatabaseError.self) { try await way() }
            guard case .storeFailed? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        // Reads go on.
        #expect(try await village.storedNames() == ["Ada"])
        await writer.end()
        try await village.settle("Next")
        #expect(try await village.storedNames() == ["Ada", "Next"])
        #expect(try village.sqlite("SELECT COUNT(*) FROM ZVILLAGER") == "2")
    }

    @Test func aDraftWhoseCommitMetALockedStoreCanBeCommittedLater() async throws {
        let village = try await Village.open(.disk, layout: .standard)
        guard village.isFile else { return }
        let draft = village.database.draft()
        try await draft.perform { _ = $0.addVillager("Draft") }
        let writer = try await EndlessWriter(village.url)
        await #expect(throws: DatabaseError.self) { try await draft.commit() }
        await writer.end()
        #expect(try await village.storedNames() == [])
        #expect(try await draft.commit() == .saved)
        #expect(try await draft.commit() == .unchanged)
        #expect(try await village.storedNames() == ["Draft"])
    }
}

/// A coordinator on a file that has begun a transaction, on a thread of its own.
private final class EndlessWriter: Sendable {
    private let isOver = DispatchSemaphore(value: 0)
    private let thread = DispatchQueue(label: "EndlessWriter")

    init(_ url: URL) async throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: VillageModel.make())
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        await withCheckedContinuation { continuation in
            thread.async { [isOver] in
                try? coordinator.performTransaction {
                    continuation.resume()
                    isOver.wait()
                }
            }
        }
    }

    /// Ends the transaction.
    func end() async {
        isOver.signal()
        await withCheckedContinuation { continuation in thread.async { continuation.resume() } }
    }
}
