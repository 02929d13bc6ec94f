import OpenCoreData
import Synchronization
import TestSupport
import Testing

@Suite struct CoordinatorTests {
    private func coordinator(configurations: Bool = false) -> NSPersistentStoreCoordinator {
        NSPersistentStoreCoordinator(managedObjectModel: PublishingModel.make(configurations: configurations))
    }

    @discardableResult
    private func addMemory(
        _ coordinator: NSPersistentStoreCoordinator, _ configuration: String? = nil,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: configuration, at: nil, options: options)
    }

    // MARK: Adding and removing

    @Test func aStoreIsAddedAndRemoved() throws {
        let coordinator = coordinator()
        let store = try addMemory(coordinator)
        #expect(coordinator.persistentStores == [store])
        #expect(store.persistentStoreCoordinator === coordinator)
        #expect(store.type == NSInMemoryStoreType)
        #expect(coordinator.persistentStore(for: coordinator.url(for: store)) === store)
        try coordinator.remove(store)
        #expect(coordinator.persistentStores.isEmpty && coordinator.rowStores.isEmpty)
        #expect(store.persistentStoreCoordinator == nil)
        #expect(throws: CocoaError.self) { try coordinator.remove(store) }
    }

    // Behaviour 1.13
    @Test func addingAndRemovingIsAnnounced() throws {
        let coordinator = coordinator()
        let seen = Mutex<[String]>([])
        let center = NotificationCenter.default
        let changes = center.addObserver(
            forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil
        ) { notification in
            let keys = (notification.userInfo ?? [:]).keys.map { "\($0)" }.sorted()
            seen.withLock { $0.append("changed \(keys.joined())") }
        }
        defer { center.removeObserver(changes) }
        let store = try addMemory(coordinator)
        let removal = center.addObserver(
            forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: store, queue: nil
        ) { _ in seen.withLock { $0.append("will remove") } }
        defer { center.removeObserver(removal) }
        try coordinator.remove(store)
        #expect(seen.withLock { $0 } == ["changed added", "will remove", "changed removed"])
    }

    @Test func anUnknownTypeIsAnError() {
        let error = #expect(throws: CocoaError.self) {
            try coordinator().addPersistentStore(ofType: "Nowhere", configurationName: nil, at: nil)
        }
        #expect(error?.code == .persistentStoreInvalidType)
        #expect(error?.localizedDescription.contains("Nowhere") == true)
    }

    @Test func anUnknownConfigurationIsAnError() {
        let error = #expect(throws: CocoaError.self) { try addMemory(coordinator(), "Attic") }
        #expect(error?.localizedDescription.contains("Attic") == true)
    }

    @Test(arguments: [
        "NSPersistentStoreUbiquitousContentNameKey", "NSPersistentCloudKitContainerOptionsKey",
        "NSCoreDataCoreSpotlightExporter",
    ])
    func optionsThatCanNotBeFollowedAreRefusedByName(_ option: String) {
        let coordinator = coordinator()
        let error = #expect(throws: CocoaError.self) { try addMemory(coordinator, options: [option: true]) }
        #expect(error?.localizedDescription.contains(option) == true)
        #expect(coordinator.persistentStores.isEmpty)
    }

    // Behaviour 9.7
    @Test func aStoreOfAnotherTypeThanItsClassSaysIsNotAdded() {
        NSPersistentStoreCoordinator.registerStoreClass(MislabeledStore.self, forStoreType: "Mislabeled")
        defer { NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: "Mislabeled") }
        let coordinator = coordinator()
        let error = #expect(throws: CocoaError.self) {
            try coordinator.addPersistentStore(
                ofType: "Mislabeled", configurationName: nil, at: URL(fileURLWithPath: "/tmp/none"))
        }
        #expect(error?.code == .persistentStoreTypeMismatch)
        #expect(coordinator.persistentStores.isEmpty)
    }

    // Behaviour 9.14
    @Test func registeredTypesAreListed() {
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes[NSInMemoryStoreType] != nil)
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes[NSSQLiteStoreType] != nil)
    }

    // MARK: Several stores

    @Test func configurationsDecideWhichStoreKeepsAnEntity() throws {
        let coordinator = coordinator(configurations: true)
        let library = try addMemory(coordinator, "Library")
        let furniture = try addMemory(coordinator, "Furniture")
        let book = try #require(coordinator.layout.entities.first { $0.name == "Book" })
        let shelf = try #require(coordinator.layout.entities.first { $0.name == "Shelf" })
        #expect(try coordinator.storeForNewObjects(of: book) === library)
        #expect(try coordinator.storeForNewObjects(of: shelf) === furniture)
        #expect(coordinator.rowStores(for: book).count == 1)
    }

    // Behaviour 6.12
    @Test func newObjectsGoToTheFirstStoreThatMayBeWritten() throws {
        let coordinator = coordinator()
        let book = try #require(coordinator.layout.entities.first { $0.name == "Book" })
        let none = #expect(throws: CocoaError.self) { try coordinator.storeForNewObjects(of: book) }
        #expect(none?.localizedDescription.contains("no stores") == true)
        try addMemory(coordinator, options: [NSReadOnlyPersistentStoreOption: true])
        let readOnly = #expect(throws: CocoaError.self) { try coordinator.storeForNewObjects(of: book) }
        #expect(readOnly?.code == .fileWriteNoPermission)
        let second = try addMemory(coordinator)
        try addMemory(coordinator)
        #expect(try coordinator.storeForNewObjects(of: book) === second)
    }

    // MARK: Identifiers

    // Behaviour 2.5, 2.6
    @Test func identifiersComeBackFromTheirURIs() throws {
        let coordinator = coordinator()
        let store = try addMemory(coordinator)
        let book = try #require(coordinator.layout.entities.first { $0.name == "Book" })
        for reference in [Int64(17), -3] {
            let id = NSManagedObjectID(layout: book, reference: reference, store: store)
            let found = try #require(coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()))
            #expect(found == id)
            #expect(found.isTemporaryID == (reference < 0))
            #expect(coordinator.managedObjectID(for: id.uriRepresentation().absoluteString) == id)
        }
    }

    @Test func otherURIsMeanNothing() throws {
        let coordinator = coordinator()
        let store = try addMemory(coordinator)
        let uuid = try #require(store.identifier)
        for string in [
            "x-coredata://\(UUID().uuidString)/Book/p1", "x-coredata://\(uuid)/Magazine/p1",
            "x-coredata://\(uuid)/Book/q1", "x-coredata://\(uuid)/Book/p", "x-coredata://\(uuid)/Book",
            "x-coredata:///Book/t\(UUID().uuidString)", "https://\(uuid)/Book/p1", "",
        ] {
            #expect(coordinator.managedObjectID(for: string) == nil, "\(string)")
        }
    }

    // MARK: Metadata

    // Behaviour 9.1
    @Test func metadataNameTypeUUIDAndHashes() throws {
        let coordinator = coordinator()
        let store = try addMemory(coordinator)
        var metadata = coordinator.metadata(for: store)
        #expect(metadata[NSStoreTypeKey] as? String == NSInMemoryStoreType)
        #expect(metadata[NSStoreUUIDKey] as? String == store.identifier)
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        #expect(hashes?["Book"] == coordinator.managedObjectModel.entitiesByName["Book"]?.versionHash)
        metadata = ["color": "red"]
        coordinator.setMetadata(metadata, for: store)
        let after = coordinator.metadata(for: store)
        #expect(after["color"] as? String == "red")
        #expect(after[NSStoreUUIDKey] as? String == store.identifier)
    }

    // MARK: Queue

    @Test func performAndWaitMayBeNested() {
        let coordinator = coordinator()
        let result = coordinator.performAndWait { coordinator.performAndWait { 42 } }
        #expect(result == 42)
    }

    @Test func performReturnsValuesAndErrors() async throws {
        let coordinator = coordinator()
        let names = await coordinator.perform { coordinator.managedObjectModel.entities.count }
        #expect(names == 6)
        await #expect(throws: CocoaError.self) {
            try await coordinator.perform { throw CocoaError(.coreData) }
        }
    }

    @Test func anUnsupportedRequestIsAnError() throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let coordinator = coordinator()
        context.persistentStoreCoordinator = coordinator
        let error = #expect(throws: CocoaError.self) {
            try coordinator.execute(NSPersistentStoreRequest(), with: context)
        }
        #expect(error?.code == .persistentStoreUnsupportedRequestType)
    }
}

/// Says it is of another type than it is registered for.
// @unchecked Sendable because it has no state of its own.
private final class MislabeledStore: NSPersistentStore, @unchecked Sendable {
    override var type: String { "Other" }
}
