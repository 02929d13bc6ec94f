import CoreDataMonk
import TestSupport
import Testing

/// Adding stores.
@MainActor struct StoreTests {
    private func add(_ name: String, to stack: CoreDataStack) throws {
        let world = try CoreDataMainContext(stack: stack, updateTarget: .persistentStore)
        world.beginUpdateAndWait { update in
            try update.person(name)
            try update.commit()
        }
        if let error = stack.lastError { throw error }
    }

    private func names(_ stack: CoreDataStack) throws -> [String?] {
        try CoreDataMainContext(stack: stack).fetchAll(Person.self, orderBy: .ascending("name")).map(\.name)
    }

    // Feature MONK-3
    @Test func aStoreInMemoryLivesAsLongAsTheStack() throws {
        let stack = CoreDataStack(model: PeopleModel.make())
        try stack.addInMemoryStore()
        try add("Ann", to: stack)
        #expect(try names(stack) == ["Ann"])
        #expect(stack.persistentStoreCoordinator.persistentStores.map(\.type) == [NSInMemoryStoreType])
        #expect(stack.persistentStoreCoordinator.persistentStores.allSatisfy { $0.url?.isFileURL != true })
        let other = CoreDataStack(model: PeopleModel.make())
        try other.addInMemoryStore()
        #expect(try names(other).isEmpty)
    }

    // Feature MONK-3
    @Test func anUnknownConfigurationIsAnError() {
        let stack = CoreDataStack(model: PeopleModel.make())
        let error = #expect(throws: DatabaseError.self) { try stack.addInMemoryStore(configuration: "Nowhere") }
        #expect(error?.description.contains("Nowhere") == true)
        #expect(stack.persistentStoreCoordinator.persistentStores.isEmpty)
    }

