import THRCoreData
import TestSupport
import Testing

/// Making managers, and where they keep what.
struct ManagerTests {
    // Feature THR-1
    @Test func nothingIsMadeBeforeAContextIsAskedFor() throws {
        let studio = try Studio(.sqlite)
        let data = studio.folder.file("Data")
        #expect(!FileManager.default.fileExists(atPath: data.path))
        #expect(studio.background.name?.contains("Music") == true)
        #expect(FileManager.default.fileExists(atPath: data.appendingPathComponent("Music.sqlite").path))
    }

    // Feature THR-1, THR-6
    @Test func firstUseFromManyThreadsMakesOneStore() throws {
        let studio = try Studio(.sqlite)
        let seen = Noted<ObjectIdentifier>()
        DispatchQueue.concurrentPerform(iterations: 10) { number in
            let manager = studio.manager
            if number.isMultiple(of: 2) { _ = manager.mainContext }
            seen.note(ObjectIdentifier(manager.backgroundContext))
        }
        #expect(seen.all.count == 10 && Set(seen.all).count == 1)
        #expect(studio.background.persistentStoreCoordinator?.persistentStores.count == 1)
    }

    // Feature THR-1
    @Test func aMissingModelIsNamed() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let folder = try TemporaryFolder()
            let manager = CoreDataManager(
                modelName: "Nonesuch", storeType: .inMemory, bundle: try Studio.bundle(in: folder))
            _ = manager.mainContext
        }
        let string = said(result)
        #expect(string.contains("Nonesuch") && string.contains("App.resources") && string.contains("There are: Music"))
    }

    // Feature THR-1
    @Test func aStoreThatCantBeOpenedIsNamed() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let folder = try TemporaryFolder()
            try Data("no directory".utf8).write(to: folder.file("Data"))
            _ = try Studio(.sqlite, in: folder).background
        }
        let string = said(result)
        #expect(string.contains("'Music'") && string.contains("App.resources") && string.contains("Data/Music.sqlite"))
    }

    // Feature THR-1
    @Test func openingAtOnceThrows() throws {
        let folder = try TemporaryFolder()
        let bundle = try Studio.bundle(in: folder)
        do {
            _ = try CoreDataManager.open(modelName: "Nonesuch", storeType: .inMemory, bundle: bundle)
            Issue.record("A model that is not there was found.")
        } catch DatabaseError.modelNotFound(let name, _, let candidates, _) {
            #expect(name == "Nonesuch" && candidates == ["Music"])
        }
        try Data("no directory".utf8).write(to: folder.file("File"))
        do {
            _ = try CoreDataManager.open(
                name: "Music", model: MusicModel.make(), storeType: .sqlite(folder.file("File")))
            Issue.record("A store was opened in a file.")
        } catch DatabaseError.storeFailed(let store, _, _) {
            #expect(store.hasSuffix("File/Music.sqlite"))
        }
        let manager = try CoreDataManager.open(
            modelName: "Music", storeType: .sqlite(folder.file("Data")), bundle: bundle)
        #expect(FileManager.default.fileExists(atPath: folder.file("Data/Music.sqlite").path))
        #expect(manager.backgroundContext === manager.backgroundContext)
    }

    // Feature THR-1, THR-2
    @Test func aFileLiesInTheDocumentsDirectoryUnlessToldOtherwise() async {
        await #expect(processExitsWith: .success) {
            let home = try TemporaryFolder()
            // What Foundation goes by before anything else.
            setenv("CFFIXED_USER_HOME", home.url.path, 1)
            let file = CoreDataManager.defaultDirectoryURL.appendingPathComponent("Music.sqlite")
            #expect(file.path.hasPrefix(home.url.path))
            #expect(!FileManager.default.fileExists(atPath: file.deletingLastPathComponent().path))
            let manager = CoreDataManager(modelName: "Music", bundle: try Studio.bundle(in: home))
            #expect(manager.storeType == .sqlite(CoreDataManager.defaultDirectoryURL))
            _ = manager.backgroundContext
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
    }

    // Feature THR-1
    @Test func aSecondManagerOnTheSameFileIsNotTold() async throws {
        let first = try Studio(.sqlite)
        let second = try Studio(.sqlite, in: first.folder)
        try await first.background.perform { [first] in
            Song.insertObject(withUniqueKeyValue: "a", inContext: first.background)
            try first.background.save()
        }
        let (seen, known) = await second.background.perform { [second] in
            let known = second.background.registeredObjects.count
            return (Song.count(inContext: second.background), known)
        }
        #expect(seen == 1 && known == 0)
    }

    // MARK: Kinds of store

    // Feature THR-2
    @Test(arguments: StoreKind.allCases) func whatIsKept(_ kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        do {
            let studio = try Studio(kind, in: folder)
            try await studio.fill(["a", "b"])
            try studio.close()
        }
        let again = try Studio(kind, in: folder)
        let count = await again.background.perform { Song.count(inContext: again.background) }
        #expect(count == (kind == .inMemory ? 0 : 2))
        let file = folder.file("Data").appendingPathComponent(kind == .sqlite ? "Music.sqlite" : "Music")
        #expect(FileManager.default.fileExists(atPath: file.path) == (kind != .inMemory))
        let type = try #require(again.background.persistentStoreCoordinator?.persistentStores.first?.type)
        #expect(type == again.manager.storeType.type)
    }

    // Feature THR-2
    @Test func aStoreTypeKnowsItsDirectory() {
        let url = URL(fileURLWithPath: "/music", isDirectory: true)
        #expect(StoreType.sqlite(url).type == NSSQLiteStoreType && StoreType.sqlite(url).storeDirectory == url)
        #expect(StoreType.binary(url).type == NSBinaryStoreType && StoreType.binary(url).storeDirectory == url)
        #expect(StoreType.inMemory.type == NSInMemoryStoreType && StoreType.inMemory.storeDirectory == nil)
    }

    // Feature THR-2, THR-36
    @Test func managersInMemoryAreStrangers() async throws {
        let folder = try TemporaryFolder()
        let database = try Studio(.sqlite, in: folder)
        try await database.fill(["p"])
        try database.close()
        let file = folder.file("Data/Music.sqlite")
        let before = try Data(contentsOf: file)
        let (first, second) = (try Studio(.inMemory, in: folder), try Studio(.inMemory, in: folder))
        async let one: Void = first.fill(["a", "b", "c"])
        async let other: Void = second.fill(["d"])
        _ = try await (one, other)
        let counts = await MainActor.run {
            (Song.count(inContext: first.main), Song.count(inContext: second.main))
        }
        #expect(counts == (3, 1))
        #expect(try Data(contentsOf: file) == before)
    }

    // Feature THR-3
    @Test func theModelIsFoundInABundleAndItsResourceFolders() throws {
        let folder = try TemporaryFolder()
        // A resource folder inside of the bundle, as the package manager makes them.
        let inner = folder.file("Tests.bundle/Inner.resources")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try MusicModel.write(to: inner.appendingPathComponent("Sound.momd"), named: "Sound")
        let bundle = try #require(Bundle(url: folder.file("Tests.bundle")))
        let manager = try CoreDataManager.open(modelName: "Sound", storeType: .inMemory, bundle: bundle)
        let model = manager.backgroundContext.persistentStoreCoordinator?.managedObjectModel
        #expect(model?.entitiesByName["Song"] != nil)
        #expect(throws: DatabaseError.self) {
            try CoreDataManager.open(
                modelName: "Sound", storeType: .inMemory, bundle: try Studio.bundle(in: folder))
        }
    }

    // Feature THR-4
    @Test func anOldFileIsMigrated() async throws {
        let folder = try TemporaryFolder()
        do {
            let old = try Studio(.sqlite, in: folder, isOld: true)
            try await old.background.perform {
                for key in ["a", "b"] { Song.insertObject(withUniqueKeyValue: key, inContext: old.background) }
                try old.background.save()
            }
            try old.close()
        }
        let new = try Studio(.sqlite, in: folder)
        let ranks = await new.background.perform {
            Song.fetch(inContext: new.background).map { "\($0.uniqueIDValue) \($0.rank)" }.sorted()
        }
        #expect(ranks == ["a 0", "b 0"])
    }
}
