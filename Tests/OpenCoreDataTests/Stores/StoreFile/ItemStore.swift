import Foundation
import OpenCoreData
import TestSupport

/// A store of items with a title and a large value, and contexts on it as separate programs have them.
struct ItemStore {
    let url: URL
    let coordinator: NSPersistentStoreCoordinator

    init(_ url: URL, options: [AnyHashable: Any]? = nil) throws {
        self.url = url
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreReplacementTests.model())
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    }

    static func value(_ byte: UInt8, count: Int = 200_000) -> Data { Data(repeating: byte, count: count) }

    var store: SQLiteStore? { coordinator.persistentStores.first as? SQLiteStore }

    func context(_ policy: NSMergePolicy = .error) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.mergePolicy = policy
        return context
    }

    /// Runs a block on the queue of a new context.
    func inContext<T>(_ block: (NSManagedObjectContext) throws -> T) rethrows -> T {
        let context = context()
        return try context.performAndWait { try block(context) }
    }

    func close() throws {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// Adds items with values of these bytes, and titles that say which.
    func add(_ bytes: UInt8...) throws {
        try inContext { context in
            for byte in bytes {
                let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                item.setValue("\(byte)", forKey: "title")
                item.setValue(Self.value(byte), forKey: "bytes")
            }
            try context.save()
        }
    }

    /// Gives the items other values.
    func replace(with byte: UInt8) throws {
        try inContext { context in
            for item in try Self.items(context) { item.setValue(Self.value(byte), forKey: "bytes") }
            try context.save()
        }
    }

    func deleteAll() throws {
        try inContext { context in
            for item in try Self.items(context) { context.delete(item) }
            try context.save()
        }
    }

    static func items(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        return try context.fetch(request)
    }

    static func item(_ context: NSManagedObjectContext) throws -> NSManagedObject {
        guard let item = try items(context).first else { throw Refusal(reason: "no item") }
        return item
    }

    /// The first bytes of the values in the store, read afresh; 0 for no value.
    func bytes() throws -> [UInt8] {
        try inContext { context in
            try Self.items(context).map { ($0.value(forKey: "bytes") as? Data)?.first ?? 0 }
        }
    }

    /// The files of large values.
    var files: [String] { ExternalData(storeURL: url).orphans(besides: []) }

    func file(_ name: String) -> URL { ExternalData(storeURL: url).folder.appendingPathComponent(name) }
}
