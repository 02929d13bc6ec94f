import Foundation
import Logging
import OpenCoreData
import TestSupport
import Testing

/// What a program writes that was started with the settings for logs. They are read once, so each test has a process of
/// its own.
@Suite(.serialized) struct LaunchedLogTests {
    /// The lines of one kind that a process wrote, without date and label, and without what differs from run to run.
    private func lines(_ kind: String, _ result: ExitTest.Result?) -> [String] {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n").compactMap {
            line -> String? in
            guard let range = line.range(of: "\(kind): ") else { return nil }
            return String(line[range.lowerBound...].replacing(/x-coredata:\/\/[0-9A-F-]+\//, with: ""))
        }
    }

    @Test func levelTwoTellsWhichFaultsWereFilledAndWithHowManyOthers() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_SQL_DEBUG", "2", 1)
            setenv("OPENCOREDATA_LOG_STDERR", "1", 1)
            let stack = try TestStack(model: FaultMonitorTests.model())
            _ = try FaultMonitorTests.fill(stack, count: 20)
            let reader = try TestStack(model: FaultMonitorTests.model(), folder: stack.folder)
            try reader.inContext { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "WatchedOwner")
                request.includesPropertyValues = false
                let owners = try context.fetch(request)
                // A row, with those of its siblings; then a to-many, with those of the siblings.
                _ = owners[0].value(forKey: "name")
                _ = owners[1].value(forKey: "name")
                _ = (owners[0].value(forKey: "pets") as? Set<NSManagedObject>)?.count
                _ = (owners[1].value(forKey: "pets") as? Set<NSManagedObject>)?.count
                // The pets' rows were read too, and aren't requested again.
                _ = (owners[2].value(forKey: "pets") as? Set<NSManagedObject>)?.first?.value(forKey: "name")
            }
        }
        let faults = lines("fault", result)
        #expect(
            faults == [
                "fault: WatchedOwner/p1 filled from the store, with 19 others",
                "fault: pets of WatchedOwner/p1 filled from the store, with 19 others",
            ])
        #expect(!lines("sql", result).isEmpty && lines("values", result).isEmpty && lines("plan", result).isEmpty)
    }

    @Test func linesGoToTheHandlerThatTheApplicationChose() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            setenv("OPENCOREDATA_SQL_DEBUG", "1", 1)
            LoggingSystem.bootstrap { label in MarkingHandler(label: label) }
            let stack = try TestStack()
            try stack.inContext { context in
                Book(context: context).title = "Emma"
                try context.save()
            }
        }
        let string = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(string.contains("handled OpenCoreData.SQL info: sql: INSERT INTO "), "\(string)")
    }

    @Test func aStoreOptionWithoutEffectIsNoted() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_LOG_STDERR", "1", 1)
            _ = try TestStack(options: ["NSPersistentStoreFileProtectionKey": "NSFileProtectionComplete"])
        }
        let string = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(string.contains("NSPersistentStoreFileProtectionKey"))
    }

    @Test func levelOneTellsNothingOfFaults() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_SQL_DEBUG", "1", 1)
            setenv("OPENCOREDATA_LOG_STDERR", "1", 1)
            let stack = try TestStack(model: FaultMonitorTests.model())
            _ = try FaultMonitorTests.fill(stack, count: 2)
            let reader = try TestStack(model: FaultMonitorTests.model(), folder: stack.folder)
            try reader.inContext { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "WatchedOwner")
                request.includesPropertyValues = false
                _ = try context.fetch(request).first?.value(forKey: "name")
            }
        }
        #expect(lines("fault", result).isEmpty && !lines("sql", result).isEmpty)
    }

    @Test(arguments: [false, true]) func migrationsTellTheirSteps(byObjects: Bool) async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [byObjects = byObjects as Bool] in
            setenv("OPENCOREDATA_MIGRATION_DEBUG", "1", 1)
            setenv("OPENCOREDATA_LOG_STDERR", "1", 1)
            let folder = try TemporaryFolder()
            let url = try VehicleStore.make(at: folder.file("Store.sqlite"), people: 3)
            try VehicleStore.migrate(url, byObjects: byObjects)
        }
        let steps = lines("migration", result)
        let written = ["migration: Store.sqlite: the new store is written", "migration: Store.sqlite: is done"]
        #expect(Array(steps.suffix(2)) == written)
        #expect(steps.contains("migration: Store.sqlite: begins"))
        if byObjects {
            let made = steps.filter { $0.hasPrefix("migration: entity mapping ") }
            #expect(made.contains { $0.contains("Person") && $0.hasSuffix(": objects are made") })
            #expect(made.contains { $0.contains("Person") && $0.hasSuffix(": relationships are made") })
        } else {
            let versions = [VehicleStore.Version.old, .new].map { VehicleStore.model($0).versionChecksum }
            #expect(
                steps.contains(
                    "migration: Store.sqlite: inferred a mapping model, from version \(versions[0]) to \(versions[1])"))
            #expect(steps.contains("migration: Store.sqlite: rows of Person are copied to Person"))
        }
    }

    @Test func aMigrationThatFailsTellsWhy() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_MIGRATION_DEBUG", "1", 1)
            setenv("OPENCOREDATA_LOG_STDERR", "1", 1)
            let folder = try TemporaryFolder()
            let url = try VehicleStore.make(at: folder.file("Store.sqlite"), people: 3)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: VehicleStore.model(.old))
            try coordinator.addPersistentStore(type: .sqlite, at: url)
            #expect(throws: CocoaError.self) { try VehicleStore.migrate(url) }
        }
        let steps = lines("migration", result)
        #expect(steps.last?.hasPrefix("migration: Store.sqlite: failed, the store is as it was: ") == true)
    }
}

/// A handler of an application.
private struct MarkingHandler: LogHandler {
    let label: String
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    init(label: String) { self.label = label }

    func log(event: LogEvent) { print("handled \(label) \(event.level): \(event.message)") }
}
