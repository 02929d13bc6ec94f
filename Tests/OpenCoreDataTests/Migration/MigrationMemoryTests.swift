#if os(Linux)
import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

/// Migrating by objects needs the memory of some batches, whatever the size of the store. Each test has a process
/// of its own, whose peak is measured. A measurement and no daily test: run with
/// `OPENCOREDATA_MIGRATION_ROWS=200000`.
@Suite(
    .serialized,
    .enabled(
        if: ProcessInfo.processInfo.environment["OPENCOREDATA_MIGRATION_ROWS"] != nil,
        "OPENCOREDATA_MIGRATION_ROWS asks for it"))
struct MigrationMemoryTests {
    static let limit = 24.0

    /// The memory of this process that is its own, in megabytes: without the pages of files that are mapped.
    private static func ownMemory() throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return (Double(line.filter(\.isNumber)) ?? 0) / 1_024
    }

    /// The most memory of its own that the process had while `body` ran, looked at every few milliseconds.
    private static func peak(during body: () throws -> Void) throws -> Double {
        let highest = Mutex(try ownMemory())
        let isDone = Mutex(false)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isDone.withLock({ $0 }) {
                if let now = try? ownMemory() { highest.withLock { $0 = max($0, now) } }
                usleep(2_000)
            }
            ended.signal()
        }
        defer {
            isDone.withLock { $0 = true }
            ended.wait()
        }
        try body()
        return highest.withLock { $0 }
    }

    private static func version(_ number: Int) -> NSManagedObjectModel {
        let record = NSEntityDescription()
        record.name = "BulkyRecord"
        record.properties = (0..<8).map { MigrationModels.attribute("text\($0)", .stringAttributeType) }
        if number == 1 { record.properties.append(MigrationModels.attribute("added", .stringAttributeType)) }
        let model = NSManagedObjectModel()
        model.entities = [record]
        return model
    }

    private static func make(_ rows: Int, in folder: TemporaryFolder) throws -> URL {
        let url = folder.file("Rows\(rows).sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: version(0))
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            var row = 0
            let string = String(repeating: "abcdefgh", count: 8)
            let insert = NSBatchInsertRequest(entityName: "BulkyRecord") { (values: NSMutableDictionary) in
                if row == rows { return true }
                for index in 0..<8 { values["text\(index)"] = "\(string)\(row)" }
                row += 1
                return false
            }
            try context.execute(insert)
        }
        try coordinator.remove(store)
        return url
    }

    /// How much the peak grows from migrating a small store to migrating a large one.
    private static func growth(
        byObjects: Bool, policy: NSEntityMigrationPolicy.Type? = nil
    ) throws -> (rows: Int, megabytes: Double) {
        let asked = ProcessInfo.processInfo.environment["OPENCOREDATA_MIGRATION_ROWS"].flatMap { Int($0) }
        let rows = asked ?? 30_000
        let folder = try TemporaryFolder()
        let (small, large) = (try make(3_000, in: folder), try make(rows, in: folder))
        func migrate(_ url: URL) throws {
            let (source, destination) = (version(0), version(1))
            let migration = StoreMigration(
                url: url, type: NSSQLiteStoreType, metadata: try StoreFile.metadata(at: url), sourceModel: source,
                destinationModel: destination, configuration: nil, options: nil)
            guard byObjects else { return try migration.runInferred() }
            let mapping = try NSMappingModel.inferredMappingModel(
                forSourceModel: source, destinationModel: destination)
            for entity in mapping.entityMappings {
                entity.entityMigrationPolicyClassName = policy.map { String(reflecting: $0) }
            }
            try migration.run(with: mapping, direct: false)
        }
        let before = try peak { try migrate(small) }
        let after = try peak { try migrate(large) }
        return (rows, after - before)
    }

    @Test func migratingByObjectsNeedsTheMemoryOfBatches() async {
        await #expect(processExitsWith: .success) {
            // What is kept of each row are some numbers.
            let growth = try MigrationMemoryTests.growth(byObjects: true)
            #expect(growth.megabytes < MigrationMemoryTests.limit * max(1, Double(growth.rows) / 60_000))
        }
    }

    @Test func withAPolicyTheFirstObjectsHaveTheirValues() async {
        await #expect(processExitsWith: .success) {
            let growth = try MigrationMemoryTests.growth(byObjects: true, policy: CountingPolicy.self)
            #expect(growth.megabytes < 1.5 * MigrationMemoryTests.limit * max(1, Double(growth.rows) / 60_000))
        }
    }

    @Test func migratingWithSQLNeedsNone() async {
        await #expect(processExitsWith: .success) {
            let growth = try MigrationMemoryTests.growth(byObjects: false)
            #expect(growth.megabytes < MigrationMemoryTests.limit)
        }
    }
}

/// Looks at what was made before, as policies do, now and then.
final class CountingPolicy: NSEntityMigrationPolicy {
    private var calls = 0

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        calls += 1
        guard calls.isMultiple(of: 5_000) else { return }
        let known = manager.destinationContext.registeredObjects.filter { !$0.isFault }.count
        #expect(known >= 5_000 && known <= 10_500)
    }
}
#endif
