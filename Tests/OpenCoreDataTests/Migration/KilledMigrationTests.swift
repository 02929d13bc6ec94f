import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Migrating, replacing and copying in a process that is killed: the next one finds the old store or the new one,
/// whole.
@Suite(.serialized) struct KilledMigrationTests {
    let folder: TemporaryFolder

    /// When the process is killed, counted from the beginning of the work.
    static let microseconds: [UInt32] = [0, 1_000, 3_000, 10_000, 30_000, 60_000, 100_000, 200_000, 400_000]
    static let steps = Array(MigrationStep.allCases.indices)
    static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]

    init() throws { folder = try TemporaryFolder() }

    private func expectNothingLeft() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.filter { $0.contains("-migration") } == [])
    }

    private func isDone(_ step: Int) -> Bool {
        [.exchanged, .swept].contains(MigrationStep.allCases[step])
    }

    /// Whether a step is one of a way of migrating: objects are made without steps in between.
    private func exists(_ step: Int, byObjects: Bool) -> Bool {
        !byObjects || ![.created, .copied].contains(MigrationStep.allCases[step])
    }

    // MARK: Migrating

    @Test(arguments: steps, [false, true]) func aMigrationIsKilledAtAStep(_ step: Int, byObjects: Bool) async throws {
        let url = try VehicleStore.make(at: folder.file("Store.sqlite"), people: 300)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [url = url as URL, step = step as Int, byObjects = byObjects as Bool] in
            try SuddenDeath.at(MigrationStep.allCases[step]) { try VehicleStore.migrate(url, byObjects: byObjects) }
        }
        let version = try VehicleStore.version(of: url, people: 300)
        #expect((version == .new) == (isDone(step) || !exists(step, byObjects: byObjects)))
        try expectNothingLeft()
        if version == .old { try VehicleStore.migrate(url, byObjects: byObjects) }
        #expect(try VehicleStore.version(of: url, people: 300) == .new)
    }

    @Test(arguments: steps, [NSXMLStoreType, NSBinaryStoreType])
    func aMigrationOfAFileIsKilledAtAStep(_ step: Int, type: String) async throws {
        let url = try VehicleStore.make(at: folder.file("Store.file"), people: 100, type: type)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [url = url as URL, step = step as Int, type = type as String] in
            try SuddenDeath.at(MigrationStep.allCases[step]) { try VehicleStore.migrate(url, type: type) }
        }
        let version = try VehicleStore.version(of: url, people: 100, type: type)
        #expect((version == .new) == (isDone(step) || !exists(step, byObjects: true)))
        try expectNothingLeft()
    }

    @Test(arguments: [false, true]) func aMigrationIsKilledAtAnyTime(byObjects: Bool) async throws {
        let original = try VehicleStore.make(at: folder.file("Original.sqlite"))
        let url = folder.file("Store.sqlite")
        try VehicleStore.copy(original, to: url)
        for time in Self.microseconds {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [url = url as URL, time = time as UInt32, byObjects = byObjects as Bool] in
                try SuddenDeath.within(microseconds: time) { try VehicleStore.migrate(url, byObjects: byObjects) }
            }
            let version = try VehicleStore.version(of: url)
            try expectNothingLeft()
            if version == .new { try VehicleStore.copy(original, to: url) }
        }
    }

    // MARK: Replacing

    private static func replace(_ url: URL, with other: URL, _ type: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: MigrationModels.make())
        try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: other, ofType: type)
    }

    /// Whether the store is the new one; it is one of the two.
    private func isReplaced(_ url: URL, people: Int, _ type: String = NSSQLiteStoreType) throws -> Bool {
        var name = ""
        try VehicleStore.open(url, .old, type) { context in
            let clubs = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Club"))
            #expect(clubs.count == 1)
            name = clubs.first?.value(forKey: "name") as? String ?? ""
        }
        #expect(try VehicleStore.version(of: url, people: people, name: name, type: type) == .old)
        return name == "Sam"
    }

    @Test(arguments: steps, types) func aReplacementIsKilledAtAStep(_ step: Int, type: String) async throws {
        let url = try VehicleStore.make(at: folder.file("Store.file"), people: 300, type: type)
        let other = try VehicleStore.make(at: folder.file("Other.file"), people: 300, name: "Sam", type: type)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [url = url as URL, other = other as URL, step = step as Int, type = type as String] in
            try SuddenDeath.at(MigrationStep.allCases[step]) { try Self.replace(url, with: other, type) }
        }
        let neverReached = MigrationStep.allCases[step] == .created
        #expect(try isReplaced(url, people: 300, type) == (isDone(step) || neverReached))
        #expect(try isReplaced(other, people: 300, type))
        try expectNothingLeft()
    }

    @Test func aReplacementIsKilledAtAnyTime() async throws {
        let original = try VehicleStore.make(at: folder.file("Original.sqlite"))
        let other = try VehicleStore.make(at: folder.file("Other.sqlite"), name: "Sam")
        let url = folder.file("Store.sqlite")
        try VehicleStore.copy(original, to: url)
        for time in Self.microseconds {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [url = url as URL, other = other as URL, time = time as UInt32] in
                try SuddenDeath.within(microseconds: time) { try Self.replace(url, with: other, NSSQLiteStoreType) }
            }
            let isNew = try isReplaced(url, people: VehicleStore.people)
            try expectNothingLeft()
            if isNew { try VehicleStore.copy(original, to: url) }
        }
    }

    // MARK: Copying to another location or type

    private static func move(_ url: URL, to other: URL, _ type: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: MigrationModels.make())
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        try coordinator.migratePersistentStore(store, to: other, withType: type)
    }

    /// Expects the store to be whole, and the copy too if there is one.
    private func expectWhole(_ url: URL, copy: URL, _ type: String, people: Int) throws {
        #expect(try VehicleStore.version(of: url, people: people) == .old)
        guard FileManager.default.fileExists(atPath: copy.path) else { return }
        #expect(try VehicleStore.version(of: copy, people: people, type: type) == .old)
    }

    @Test(arguments: steps, types) func aCopyIsKilledAtAStep(_ step: Int, type: String) async throws {
        let url = try VehicleStore.make(at: folder.file("Store.sqlite"), people: 300)
        let copy = folder.file("Copy.file")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [url = url as URL, copy = copy as URL, step = step as Int, type = type as String] in
            try SuddenDeath.at(MigrationStep.allCases[step]) { try Self.move(url, to: copy, type) }
        }
        #expect(FileManager.default.fileExists(atPath: copy.path) == isDone(step))
        try expectWhole(url, copy: copy, type, people: 300)
        if !isDone(step) { try Self.move(url, to: copy, type) }
        try expectWhole(url, copy: copy, type, people: 300)
        try expectNothingLeft()
    }

    @Test func aCopyIsKilledAtAnyTime() async throws {
        let url = try VehicleStore.make(at: folder.file("Store.sqlite"))
        let copy = folder.file("Copy.sqlite")
        for time in Self.microseconds {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [url = url as URL, copy = copy as URL, time = time as UInt32] in
                try SuddenDeath.within(microseconds: time) { try Self.move(url, to: copy, NSSQLiteStoreType) }
            }
            try expectWhole(url, copy: copy, NSSQLiteStoreType, people: VehicleStore.people)
            let manager = FileManager.default
            for file in [copy] + StoreFile.companions(of: copy) where manager.fileExists(atPath: file.path) {
                try manager.removeItem(at: file)
            }
        }
    }

    // MARK: Destroying

    @Test func aStoreThatIsDestroyedIsWholeOrEmpty() async throws {
        let original = try VehicleStore.make(at: folder.file("Original.sqlite"))
        let url = folder.file("Store.sqlite")
        for time in Self.microseconds {
            try VehicleStore.copy(original, to: url)
            await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as URL, time = time as UInt32] in
                try SuddenDeath.within(microseconds: time) {
                    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: MigrationModels.make())
                    try coordinator.destroyPersistentStore(at: url, type: .sqlite)
                }
            }
            var count = 0
            try VehicleStore.open(url, .old) { context in
                count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person"))
            }
            #expect(count == 0 || count == VehicleStore.people)
            if count > 0 { #expect(try VehicleStore.version(of: url) == .old) }
            for file in StoreFile.companions(of: url) { try? FileManager.default.removeItem(at: file) }
        }
    }
}
