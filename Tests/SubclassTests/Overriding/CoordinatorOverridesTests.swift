import CoreData
import Foundation
import TestSupport
import Testing

/// Overrides every method and property that can be overridden on Apple's systems.
final class WatchedCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
    static let ran = Ran()

    override var managedObjectModel: NSManagedObjectModel { note(super.managedObjectModel) }
    override var persistentStores: [NSPersistentStore] { note(super.persistentStores) }
    override var name: String? { didSet { Self.ran.note(#function) } }
    override class var registeredStoreTypes: [String: NSValue] { note(super.registeredStoreTypes) }

    override func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try note(
            super.addPersistentStore(
                ofType: storeType, configurationName: configuration, at: storeURL, options: options))
    }
    override func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) { note(super.addPersistentStore(with: storeDescription, completionHandler: block)) }
    override func remove(_ store: NSPersistentStore) throws { try note(super.remove(store)) }
    override func migratePersistentStore(
        _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore {
        try note(super.migratePersistentStore(store, to: URL, options: options, withType: storeType))
    }
    override func destroyPersistentStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws { try note(super.destroyPersistentStore(at: url, ofType: storeType, options: options)) }
    override func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws {
        try note(
            super.replacePersistentStore(
                at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
                sourceOptions: sourceOptions, ofType: storeType))
    }
    override func url(for store: NSPersistentStore) -> URL { note(super.url(for: store)) }
    override func setURL(_ url: URL, for store: NSPersistentStore) -> Bool { note(super.setURL(url, for: store)) }
    override func persistentStore(for URL: URL) -> NSPersistentStore? { note(super.persistentStore(for: URL)) }
    override func metadata(for store: NSPersistentStore) -> [String: Any] { note(super.metadata(for: store)) }
    override func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        note(super.setMetadata(metadata, for: store))
    }
    override class func metadataForPersistentStore(
        ofType storeType: String?, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try note(super.metadataForPersistentStore(ofType: storeType, at: url, options: options))
    }
    override class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try note(super.setMetadata(metadata, forPersistentStoreOfType: storeType, at: url, options: options))
    }
    override class func cachedModelForPersistentStore(
        at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectModel { try note(super.cachedModelForPersistentStore(at: url, options: options)) }
    override class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
        note(super.registerStoreClass(storeClass, forStoreType: storeType))
    }
    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        try note(super.execute(request, with: context))
    }
    override func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        note(super.managedObjectID(forURIRepresentation: url))
    }
    override func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
        note(super.currentPersistentHistoryToken(fromStores: stores))
    }
    override func finishDeferredLightweightMigration() throws {
        try note(super.finishDeferredLightweightMigration())
    }
    override func finishDeferredLightweightMigrationTask() throws {
        try note(super.finishDeferredLightweightMigrationTask())
    }
    override func perform(_ block: @escaping () -> Void) { note(super.perform(block)) }
    override func performAndWait(_ block: () -> Void) { note(super.performAndWait(block)) }

    private func note<T>(_ value: @autoclosure () throws -> T, _ name: String = #function) rethrows -> T {
        Self.ran.note(name)
        return try value()
    }

    private class func note<T>(_ value: @autoclosure () throws -> T, _ name: String = #function) rethrows -> T {
        ran.note(name)
        return try value()
    }
}

/// A container with a coordinator, contexts and a folder of its own.
private final class WatchedContainer: NSPersistentContainer, @unchecked Sendable {
    static let ran = Ran()
    static let folder = try? TemporaryFolder()
    private let own: WatchedCoordinator

    override init(name: String, managedObjectModel model: NSManagedObjectModel) {
        own = WatchedCoordinator(managedObjectModel: model)
        super.init(name: name, managedObjectModel: model)
    }

    override class func defaultDirectoryURL() -> URL {
        ran.note(#function)
        return folder?.url ?? super.defaultDirectoryURL()
    }
    override var name: String { note(super.name) }
    override var viewContext: NSManagedObjectContext { note(super.viewContext) }
    override var managedObjectModel: NSManagedObjectModel { note(super.managedObjectModel) }
    override var persistentStoreCoordinator: NSPersistentStoreCoordinator { note(own) }
    override var persistentStoreDescriptions: [NSPersistentStoreDescription] {
        get { note(super.persistentStoreDescriptions) }
        set { super.persistentStoreDescriptions = newValue }
    }
    override func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) { note(super.loadPersistentStores(completionHandler: block)) }
    override func newBackgroundContext() -> NSManagedObjectContext { note(super.newBackgroundContext()) }
    override func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
        note(super.performBackgroundTask(block))
    }

    private func note<T>(_ value: @autoclosure () -> T, _ name: String = #function) -> T {
        Self.ran.note(name)
        return value()
    }
}

