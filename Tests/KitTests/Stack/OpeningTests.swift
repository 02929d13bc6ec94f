import OpenCoreDataKit
import TestSupport
import Testing

/// Opening: what is made, and what is refused without leaving anything behind.
@Suite struct OpeningTests {
    private func configuration(
        _ stores: [Store], model: NSManagedObjectModel = VillageModel.make(), layout: Layout = .nested
    ) -> Database.Configuration {
        Database.Configuration(name: "Village", model: .value(model), stores: stores, layout: layout)
    }

    @Test func aFileIsMadeInItsFolder() async throws {
        let folder = try TemporaryFolder()
        let inner = folder.file("a/b")
        let database = try await Database.open(configuration([.sqlite(in: .at(inner))]))
        #expect(FileManager.default.fileExists(atPath: inner.appendingPathComponent("Village.sqlite").path))
        #expect(database.name == "Village")
    }

    @Test func filesAreNamedAfterDatabaseConfigurationAndKind() throws {
        func name(_ store: Store) -> String? {
            StoreOpening.url(of: store, databaseName: "Village")?.lastPathComponent
        }
        #expect(name(.sqlite()) == "Village.sqlite")
        #expect(name(.sqlite(configuration: "Lasting")) == "Village-Lasting.sqlite")
        #expect(name(.sqlite(named: "own.db")) == "own.db")
        #expect(name(.binary()) == "Village.binary")
        #expect(name(.memory()) == nil)
        #expect(
            StoreOpening.url(of: .applicationSupport).path == NSPersistentContainer.defaultDirectoryURL().path)
        #expect(StoreOpening.url(of: .documents).lastPathComponent == "Documents")
    }

    @Test func aBinaryStoreLasts() async throws {
        let folder = try TemporaryFolder()
        let store = Store.binary(in: .at(folder.url))
        do {
            let database = try await Database.open(configuration([store]))
            try await database.write { _ = $0.addVillager("Ada") }
            try await database.close()
        }
        let again = try await Database.open(configuration([store]))
        #expect(try await again.read { try $0.villagerNames() } == ["Ada"])
    }

    @Test func openingMayBlock() throws {
        let database = try Database.openBlocking(configuration([.memory()]))
        let context = database.context()
        #expect(try context.performAndWait { try context.villagerNames() } == [])
    }

    @Test(arguments: [
        Layout(hasWriter: false, mainOn: .writer, draftsOn: .main),
        Layout(hasWriter: false, mainOn: .store, draftsOn: .writer),
        Layout(hasWriter: true, mainOn: .main, draftsOn: .main),
        Layout(hasWriter: false, mainOn: .store, draftsOn: .store, merging: .both),
        Layout(hasWriter: true, mainOn: .writer, draftsOn: .writer, merging: .both),
    ])
    func impossibleLayoutsAreRefused(_ layout: Layout) async throws {
        let folder = try TemporaryFolder()
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.open(configuration([.sqlite(in: .at(folder.url))], layout: layout))
        }
        guard case .invalidLayout(layout, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!reason.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    @Test(arguments: [
        Layout.nested, .merging, .siblings, .manual, Layout(hasWriter: false, mainOn: .store, draftsOn: .main),
        Layout(hasWriter: true, mainOn: .writer, draftsOn: .writer),
    ])
    func contextsAreWiredAsTheLayoutSays(_ layout: Layout) async throws {
        let village = try await Village.open(.memory, layout: layout)
        let tree = village.database.tree
        #expect((tree.writer != nil) == layout.hasWriter)
        #expect(tree.main.parent === (layout.mainOn == .writer ? tree.writer : nil))
        let draft = village.database.layoutDraft().context
        #expect(village.database.draft().context.parent == nil)
        let expected: [Layout.Base: Context?] = [.main: tree.main, .writer: tree.writer, .store: nil]
        #expect(draft.parent === expected[layout.draftsOn]!)
        #expect(draft.concurrencyType == .privateQueueConcurrencyType)
        #expect(tree.main.concurrencyType == .mainQueueConcurrencyType)
        #expect((tree.main.mergePolicy as? NSMergePolicy)?.mergeType == .rollbackMergePolicyType)
        for context in [tree.writer, draft].compactMap(\.self) {
            #expect((context.mergePolicy as? NSMergePolicy)?.mergeType == .mergeByPropertyObjectTrumpMergePolicyType)
            #expect(context.undoManager == nil)
        }
        #expect(village.database.context().parent == nil)
    }

    // MARK: Models

    @Test func aModelThatIsNotThereIsTold() async throws {
        let folder = try TemporaryFolder()
        try Data().write(to: folder.file("Garden.mom"))
        try Data().write(to: folder.file("Forest.xcdatamodeld"))
        let bundle = try #require(Bundle(url: folder.url))
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.open(.init(name: "X", model: .named("Vilage", in: bundle), stores: [.memory()]))
        }
        guard case .modelNotFound("Vilage", let searched, ["Forest", "Garden"], nil) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(searched.contains { $0.standardizedFileURL.path == folder.url.standardizedFileURL.path })
        #expect(error?.localizedDescription.contains("Vilage") == true)
    }

    @Test func aModelWithoutANameMustBeTheOnlyOne() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: folder.file("Garden.mom"))
        try Data().write(to: folder.file("Forest.mom"))
        let error = #expect(throws: DatabaseError.self) {
            try ModelSearch.model(named: nil, in: [folder.url])
        }
        guard case .modelNotFound(nil, _, ["Forest", "Garden"], nil) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func aModelThatCannotBeReadIsTold() async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Village.mom")
        try Data("no model".utf8).write(to: url)
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.open(.init(name: "Village", model: .at(url), stores: [.memory()]))
        }
        guard case .modelNotFound("Village", [url], [], .some) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func aModelIsFoundInABundle() async throws {
        let folder = try TemporaryFolder()
        try VillageModel.make().encodedCompiledModel().write(to: folder.file("Village.mom"))
        let bundle = try #require(Bundle(url: folder.url))
        let database = try await Database.open(
            .init(name: "Other", model: .named("Village", in: bundle), stores: [.memory()]))
        #expect(Set(database.model.entitiesByName.keys) == ["Villager", "House", "Notice"])
        #expect(try ModelSearch.model(named: nil, in: [folder.url]).entities.count == 3)
    }

    // MARK: Stores

    @Test func twoStoresOnOneFileAreRefused() async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("One.sqlite")
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.open(
                configuration([.sqlite(at: url, configuration: "Lasting"), .sqlite(at: url, configuration: "Passing")]))
        }
        guard case .duplicateStore(url.path, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test func anEntityBelongsToOneStore() async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.open(configuration([.memory(), .memory(configuration: "Lasting")]))
        }
        guard case .duplicateStore(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("Villager") || reason.contains("House"))
    }

    @Test func configurationsSpreadEntitiesOverStores() async throws {
        let folder = try TemporaryFolder()
        let stores: [Store] = [
            .sqlite(in: .at(folder.url), configuration: "Lasting"), .memory(configuration: "Passing"),
        ]
        do {
            let database = try await Database.open(configuration(stores))
            try await database.write { context in
                context.addVillager("Ada")
                Notice(context: context).text = "gone tomorrow"
            }
            let notices = try await database.read { try $0.count(for: NSFetchRequest<Notice>(entityName: "Notice")) }
            #expect(notices == 1)
            try await database.close()
        }
        let again = try await Database.open(configuration(stores))
        let counts = try await again.read { context in
            try [
                context.count(for: NSFetchRequest<Villager>(entityName: "Villager")),
                context.count(for: NSFetchRequest<Notice>(entityName: "Notice")),
            ]
        }
        #expect(counts == [1, 0])
    }

    @Test func anUnknownConfigurationIsTold() async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.open(configuration([.memory(configuration: "Flying")]))
        }
        guard case .storeFailed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.description.contains("Flying") == true)
    }

    @Test(arguments: [Store.Unfit.fail, .recreate])
    func aFolderInTheFilesPlaceIsAnErrorAndStays(_ unfit: Store.Unfit) async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Village.sqlite")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.open(configuration([.sqlite(at: url, ifIncompatible: unfit)]))
        }
        guard case .storeFailed(url.path, url, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(FileManager.default.fileExists(atPath: url.path))
    }

    @Test(arguments: [Store.Unfit.fail, .recreate])
    func aFileThatIsNoDatabaseStaysAsItIs(_ unfit: Store.Unfit) async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Village.sqlite")
        let content = Data("This is a letter to my grandmother, and no database at all.".utf8)
        try content.write(to: url)
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.open(configuration([.sqlite(at: url, ifIncompatible: unfit)]))
        }
        guard case .storeFailed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try Data(contentsOf: url) == content)
    }

    @Test func aFileOfAnotherModelFailsOrIsMadeAnew() async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Village.sqlite")
        try await Database.open(configuration([.sqlite(at: url)])).use {
            try await $0.write { _ = $0.addVillager("Ada") }
        }
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.open(configuration([.sqlite(at: url)], model: VillageModel.makeForeign()))
        }
        guard case .incompatibleStore(url, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try SQLiteShell.run("SELECT ZNAME FROM ZVILLAGER", on: url).contains("Ada"))

        let fresh = try await Database.open(
            configuration([.sqlite(at: url, ifIncompatible: .recreate)], model: VillageModel.makeForeign()))
        let count = try await fresh.write { context in
            let found = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Villager"))
            let entity = try #require(NSEntityDescription.entity(forEntityName: "Villager", in: context))
            NSManagedObject(entity: entity, insertInto: context).setValue(70.5, forKey: "weight")
            return found
        }
        #expect(count == 0)
        #expect(try SQLiteShell.run("SELECT ZWEIGHT FROM ZVILLAGER", on: url).contains("70.5"))
    }

    @Test func anOlderFileIsMigratedOrRefused() async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Village.sqlite")
        try await Database.open(configuration([.sqlite(at: url)])).use {
            try await $0.write { _ = $0.addVillager("Ada") }
        }
        let before = try Data(contentsOf: url)
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.open(
                configuration([.sqlite(at: url, migrate: false)], model: VillageModel.makeSecondVersion()))
        }
        guard case .incompatibleStore = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try Data(contentsOf: url) == before)
        // A file that can be migrated is not thrown away.
        let migrated = try await Database.open(
            configuration([.sqlite(at: url, ifIncompatible: .recreate)], model: VillageModel.makeSecondVersion()))
        #expect(try await migrated.read { try $0.villagerNames() } == ["Ada"])
    }

    @Test func inMemoryTouchesNoFile() async throws {
        let folder = try TemporaryFolder()
        let onDisk = configuration([.sqlite(in: .at(folder.url))])
        try await Database.open(onDisk).use { try await $0.write { _ = $0.addVillager("Ada") } }
        let url = folder.file("Village.sqlite")
        let before = try Data(contentsOf: url)
        let scratch = try await Database.open(onDisk.inMemory())
        #expect(try await scratch.read { try $0.villagerNames() } == [])
        try await scratch.write { _ = $0.addVillager("Passing") }
        #expect(try Data(contentsOf: url) == before)
        let again = try await Database.open(onDisk)
        #expect(try await again.read { try $0.villagerNames() } == ["Ada"])
    }

    @Test func aFileIsMigratedInStagesWithCodeOfOnesOwn() async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Village.sqlite")
        try await Database.open(configuration([.sqlite(at: url)])).use { database in
            try await database.write { context in
                let house = House(context: context)
                house.number = 7
                context.addVillager("Ada").house = house
            }
        }
        func reference(_ model: NSManagedObjectModel) -> NSManagedObjectModelReference {
            NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
        }
        let stage = NSCustomMigrationStage(
            migratingFrom: reference(VillageModel.make()), to: reference(VillageModel.makeSecondVersion()))
        stage.didMigrateHandler = { manager, _ in
            let context = try #require(manager.container?.newBackgroundContext())
            try context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "House")
                for house in try context.fetch(request) {
                    house.setValue("color \(house.value(forKey: "number") ?? "")", forKey: "color")
                }
                try context.save()
            }
        }
        var store = Store.sqlite(at: url)
        store.stagedMigration = NSStagedMigrationManager([stage])
        let second = configuration([store], model: VillageModel.makeSecondVersion())
        for _ in 0..<2 {
            try await Database.open(second).use { database in
                let colors = try await database.read { context in
                    try context.all(House.self).map { $0.value(forKey: "color") as? String }
                }
                #expect(colors == ["color 7"])
                #expect(try await database.read { try $0.villagerNames() } == ["Ada"])
            }
        }
    }

    @Test func databasesOfEqualModelsLiveSideBySide() async throws {
        let first = try await Village.open(.memory)
        let second = try await Village.open(.memory)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask { try await first.settle("first \(number)") }
                group.addTask { try await second.settle("second \(number)") }
            }
            try await group.waitForAll()
        }
        #expect(try await first.storedNames().allSatisfy { $0.hasPrefix("first") })
        #expect(try await first.storedNames().count == 50)
        #expect(try await second.storedNames().allSatisfy { $0.hasPrefix("second") })
    }
}

extension Database {
    /// Runs a block and closes the database.
    fileprivate func use(_ body: (Database) async throws -> Void) async throws {
        try await body(self)
        try await close()
    }
}
