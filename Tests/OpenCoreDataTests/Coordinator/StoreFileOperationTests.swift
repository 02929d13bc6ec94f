import OpenCoreData
import TestSupport
import Testing

/// Stores on disk: versions, metadata, deleting, replacing, migrating.
@Suite struct StoreFileOperationTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var url: URL { folder.file("Publishing.sqlite") }

    private func coordinator(extraAttribute: Bool = false) -> NSPersistentStoreCoordinator {
        NSPersistentStoreCoordinator(managedObjectModel: PublishingModel.make(extraAttribute: extraAttribute))
    }

    @discardableResult
    private func add(_ coordinator: NSPersistentStoreCoordinator, at url: URL, options: [AnyHashable: Any]? = nil)
        throws -> NSPersistentStore
    {
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    }

    private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Two authors, three books with tags and chapters in an order that is not theirs by number, one shelf.
    private func fill(_ coordinator: NSPersistentStoreCoordinator) throws {
        let context = context(coordinator)
        try context.performAndWait {
            func make(_ entity: String, _ key: String, _ value: String) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                object.setValue(value, forKey: key)
                return object
            }
            let ada = make("Author", "name", "Ada")
            _ = make("Person", "name", "Cy")
            let books = ["One", "Two", "Three"].map { make("Book", "title", $0) }
            for book in books { book.setValue(ada, forKey: "author") }
            let tag = make("Tag", "name", "new")
            books[0].setValue(NSSet(object: tag), forKey: "tags")
            books[1].setValue(NSSet(object: tag), forKey: "tags")
            let chapters = ["c", "a", "b"].map { make("Chapter", "title", $0) }
            books[0].setValue(NSOrderedSet(array: chapters), forKey: "chapters")
            let shelf = make("Shelf", "label", "top")
            shelf.setValue(NSSet(array: [books[1], books[2]]), forKey: "contents")
            try context.save()
        }
    }

    private func expectFilled(_ coordinator: NSPersistentStoreCoordinator) throws {
        let context = context(coordinator)
        try context.performAndWait {
            func fetch(_ entity: String) throws -> [NSManagedObject] {
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
            }
            let author = try #require(try fetch("Author").first)
            #expect((author.value(forKey: "books") as? Set<NSManagedObject>)?.count == 3)
            #expect(try fetch("Person").count == 2)
            let tag = try #require(try fetch("Tag").first)
            let tagged = (tag.value(forKey: "books") as? Set<NSManagedObject>) ?? []
            #expect(Set(tagged.compactMap { $0.value(forKey: "title") as? String }) == ["One", "Two"])
            let first = try #require(tagged.first { $0.value(forKey: "title") as? String == "One" })
            let chapters = try #require(first.value(forKey: "chapters") as? NSOrderedSet)
            #expect(
                chapters.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "title") as? String } == [
                    "c", "a", "b",
                ])
            let shelf = try #require(try fetch("Shelf").first)
            #expect((shelf.value(forKey: "contents") as? Set<NSManagedObject>)?.count == 2)
        }
    }

    @Test func theSameFileCanNotBeAddedTwice() throws {
        let coordinator = coordinator()
        try add(coordinator, at: url)
        let error = #expect(throws: CocoaError.self) { try add(coordinator, at: url) }
        #expect(error?.code.rawValue == 134081)
        #expect(coordinator.persistentStores.count == 1)
    }

    // Behaviour 9.3
    @Test func anotherModelIsRefusedAndTheEntitiesAreNamed() throws {
        let first = coordinator()
        try first.remove(try add(first, at: url))
        let second = coordinator(extraAttribute: true)
        let error = #expect(throws: CocoaError.self) { try add(second, at: url) }
        #expect(error?.code == .persistentStoreIncompatibleVersionHash)
        #expect(error?.localizedDescription.contains("Book") == true)
        #expect(error?.localizedDescription.contains("Author") == false)
        #expect(second.persistentStores.isEmpty)
        let migrating = #expect(throws: CocoaError.self) {
            try add(second, at: url, options: [NSMigratePersistentStoresAutomaticallyOption: true])
        }
        #expect(migrating?.code == .migrationMissingMappingModel)
    }

    // Behaviour 9.2
    @Test func metadataOfAFileAreReadAndWrittenAtOnce() throws {
        let coordinator = coordinator()
        let store = try add(coordinator, at: url)
        let uuid = try #require(store.identifier)
        try coordinator.remove(store)
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        #expect(metadata[NSStoreUUIDKey] as? String == uuid)
        metadata["color"] = "red"
        try NSPersistentStoreCoordinator.setMetadata(metadata, type: .sqlite, at: url)
        let again = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: nil, at: url)
        #expect(again["color"] as? String == "red")
        #expect(again[NSStoreUUIDKey] as? String == uuid)
        #expect(throws: CocoaError.self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: folder.file("missing"))
        }
    }

    // Behaviour 9.6
    @Test func destroyingLeavesAnEmptyDatabase() throws {
        let coordinator = coordinator()
        try add(coordinator, at: url)
        try fill(coordinator)
        try coordinator.destroyPersistentStore(at: url, type: .sqlite)
        #expect(coordinator.persistentStores.isEmpty)
        // The log and its index stay as well, as programs remove the three.
        for suffix in ["", "-wal", "-shm"] { #expect(FileManager.default.fileExists(atPath: url.path + suffix)) }
        let log = try FileManager.default.attributesOfItem(atPath: url.path + "-wal")
        #expect(log[.size] as? Int == 0)
        #expect(try SQLiteShell.run("SELECT count(*) FROM sqlite_master", on: url).hasPrefix("0"))
        try add(coordinator, at: url)
        let context = context(coordinator)
        let count = try context.performAndWait {
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
        }
        #expect(count == 0)
    }

    @Test func destroyingByForceDeletesWhateverIsThere() throws {
        try Data("no database".utf8).write(to: url)
        #expect(throws: (any Error).self) { try coordinator().destroyPersistentStore(at: url, type: .sqlite) }
        try coordinator().destroyPersistentStore(
            at: url, type: .sqlite, options: [NSPersistentStoreForceDestroyOption: true])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func aStoreAtDevNullIsCompleteAndLeavesNothing() throws {
        let first = coordinator()
        let store = try add(first, at: URL(fileURLWithPath: "/dev/null"))
        try fill(first)
        try expectFilled(first)
        #expect(store.url?.path == "/dev/null")
        let second = coordinator()
        try add(second, at: URL(fileURLWithPath: "/dev/null"))
        let context = context(second)
        let count = try context.performAndWait {
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
        }
        #expect(count == 0)
        try first.remove(store)
    }

    private func bookCount(_ coordinator: NSPersistentStoreCoordinator) throws -> Int {
        let context = context(coordinator)
        return try context.performAndWait {
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
        }
    }

    @Test func aNamedStoreAtDevNullIsOneForTheProgramUntilTheLastCoordinatorHasLetItGo() throws {
        let named = URL(fileURLWithPath: "/dev/null/first.sqlite")
        let other = URL(fileURLWithPath: "/dev/null/other.sqlite")
        let first = coordinator()
        let second = coordinator()
        let store = try add(first, at: named)
        try fill(first)
        try expectFilled(first)
        #expect(store.url == named && first.persistentStore(for: named) === store)
        #expect(throws: CocoaError.self) { try add(first, at: named) }
        try add(second, at: other)
        #expect(try bookCount(second) == 0)
        try add(second, at: named)
        #expect(try bookCount(second) == 3)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: named)
        #expect(metadata[NSStoreUUIDKey] as? String == store.identifier)
        // A copy of it can be kept.
        try coordinator().replacePersistentStore(at: url, withPersistentStoreFrom: named, type: .sqlite)
        let copy = coordinator()
        try add(copy, at: url)
        #expect(try bookCount(copy) == 3)
        try first.remove(store)
        #expect(try bookCount(second) == 3)
        for store in second.persistentStores { try second.remove(store) }
        try add(first, at: named)
        #expect(try bookCount(first) == 0)
        #expect(throws: CocoaError.self) { try coordinator().destroyPersistentStore(at: other, type: .sqlite) }
    }

    @Test func aContainerTakesANamedStoreAtDevNull() throws {
        let container = NSPersistentContainer(name: "Publishing", managedObjectModel: PublishingModel.make())
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null/container.sqlite"))
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in #expect(error == nil) }
        let coordinator = container.persistentStoreCoordinator
        try fill(coordinator)
        try coordinator.destroyPersistentStore(at: URL(fileURLWithPath: "/dev/null/container.sqlite"), type: .sqlite)
        #expect(coordinator.persistentStores.isEmpty)
        try add(coordinator, at: URL(fileURLWithPath: "/dev/null/container.sqlite"))
        #expect(try bookCount(coordinator) == 0)
    }

    @Test func analyzeAndVacuumAreRunWhenTheStoreIsOpened() throws {
        let first = coordinator()
        try add(first, at: url)
        try fill(first)
        try first.remove(first.persistentStores[0])
        try add(coordinator(), at: url, options: [NSSQLiteAnalyzeOption: true, NSSQLiteManualVacuumOption: true])
        #expect(try SQLiteShell.run("SELECT count(*) > 0 FROM sqlite_stat1", on: url) == "1")
    }

    @Test func theModelThatAStoreKeepsCanBeAskedFor() throws {
        let coordinator = coordinator()
        try add(coordinator, at: url)
        let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
        #expect(model.entityVersionHashesByName == coordinator.managedObjectModel.entityVersionHashesByName)
    }

    // Behaviour 9.6: what was seen to fail is a path in a folder that isn't there, and /dev/null.
    @Test func destroyingWhereNoStoreCanBeIsAnError() {
        for url in [folder.file("missing/Store.sqlite"), URL(fileURLWithPath: "/dev/null"), folder.url] {
            #expect(throws: CocoaError.self) { try coordinator().destroyPersistentStore(at: url, type: .sqlite) }
        }
    }

    @Test(arguments: [NSPersistentStore.StoreType.sqlite, .xml, .binary], [false, true])
    func destroyingAFileThatIsNotThereSucceeds(type: NSPersistentStore.StoreType, isForced: Bool) throws {
        let coordinator = coordinator()
        let options = [NSPersistentStoreForceDestroyOption: isForced]
        for _ in 0..<2 { try coordinator.destroyPersistentStore(at: url, type: type, options: options) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        if type == .sqlite {
            try Data("left over".utf8).write(to: URL(fileURLWithPath: url.path + "-wal"))
            try coordinator.destroyPersistentStore(at: url, type: type, options: options)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        }
        try coordinator.addPersistentStore(type: type, at: url)
    }

    @Test func migratingTellsNobodyOfStoresOfItsOwnMaking() throws {
        let coordinator = coordinator()
        let store = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let path = folder.url.standardizedFileURL.path
        // Other tests post, too: those of stores in this folder are of this migration.
        let heard = Noted<String>()
        let center = NotificationCenter.default
        let observers = [
            center.addObserver(forName: .NSPersistentStoreCoordinatorStoresDidChange, object: nil, queue: nil) {
                let keys = [NSAddedPersistentStoresKey, NSRemovedPersistentStoresKey]
                for key in keys {
                    for case let other as NSPersistentStore in $0.userInfo?[key] as? [Any] ?? [] {
                        if other.url?.standardizedFileURL.path.hasPrefix(path) == true {
                            heard.note("\(key) \($0.object as? NSPersistentStoreCoordinator === coordinator)")
                        }
                    }
                }
            },
            center.addObserver(forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: nil, queue: nil) {
                if ($0.object as? NSPersistentStore)?.url?.standardizedFileURL.path.hasPrefix(path) == true {
                    heard.note("will remove")
                }
            },
        ]
        defer { for observer in observers { center.removeObserver(observer) } }
        try coordinator.migratePersistentStore(store, to: url, type: .sqlite)
        #expect(heard.all == ["\(NSAddedPersistentStoresKey) true"])
    }

    @Test func replacingPutsACompleteCopyInPlace() throws {
        let source = coordinator()
        try add(source, at: url)
        try fill(source)
        let target = folder.file("sub/Copy.sqlite")
        let other = coordinator()
        try other.replacePersistentStore(at: target, withPersistentStoreFrom: url, type: .sqlite)
        try add(other, at: target)
        try expectFilled(other)
        #expect(other.persistentStores[0].identifier == source.persistentStores[0].identifier)
        #expect(throws: CocoaError.self) {
            try other.replacePersistentStore(
                at: target, withPersistentStoreFrom: folder.file("missing"), type: .sqlite)
        }
        try expectFilled(other)
    }

    @Test func migratingCopiesEverythingAndTakesTheStoresPlace() throws {
        let coordinator = coordinator()
        let store = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        try fill(coordinator)
        let added = try coordinator.migratePersistentStore(store, to: url, type: .sqlite)
        #expect(coordinator.persistentStores == [added])
        try expectFilled(coordinator)
        let back = try coordinator.migratePersistentStore(added, to: folder.file("memory"), type: .inMemory)
        #expect(coordinator.persistentStores == [back])
        try expectFilled(coordinator)
    }

    // Behaviour 1.13
    @Test func migratingTellsBothStoresAndTheIdentifiers() throws {
        let coordinator = coordinator()
        let store = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = context(coordinator)
        let old = try context.performAndWait {
            let books = (0..<2).map { _ in NSEntityDescription.insertNewObject(forEntityName: "Book", into: context) }
            try context.save()
            return books.map(\.objectID)
        }
        let log = NotificationLog(coordinator, [.NSPersistentStoreCoordinatorStoresDidChange])
        let leaving = NotificationLog(store, [.NSPersistentStoreCoordinatorWillRemoveStore])
        let added = try coordinator.migratePersistentStore(store, to: url, type: .sqlite)
        let keys = log.entries.flatMap { ($0.notification.userInfo ?? [:]).keys.compactMap { $0 as? String } }
        #expect(
            keys == [
                NSAddedPersistentStoresKey, NSUUIDChangedPersistentStoresKey, NSRemovedPersistentStoresKey,
            ])
        #expect(log.entries.first?.elements(NSAddedPersistentStoresKey).first as? NSPersistentStore === added)
        #expect(log.entries.last?.elements(NSRemovedPersistentStoresKey).first as? NSPersistentStore === store)
        #expect(leaving.entries.count == 1)
        let triple = try #require(log.entries.dropFirst().first).elements(NSUUIDChangedPersistentStoresKey)
        #expect(triple.count == 3 && triple[0] as? NSPersistentStore === store)
        #expect(triple[1] as? NSPersistentStore === added)
        let pairs = try #require(triple[2] as? [NSManagedObjectID])
        #expect(pairs.count == 4 && old.allSatisfy { pairs.contains($0) })
        #expect(pairs.count { $0.persistentStore === added } == 2)
    }

    @Test func migratingOntoAFileIsRefused() throws {
        let coordinator = coordinator()
        let store = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        try Data("mine".utf8).write(to: url)
        #expect(throws: CocoaError.self) { try coordinator.migratePersistentStore(store, to: url, type: .sqlite) }
        #expect(try Data(contentsOf: url) == Data("mine".utf8))
        #expect(coordinator.persistentStores == [store])
    }
}
