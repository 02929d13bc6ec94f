import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

/// Migrating when a store is added: what is looked for, what is refused, and what a process that dies leaves behind.
@Suite(.enabled(if: SQLiteShell.isAvailable)) struct AutomaticMigrationTests {
    let folder: TemporaryFolder
    let url: URL
    let newModel = MigrationModels.make {
        $0["Club"]?.properties.append(MigrationModels.attribute("city", .stringAttributeType))
    }

    init() throws {
        folder = try TemporaryFolder()
        url = try MigrationModels.makeStore(in: folder)
    }

    private func code(
        _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]
    ) -> (code: Int?, error: CocoaError?) {
        do {
            try MigrationModels.open(url, model, options: options) { _ in }
            return (nil, nil)
        } catch {
            return ((error as? CocoaError)?.code.rawValue, error as? CocoaError)
        }
    }

    private var isOld: Bool {
        (try? MigrationModels.open(url, MigrationModels.make(), options: [:]) {
            try MigrationModels.contents(of: $0).count
        }) == 10
    }

    @Test func nothingIsMigratedUnasked() throws {
        #expect(code(newModel, [:]).code == NSPersistentStoreIncompatibleVersionHashError)
        #expect(code(newModel, [NSInferMappingModelAutomaticallyOption: true]).code == 134100)
        #expect(isOld)
    }

    @Test func withoutAMappingModelBothModelsAreInTheError() throws {
        let (code, error) = code(newModel, [NSMigratePersistentStoresAutomaticallyOption: true])
        #expect(code == NSMigrationMissingMappingModelError)
        #expect(error?.userInfo["destinationModel"] as? NSManagedObjectModel === newModel)
        #expect(error?.userInfo["sourceModel"] is NSManagedObjectModel)
        #expect(error?.userInfo["URL"] as? URL == url)
        #expect(isOld)
    }

    @Test func whatCanNotBeInferredIsTheCause() throws {
        let model = MigrationModels.make { $0["Club"]?.attributesByName["name"]?.attributeType = .dateAttributeType }
        let (code, error) = code(model, MigrationModels.automatically)
        #expect(code == NSMigrationMissingMappingModelError)
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? CocoaError
        #expect(cause?.code == .inferredMappingModel)
        #expect(error?.localizedDescription.contains("Club.name") == true)
        #expect(isOld)
    }

    @Test func theModelInTheStoreIsEnough() throws {
        #expect(code(newModel, MigrationModels.automatically).code == nil)
        #expect(try SQLiteShell.run("SELECT count(ZCITY), count(*) FROM ZCLUB", on: url) == "0|2")
    }

    @Test func withoutAnyModelTheURLAndTheMetadataAreInTheError() throws {
        try SQLiteShell.run("DELETE FROM Z_MODELCACHE", on: url)
        let (code, error) = code(newModel, MigrationModels.automatically)
        #expect(code == NSMigrationMissingSourceModelError)
        #expect(error?.userInfo["URL"] as? URL == url)
        #expect((error?.userInfo["metadata"] as? [String: Any])?[NSStoreModelVersionHashesKey] != nil)
        #expect(error?.userInfo["reason"] as? String == "Can't find model for source store")
        #expect(isOld)
    }

    @Test func aContainerMigratesByDefault() throws {
        let container = NSPersistentContainer(name: "Vehicles", managedObjectModel: newModel)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        #expect(failure == nil)
        #expect(try SQLiteShell.run("SELECT count(*) FROM ZCLUB WHERE ZCITY IS NULL", on: url) == "2")
    }

    @Test func aStoreForReadingOnlyIsNotMigrated() throws {
        var options = MigrationModels.automatically
        options[NSReadOnlyPersistentStoreOption] = true
        #expect(code(newModel, options).code == NSMigrationError)
        #expect(isOld)
    }

    // Behaviour 10.3
    @Test func aStoreThatIsOpenElsewhereIsNotMigrated() throws {
        let other = NSPersistentStoreCoordinator(managedObjectModel: MigrationModels.make())
        let store = try other.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        var options = MigrationModels.automatically
        options[NSPersistentStoreTimeoutOption] = 0.05
        #expect(code(newModel, options).code == NSPersistentStoreTimeoutError)
        try other.remove(store)
        #expect(isOld)
        #expect(code(newModel, options).code == nil)
    }

    @Test func theFolderIsCleanAfterwards() throws {
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(code(newModel, MigrationModels.automatically).code == nil)
        let model = MigrationModels.make { $0["Club"]?.properties = [] }
        _ = code(model, [NSMigratePersistentStoresAutomaticallyOption: true])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == before)
    }

    @Test func aFolderThatCanNotBeWrittenIsNamed() throws {
        let obstacle = folder.file(".\(url.lastPathComponent)-migration")
        try Data().write(to: obstacle)
        let (code, error) = code(newModel, MigrationModels.automatically)
        #expect(code == CocoaError.Code.fileWriteUnknown.rawValue)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path)
        #expect(error?.localizedDescription.contains("Vehicles.sqlite") == true)
        #expect(isOld)
        #expect(FileManager.default.fileExists(atPath: obstacle.path))
    }

    // MARK: Dying

    /// At each step the folder is copied as it is, which is what is left of a process that is killed there.
    @Test(arguments: MigrationStep.allCases, [false, true])
    func aProcessThatDiesLeavesTheOldStoreOrTheNewOne(step: MigrationStep, byObjects: Bool) throws {
        let remains = try TemporaryFolder()
        let copy = remains.file("folder")
        let source = folder.url
        let destination = MigrationModels.make { $0["Person"]?.properties.removeAll { $0.name == "photo" } }
        let copying: @Sendable (MigrationStep) -> Void = { reached in
            if reached == step { try? FileManager.default.copyItem(at: source, to: copy) }
        }
        try MigrationStep.$observer.withValue(copying) {
            try migrate(to: destination, byObjects: byObjects)
        }
        guard FileManager.default.fileExists(atPath: copy.path) else {
            // Making objects has no steps in between.
            #expect(byObjects && (step == .created || step == .copied))
            return
        }
        let left = copy.appendingPathComponent(url.lastPathComponent)
        let isNew = step == .exchanged || step == .swept
        let model = isNew ? destination : MigrationModels.make()
        let contents = try MigrationModels.open(left, model, options: [:]) { try MigrationModels.contents(of: $0) }
        #expect(contents.count == 10)
        #expect(try StoreChecker.findings(inStoreAt: left, model: model).map(\.message) == [])
        #expect(ExternalData(storeURL: left).orphans(besides: []).count == (isNew ? 0 : 1))
        let names = try FileManager.default.contentsOfDirectory(atPath: copy.path)
        #expect(names.filter { $0.contains("migration") } == [])
        try MigrationModels.open(left, destination) { _ in }
        #expect(try StoreChecker.findings(inStoreAt: left, model: destination).map(\.message) == [])
    }

    private func migrate(to model: NSManagedObjectModel, byObjects: Bool) throws {
        guard byObjects else { return try MigrationModels.open(url, model) { _ in } }
        let source = try StoreFile.model(inStoreAt: url)
        try StoreMigration(
            url: url, type: NSSQLiteStoreType, metadata: StoreFile.metadata(at: url), sourceModel: source,
            destinationModel: model, configuration: nil, options: nil
        ).run(with: NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: model), direct: false)
    }

    @Test func aMigrationThatIsGoingOnElsewhereIsLeftAlone() throws {
        let exchange = try StoreExchange(at: url)
        let impatient = MigrationModels.automatically.merging([NSPersistentStoreTimeoutOption: 0.05]) { $1 }
        #expect(code(newModel, impatient).code == NSPersistentStoreTimeoutError)
        exchange.close()
        #expect(code(newModel, MigrationModels.automatically).code == nil)
    }

    @Test(arguments: [2, 8]) func openersOfAnOldStoreAllGetTheMigratedOne(_ count: Int) throws {
        let failures = Mutex<[String]>([])
        let ended = DispatchGroup()
        for _ in 0..<count {
            let (url, model) = (url, SendableBox(newModel))
            ended.enter()
            Thread {
                do {
                    try MigrationModels.open(url, model.value, options: MigrationModels.automatically) { _ in }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
                ended.leave()
            }.start()
        }
        ended.wait()
        #expect(failures.withLock { $0 } == [])
        #expect(
            try MigrationModels.open(url, newModel, options: [:]) { try MigrationModels.contents(of: $0).count } == 10)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).allSatisfy {
                !$0.contains("migration")
            })
    }
}
