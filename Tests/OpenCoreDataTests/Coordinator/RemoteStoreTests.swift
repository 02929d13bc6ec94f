import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

/// A URL that is no file URL has a path, too; the local file of that path must not be touched.
@Suite(.serialized) struct RemoteStoreTests {
    /// A store on the disk, and the URL of a database on a server whose path is that of the store's file.
    private struct Stores {
        let stack: TestStack
        let remote: URL
        let bytes: Data

        init() throws {
            stack = try TestStack(options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
            for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
            remote = try #require(URL(string: "remotestore://user:secret@host\(stack.url.path)"))
            #expect(remote.path == stack.url.path)
            bytes = try Data(contentsOf: stack.url)
        }

        /// What is in the folder of the store.
        var names: [String] {
            get throws { try FileManager.default.contentsOfDirectory(atPath: stack.folder.url.path).sorted() }
        }
    }

    private func requireRefusal(_ stores: Stores, _ what: String, _ body: () throws -> Void) throws {
        let names = try stores.names
        do {
            try body()
            Issue.record("\(what) was done")
        } catch {
            let string = "\(error) \((error as NSError).localizedDescription) \((error as NSError).userInfo)"
            #expect(!string.contains("secret"), "\(what)")
        }
        #expect(try Data(contentsOf: stores.stack.url) == stores.bytes, "\(what)")
        #expect(try stores.names == names, "\(what)")
    }

    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, ServerStore.type])
    func nothingTakesTheURLOfAServerForAPath(type: String) throws {
        ServerStore.reset()
        NSPersistentStoreCoordinator.registerStoreClass(ServerStore.self, forStoreType: ServerStore.type)
        defer { NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: ServerStore.type) }
        let stores = try Stores()
        let (model, file, remote) = (LibraryModel.make(), stores.stack.url, stores.remote)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try requireRefusal(stores, "destroy") {
            try coordinator.destroyPersistentStore(at: remote, ofType: type, options: nil)
        }
        try requireRefusal(stores, "forced destroy") {
            try coordinator.destroyPersistentStore(
                at: remote, ofType: type, options: [NSPersistentStoreForceDestroyOption: true])
        }
        try requireRefusal(stores, "replace the remote one") {
            try coordinator.replacePersistentStore(
                at: remote, destinationOptions: nil, withPersistentStoreFrom: file, sourceOptions: nil, ofType: type)
        }
        let other = stores.stack.folder.file("Other.sqlite")
        try requireRefusal(stores, "replace with the remote one") {
            try coordinator.replacePersistentStore(
                at: other, destinationOptions: nil, withPersistentStoreFrom: remote, sourceOptions: nil, ofType: type)
        }
        try requireRefusal(stores, "metadata") {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: remote, options: nil)
        }
        try requireRefusal(stores, "set metadata") {
            try NSPersistentStoreCoordinator.setMetadata(
                ["key": "value"], forPersistentStoreOfType: type, at: remote, options: nil)
        }
        try requireRefusal(stores, "model") {
            _ = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: remote, options: nil)
        }
        try requireRefusal(stores, "add") {
            _ = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: remote, options: nil)
        }
        try requireRefusal(stores, "migrate to") {
            let scratch = try coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
            defer { try? coordinator.remove(scratch) }
            _ = try coordinator.migratePersistentStore(scratch, to: remote, options: nil, withType: type)
        }
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model)
        let manager = NSMigrationManager(sourceModel: model, destinationModel: model)
        try requireRefusal(stores, "manager from") {
            try manager.migrateStore(
                from: remote, sourceType: type, options: nil, with: mapping, toDestinationURL: other,
                destinationType: NSSQLiteStoreType, destinationOptions: nil)
        }
        let second = NSMigrationManager(sourceModel: model, destinationModel: model)
        try requireRefusal(stores, "manager to") {
            try second.migrateStore(
                from: file, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: remote,
                destinationType: type, destinationOptions: nil)
        }
        let isServers = type == ServerStore.type
        #expect(ServerStore.calls.contains("destroy") == isServers)
        #expect(ServerStore.calls.contains("replace") == isServers)
        // The URL says whose it is.
        #expect(ServerStore.calls.contains("model"))
    }

    @Test(arguments: [false, true])
    func whatIsLeftOfAMissingFileIsNotThatOfAServer(isForced: Bool) throws {
        let folder = try TemporaryFolder()
        let log = folder.file("Gone.sqlite-wal")
        try Data("log".utf8).write(to: log)
        let remote = try #require(URL(string: "postgresql://user:secret@host\(folder.file("Gone.sqlite").path)"))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        #expect(throws: CocoaError.self) {
            try coordinator.destroyPersistentStore(
                at: remote, ofType: NSSQLiteStoreType, options: [NSPersistentStoreForceDestroyOption: isForced])
        }
        #expect(try Data(contentsOf: log) == Data("log".utf8))
    }

    @Test func descriptionsShowNoPassword() throws {
        let url = try #require(URL(string: "postgresql://user:secret@host/db?sslpassword=secret&schema=a"))
        let description = NSPersistentStoreDescription(url: url)
        #expect(!description.description.contains("secret"))
        #expect(url.displayName == "postgresql://user@host/db?schema=a")
        #expect(URL(fileURLWithPath: "/a b/c").displayName == "/a b/c")
    }
}

/// A class of stores on a server that can't be reached.
private final class ServerStore: NSIncrementalStore, RemoteStore, @unchecked Sendable {
    static let type = "RemoteStoreTests"
    private static let noted = Mutex<Set<String>>([])

    static var calls: Set<String> { noted.withLock { $0 } }
    static func reset() { noted.withLock { $0 = [] } }

    override var type: String { Self.type }

    private static func refuse(_ call: String, _ url: URL) -> any Error {
        noted.withLock { _ = $0.insert(call) }
        return CocoaError(
            .persistentStoreOpen, userInfo: [NSLocalizedDescriptionKey: "There is nobody at \(displayName(of: url))."])
    }

    override func loadMetadata() throws { throw Self.refuse("load", url ?? URL(fileURLWithPath: "/")) }
    static func handles(_ url: URL) -> Bool { url.scheme == "remotestore" }
    static func destroyStore(at url: URL, options: [AnyHashable: Any]?) throws { throw refuse("destroy", url) }
    static func replaceStore(
        at url: URL, options: [AnyHashable: Any]?, withStoreAt sourceURL: URL, sourceOptions: [AnyHashable: Any]?
    ) throws { throw refuse("replace", url) }
    static func model(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> NSManagedObjectModel {
        throw refuse("model", url)
    }
    static func hasHistory(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> Bool {
        throw refuse("history", url)
    }
    static func migrateStore(
        at url: URL, metadata: [String: Any], by match: ModelMatch, to model: NSManagedObjectModel,
        options: [AnyHashable: Any]?
    ) throws { throw refuse("migrate", url) }
    static func migrationStatements(
        at url: URL, metadata: [String: Any], by match: ModelMatch, to model: NSManagedObjectModel,
        options: [AnyHashable: Any]?
    ) throws -> [RemoteMigrationStatement] { throw refuse("statements", url) }
    static func facts(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> RemoteStoreFacts {
        throw refuse("facts", url)
    }
    static func findings(
        inStoreAt url: URL, model: NSManagedObjectModel, options: [AnyHashable: Any]?,
        progress: (_ done: Int, _ total: Int) throws -> Void
    ) throws -> [StoreFinding] { throw refuse("findings", url) }
}
