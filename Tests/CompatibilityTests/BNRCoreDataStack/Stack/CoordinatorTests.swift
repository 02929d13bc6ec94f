import BNRCoreDataStack
import TestSupport
import Testing

/// Coordinators and models without a stack.
@Suite struct CoordinatorTests {
    // Feature BNR-16
    @Test func theStockOptionsMigrateAndLog() {
        let options = NSPersistentStoreCoordinator.stockSQLiteStoreOptions
        #expect(options.count == 3)
        #expect(options[NSMigratePersistentStoresAutomaticallyOption] as? Bool == true)
        #expect(options[NSInferMappingModelAutomaticallyOption] as? Bool == true)
        #expect(options[NSSQLitePragmasOption] as? [String: String] == ["journal_mode": "WAL"])
    }

    // Feature BNR-16
    @Test func aCoordinatorHasOneStore() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("deep/Library.sqlite")
        let result = await setUp(at: file)
        guard case .success(let coordinator) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(coordinator.persistentStores.map(\.url) == [file])
        #expect(coordinator.managedObjectModel.entitiesByName["Book"] != nil)
        try Data().write(to: folder.file("File"))
        let location = folder.file("File/Library.sqlite")
        guard case .failure(let error) = await setUp(at: location) else {
            Issue.record("There is a store at \(location.path).")
            return
        }
        #expect(error as? CoreDataStack.Error == .unableToCreateStore(at: location))
    }

    private func setUp(at file: URL) async -> CoreDataStack.CoordinatorResult {
        await withCheckedContinuation { continuation in
            NSPersistentStoreCoordinator.setupSQLiteBackedCoordinator(LibraryModel.make(), storeFileURL: file) {
                continuation.resume(returning: $0)
            }
        }
    }

    // Feature BNR-16
    @Test func aBundleGivesItsModel() throws {
        let folder = try TemporaryFolder()
        let models = try ModelFolder("TestModel", in: folder.url)
        let model = try #require(Bundle(url: models.url)).managedObjectModel(name: "TestModel")
        #expect(model.entitiesByName.keys.sorted() == LibraryModel.make().entitiesByName.keys.sorted())
    }

    // Feature BNR-16
    @Test func aMissingModelStopsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Bundle.main.managedObjectModel(name: "NoSuchModel")
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("NoSuchModel"))
    }
}