/// Coordinators and containers whose classes override what they can.
@Suite(.serialized) struct CoordinatorOverridesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func everyOverrideOfACoordinatorRuns() throws {
        let ran = WatchedCoordinator.ran
        ran.forget()
        let coordinator = WatchedCoordinator(managedObjectModel: LibraryModel.make())
        coordinator.name = "watched"
        _ = coordinator.managedObjectModel
        let first = folder.file("First.sqlite")
        let store = try coordinator.addPersistentStore(type: .sqlite, at: first)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let id = try context.performAndWait {
            let author = Author(context: context)
            try context.save()
            _ = try coordinator.execute(NSFetchRequest<Author>(entityName: "Author"), with: context)
            return author.objectID
        }
        #expect(coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()) == id)
        #expect(coordinator.url(for: store) == first && coordinator.persistentStore(for: first) === store)
        _ = coordinator.setURL(first, for: store)
        coordinator.setMetadata(["note": "x"], for: store)
        #expect(coordinator.metadata(for: store)["note"] as? String == "x")
        _ = coordinator.currentPersistentHistoryToken(fromStores: nil)
        try coordinator.finishDeferredLightweightMigration()
        try coordinator.finishDeferredLightweightMigrationTask()
        coordinator.perform {}
        #expect(coordinator.performAndWait { 4 } == 4)
        let second = folder.file("Second.sqlite")
        let moved = try coordinator.migratePersistentStore(store, to: second, type: .sqlite)
        try coordinator.remove(moved)
        try coordinator.replacePersistentStore(at: first, withPersistentStoreFrom: second, type: .sqlite)
        _ = try WatchedCoordinator.metadataForPersistentStore(type: .sqlite, at: first)
        try WatchedCoordinator.setMetadata([:], type: .sqlite, at: first)
        _ = try WatchedCoordinator.cachedModelForPersistentStore(at: first)
        WatchedCoordinator.registerStoreClass(nil, type: .init(rawValue: "Watched"))
        _ = WatchedCoordinator.registeredStoreTypes
        try coordinator.destroyPersistentStore(at: first, type: .sqlite)
        let description = NSPersistentStoreDescription(url: second)
        coordinator.addPersistentStore(with: description) { _, error in #expect(error == nil) }
        #expect(coordinator.persistentStores.count == 1)
        let missing = Self.coordinatorMembers.subtracting(ran.names)
        #expect(missing.isEmpty, "\(missing)")
        // Once by its Swift name, once for the store that was migrated, and once for the description.
        #expect(ran["addPersistentStore(ofType:configurationName:at:options:)"] == 3)
    }

    private static let coordinatorMembers: Set<String> = [
        "managedObjectModel", "persistentStores", "name", "registeredStoreTypes",
        "addPersistentStore(ofType:configurationName:at:options:)", "addPersistentStore(with:completionHandler:)",
        "remove(_:)", "migratePersistentStore(_:to:options:withType:)", "destroyPersistentStore(at:ofType:options:)",
        "replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)", "url(for:)",
        "setURL(_:for:)", "persistentStore(for:)", "metadata(for:)", "setMetadata(_:for:)",
        "metadataForPersistentStore(ofType:at:options:)", "setMetadata(_:forPersistentStoreOfType:at:options:)",
        "cachedModelForPersistentStore(at:options:)", "registerStoreClass(_:forStoreType:)", "execute(_:with:)",
        "managedObjectID(forURIRepresentation:)", "currentPersistentHistoryToken(fromStores:)",
        "finishDeferredLightweightMigration()", "finishDeferredLightweightMigrationTask()", "perform(_:)",
        "performAndWait(_:)",
    ]

    @Test func everyOverrideOfAContainerRuns() throws {
        let ran = WatchedContainer.ran
        ran.forget()
        WatchedCoordinator.ran.forget()
        let container = WatchedContainer(name: "Library", managedObjectModel: LibraryModel.make())
        container.loadPersistentStores { _, error in #expect(error == nil) }
        #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
        #expect(WatchedCoordinator.ran["addPersistentStore(ofType:configurationName:at:options:)"] == 1)
        let folder = try #require(WatchedContainer.folder)
        #expect(FileManager.default.fileExists(atPath: folder.file("Library.sqlite").path))
        let done = DispatchSemaphore(value: 0)
        container.performBackgroundTask { context in
            Author(context: context).name = "Joyce"
            do { try context.save() } catch { Issue.record(error) }
            done.signal()
        }
        done.wait()
        _ = (container.name, container.viewContext, container.managedObjectModel)
        let members: Set<String> = [
            "defaultDirectoryURL()", "name", "viewContext", "managedObjectModel", "persistentStoreCoordinator",
            "persistentStoreDescriptions", "loadPersistentStores(completionHandler:)", "newBackgroundContext()",
            "performBackgroundTask(_:)",
        ]
        #expect(members.subtracting(ran.names).isEmpty)
    }
}