    // Feature MONK-4
    @Test func aDatabaseIsAFileWithALog() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("new/folder/People.sqlite")
        let stack = CoreDataStack(model: PeopleModel.make())
        try stack.addDatabaseStore(fileURL: file)
        try add("Ann", to: stack)
        #expect(FileManager.default.fileExists(atPath: file.path))
        #expect(FileManager.default.fileExists(atPath: file.path + "-wal"))
        #expect(try SQLiteShell.run("PRAGMA journal_mode", on: file) == "wal")
        #expect(try SQLiteShell.run("SELECT ZNAME FROM ZPERSON", on: file) == "Ann")
        let again = CoreDataStack(model: PeopleModel.make())
        try again.addDatabaseStore(fileURL: file)
        #expect(try names(again) == ["Ann"])
    }

    // Feature MONK-4
    @Test func aFileNameIsTakenInTheSupportFolder() throws {
        let name = "MonkTests-\(UUID().uuidString)"
        let support = try #require(
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first)
        let file = support.appendingPathComponent("\(name)/People.sqlite")
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let stack = CoreDataStack(model: PeopleModel.make())
        try stack.addDatabaseStore(fileName: "\(name)/People.sqlite")
        #expect(stack.persistentStoreCoordinator.persistentStores.first?.url?.path == file.path)
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    // Feature MONK-4
    @Test func theDefaultFileHasTheProgramsName() {
        let url = CoreDataStack.defaultDatabaseURL
        let name = Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String
        #expect(url.lastPathComponent == "\(name ?? ProcessInfo.processInfo.processName).sqlite")
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        #expect(url.deletingLastPathComponent().standardizedFileURL == support?.standardizedFileURL)
    }

    /// A file of an older model, which has no `title`.
    private func oldFile(in folder: TemporaryFolder) throws -> URL {
        let file = folder.file("Old.sqlite")
        let model = PeopleModel.make()
        let person = model.entitiesByName["Person"]
        person?.properties.removeAll { $0.name == "title" }
        let stack = CoreDataStack(model: model)
        try stack.addDatabaseStore(fileURL: file)
        try add("Ann", to: stack)
        for store in stack.persistentStoreCoordinator.persistentStores {
            try stack.persistentStoreCoordinator.remove(store)
        }
        return file
    }

    // Feature MONK-4
    @Test func anOlderFileIsMigrated() throws {
        let folder = try TemporaryFolder()
        let file = try oldFile(in: folder)
        let stack = CoreDataStack(model: PeopleModel.make())
        try stack.addDatabaseStore(fileURL: file)
        #expect(try names(stack) == ["Ann"])
        #expect(try SQLiteShell.run("SELECT COUNT(*) FROM ZPERSON WHERE ZTITLE IS NULL", on: file) == "1")
    }

    // Feature MONK-4
    @Test func withoutMigrationAnOlderFileIsRefused() throws {
        let folder = try TemporaryFolder()
        let file = try oldFile(in: folder)
        let bytes = try Data(contentsOf: file)
        let stack = CoreDataStack(model: PeopleModel.make())
        let error = #expect(throws: DatabaseError.self) {
            try stack.addDatabaseStore(fileURL: file, autoMigrating: false)
        }
        guard case .incompatibleStore = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(try Data(contentsOf: file) == bytes)
        #expect(stack.persistentStoreCoordinator.persistentStores.isEmpty)
    }

    // Feature MONK-4
    @Test func whatIsNoDatabaseIsLeftAlone() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Letter.sqlite")
        let letter = Data(String(repeating: "Dear reader, this is no database. ", count: 40).utf8)
        try letter.write(to: file)
        let stack = CoreDataStack(model: PeopleModel.make())
        for reset in [false, true] {
            let error = #expect(throws: DatabaseError.self) {
                try stack.addDatabaseStore(fileURL: file, resetOnFailure: reset)
            }
            #expect(error?.description.contains(file.path) == true)
        }
        #expect(try Data(contentsOf: file) == letter)
    }

    // Feature MONK-4
    @Test func aFolderThatCannotBeMadeIsToldWithItsPath() throws {
        let folder = try TemporaryFolder()
        try Data("in the way".utf8).write(to: folder.file("file"))
        let url = folder.url.appendingPathComponent("file/below/People.sqlite")
        let stack = CoreDataStack(model: PeopleModel.make())
        let error = #expect(throws: DatabaseError.self) { try stack.addDatabaseStore(fileURL: url) }
        #expect(error?.description.contains(url.path) == true)
    }

    // Feature MONK-5
    @Test func theSameStoreIsAddedOnce() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("People.sqlite")
        let stack = CoreDataStack(model: PeopleModel.make())
        try stack.addDatabaseStore(fileURL: file, configuration: "Database")
        try stack.addDatabaseStore(fileURL: file, configuration: "Database")
        try stack.addDatabaseStore(
            fileURL: folder.url.appendingPathComponent("../\(folder.url.lastPathComponent)/People.sqlite"),
            configuration: "Database")
        #expect(stack.persistentStoreCoordinator.persistentStores.count == 1)
        for (configuration, migrating) in [("Database", false), (nil, true), ("InMemory", true)] {
            let error = #expect(throws: DatabaseError.self) {
                try stack.addDatabaseStore(fileURL: file, configuration: configuration, autoMigrating: migrating)
            }
            #expect(error?.description.contains("different one is already there") == true)
        }
        #expect(stack.persistentStoreCoordinator.persistentStores.count == 1)
    }

    // Feature MONK-6
    @Test func aFileOfAnotherModelIsMadeAnewOnlyWhenAsked() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Foreign.sqlite")
        let author = NSEntityDescription()
        author.name = "Author"
        author.managedObjectClassName = "NSManagedObject"
        author.properties = [LibraryModel.attribute("name", .stringAttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [author]
        let foreign = try TestStack(model: model, folder: folder)
        try foreign.inContext { context in
            NSEntityDescription.insertNewObject(forEntityName: "Author", into: context).setValue(
                "Austen", forKey: "name")
            try context.save()
        }
        for store in foreign.coordinator.persistentStores { try foreign.coordinator.remove(store) }
        try FileManager.default.moveItem(at: foreign.url, to: file)
        for ending in ["-wal", "-shm"] {
            try? FileManager.default.moveItem(atPath: foreign.url.path + ending, toPath: file.path + ending)
        }
        let stack = CoreDataStack(model: PeopleModel.make())
        for migrating in [true, false] {
            let error = #expect(throws: DatabaseError.self) {
                try stack.addDatabaseStore(fileURL: file, autoMigrating: migrating)
            }
            guard case .incompatibleStore = error else { return #expect(Bool(false), "\(String(describing: error))") }
            #expect(try SQLiteShell.run("SELECT ZNAME FROM ZAUTHOR", on: file) == "Austen")
        }
        try stack.addDatabaseStore(fileURL: file, resetOnFailure: true)
        try add("Ann", to: stack)
        #expect(try names(stack) == ["Ann"])
        #expect(try SQLiteShell.run("SELECT COUNT(*) FROM sqlite_master WHERE name = 'ZAUTHOR'", on: file) == "0")
    }

    // Feature MONK-6
    @Test func aFileThatCannotBeMigratedIsMadeAnewOnlyWhenAsked() throws {
        let folder = try TemporaryFolder()
        let file = try oldFile(in: folder)
        let model = PeopleModel.make()
        model.entitiesByName["Person"]?.properties.append(
            LibraryModel.attribute("passport", .stringAttributeType, optional: false))
        let stack = CoreDataStack(model: model)
        let error = #expect(throws: DatabaseError.self) { try stack.addDatabaseStore(fileURL: file) }
        guard case .incompatibleStore = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(try SQLiteShell.run("SELECT ZNAME FROM ZPERSON", on: file) == "Ann")
        try stack.addDatabaseStore(fileURL: file, resetOnFailure: true)
        #expect(try names(stack).isEmpty)
        #expect(try SQLiteShell.run("SELECT COUNT(*) FROM ZPERSON WHERE ZPASSPORT IS NULL", on: file) == "0")
    }

    // Feature MONK-6
    @Test func aFolderAtThePlaceStays() throws {
        let folder = try TemporaryFolder()
        let location = folder.file("People.sqlite")
        try FileManager.default.createDirectory(at: location, withIntermediateDirectories: true)
        try Data("kept".utf8).write(to: location.appendingPathComponent("letter"))
        let stack = CoreDataStack(model: PeopleModel.make())
        for reset in [false, true] {
            #expect(throws: DatabaseError.self) { try stack.addDatabaseStore(fileURL: location, resetOnFailure: reset) }
        }
        #expect(try Data(contentsOf: location.appendingPathComponent("letter")) == Data("kept".utf8))
    }

    // Feature MONK-7
    @Test func eachClassBelongsToOneEntityAndOneStore() throws {
        let folder = try TemporaryFolder()
        let stack = CoreDataStack(model: PeopleModel.make())
        try stack.addInMemoryStore(configuration: "InMemory")
        try stack.addDatabaseStore(fileURL: folder.file("People.sqlite"), configuration: "Database")
        let stores = stack.persistentStoreCoordinator.persistentStores
        let person = try stack.metadataForEntityClass(Person.self)
        #expect(person.entity.name == "Person" && person.store === stores[1])
        let visit = try stack.metadataForEntityClass(Visit.self)
        #expect(visit.entity.name == "Visit" && visit.store === stores[0])
        for type in [Stranger.self, Creature.self] {
            let error = #expect(throws: CoreDataUnregisteredClass.self) { try stack.metadataForEntityClass(type) }
            let string = try #require(error).localizedDescription
            #expect(string.contains("\(type)") && string.contains("a registered class") && string.contains("Visit"))
        }
    }

    // Feature MONK-7
    @Test func twoStoresOfOneEntityAreRefused() throws {
        let folder = try TemporaryFolder()
        let stack = CoreDataStack(model: PeopleModel.make())
        let file = folder.file("People.sqlite")
        try stack.addDatabaseStore(fileURL: file)
        let error = #expect(throws: DatabaseError.self) { try stack.addInMemoryStore() }
        let string = try #require(error).description
        #expect(string.contains("Person") && string.contains(file.path) && string.contains("in memory"))
        #expect(throws: DatabaseError.self) { try stack.addInMemoryStore(configuration: "InMemory") }
        #expect(stack.persistentStoreCoordinator.persistentStores.count == 1)
    }

    // Feature MONK-7
    @Test func aClassOfTwoEntitiesIsRefused() throws {
        let model = PeopleModel.make()
        model.entitiesByName["Visit"]?.managedObjectClassName = NSStringFromClass(Note.self)
        let stack = CoreDataStack(model: model)
        let error = #expect(throws: DatabaseError.self) { try stack.addInMemoryStore() }
        let string = try #require(error).description
        #expect(string.contains("Note") && string.contains("Visit"))
        #expect(stack.persistentStoreCoordinator.persistentStores.isEmpty)
    }

    // Feature MONK-7, MONK-66
    @Test func objectsOfTheDatabaseSurviveAndThoseInMemoryDoNot() async throws {
        let folder = try TemporaryFolder()
        func open() throws -> CoreDataMainContext {
            let stack = CoreDataStack(model: PeopleModel.make())
            try stack.addInMemoryStore(configuration: "InMemory")
            try stack.addDatabaseStore(
                fileURL: folder.file("People.sqlite"), configuration: "Database", resetOnFailure: true)
            return try CoreDataMainContext(stack: stack)
        }
        let world = try open()
        // One save for both stores.
        try await PeopleStack.check(world) { update in
            try update.person("Ann")
            try update.create(Visit.self).page = "home"
        }
        let root = try #require(world.stack.rootManagedObjectContext)
        await root.perform(schedule: .enqueued) {}
        #expect(world.stack.lastError == nil)
        #expect(try world.fetch(Visit.self, %"page" == "home").page == "home")
        #expect(try world.fetch(Person.self, %"name" == "Ann").name == "Ann")
        let stores = world.stack.persistentStoreCoordinator.persistentStores
        #expect(try world.fetch(Visit.self).objectID.persistentStore === stores[0])
        #expect(try world.fetch(Person.self).objectID.persistentStore === stores[1])
        #expect(try SQLiteShell.run("SELECT ZNAME FROM ZPERSON", on: folder.file("People.sqlite")) == "Ann")
        let again = try open()
        #expect(try again.fetchAll(Person.self).map(\.name) == ["Ann"])
        #expect(try again.fetchAll(Visit.self).isEmpty)
    }

    // Feature MONK-7
    @Test func objectsOfTwoStoresCannotBeRelated() throws {
        let folder = try TemporaryFolder()
        let model = PeopleModel.make()
        let entities = model.entitiesByName
        model.setEntities(["Note", "Visit"].compactMap { entities[$0] }, forConfigurationName: "InMemory")
        model.setEntities(["Person", "Student"].compactMap { entities[$0] }, forConfigurationName: "Database")
        let stack = CoreDataStack(model: model)
        try stack.addInMemoryStore(configuration: "InMemory")
        try stack.addDatabaseStore(fileURL: folder.file("People.sqlite"), configuration: "Database")
        let updater = try CoreDataContext(stack: stack, updateTarget: .persistentStore)
        updater.beginUpdateAndWait { update in
            try update.create(Note.self).person = try update.person("Ann")
            #expect(throws: (any Error).self) { try update.commit() }
        }
        #expect(stack.lastError == nil)
    }
}
