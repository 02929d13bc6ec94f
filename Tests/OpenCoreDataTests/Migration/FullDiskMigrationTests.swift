import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Migrating, replacing and copying on a disk that is full or can't be written: an error that says so, and the store as it
/// was.
@Suite(.enabled(if: SmallDisk.isAvailable, "mounting a disk takes administrator rights"))
struct FullDiskMigrationTests {
    private let people = 500

    /// The error of a block, which has to be one that names the file.
    private func error(_ url: URL, _ body: () throws -> Void) throws -> CocoaError {
        let error = try #require(throws: CocoaError.self) { try body() }
        #expect(error.localizedDescription.contains(url.lastPathComponent), "\(error)")
        #expect(error.userInfo[NSFilePathErrorKey] is String)
        return error
    }

    /// The codes of an error and of what caused it.
    private func codes(_ error: any Error) -> [CocoaError.Code] {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        return ((error as? CocoaError).map { [$0.code] } ?? []) + (cause.map(codes) ?? [])
    }

    private func size(of url: URL) throws -> Int {
        var size = 0
        for path in [url.path]
            + (try FileManager.default.subpathsOfDirectory(atPath: url.path)).map({ "\(url.path)/\($0)" })
        where !isLog(path) {
            size +=
                ((try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0) / 1_024
                + 4
        }
        return size
    }

    /// A store in a folder of its own, and the kilobytes that it takes.
    private func makeStore(_ type: String = NSSQLiteStoreType, name: String = "Pat") throws -> (
        folder: TemporaryFolder, url: URL, kilobytes: Int
    ) {
        let folder = try TemporaryFolder()
        let url = try VehicleStore.make(at: folder.file("Store.file"), people: people, name: name, type: type)
        return (folder, url, try size(of: folder.url))
    }

    /// What stays beside a store that was open: its log, emptied, and the log's index.
    private func isLog(_ path: String) -> Bool { path.hasSuffix("-wal") || path.hasSuffix("-shm") }

    private func names(_ disk: SmallDisk) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: disk.url.path).filter { !isLog($0) }.sorted()
    }

    @Test(arguments: [false, true]) func aMigrationOnAFullDiskChangesNothing(byObjects: Bool) throws {
        let store = try makeStore()
        let disk = try SmallDisk(kilobytes: store.kilobytes + 60)
        let url = disk.file("Store.sqlite")
        try VehicleStore.copy(store.url, to: url)
        let before = try names(disk)
        let error = try error(url) { try VehicleStore.migrate(url, byObjects: byObjects) }
        #expect(codes(error).contains(.fileWriteOutOfSpace), "\(error)")
        #expect(try VehicleStore.version(of: url, people: people) == .old)
        #expect(try names(disk) == before)
    }

    @Test(arguments: [NSXMLStoreType, NSBinaryStoreType]) func aMigrationOfAFileOnAFullDiskChangesNothing(type: String)
        throws
    {
        let store = try makeStore(type)
        let disk = try SmallDisk(kilobytes: store.kilobytes + 20)
        let url = disk.file("Store.file")
        try VehicleStore.copy(store.url, to: url)
        let before = try Data(contentsOf: url)
        let error = try error(url) { try VehicleStore.migrate(url, type: type) }
        #expect(codes(error).contains(.fileWriteOutOfSpace), "\(error)")
        #expect(try Data(contentsOf: url) == before)
        #expect(try names(disk) == ["Store.file"])
    }

    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func aReplacementOnAFullDiskChangesNothing(type: String) throws {
        let (store, other) = (try makeStore(type), try makeStore(type, name: "Sam"))
        let disk = try SmallDisk(kilobytes: store.kilobytes + 60)
        let url = disk.file("Store.sqlite")
        try VehicleStore.copy(store.url, to: url)
        let before = try names(disk)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: MigrationModels.make())
        let error = try error(URL(fileURLWithPath: "Store")) {
            try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: other.url, ofType: type)
        }
        #expect(codes(error).contains(.fileWriteOutOfSpace), "\(error)")
        #expect(try VehicleStore.version(of: url, people: people, type: type) == .old)
        #expect(try names(disk) == before)
    }

    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func aCopyToAFullDiskLeavesNothing(type: String) throws {
        let store = try makeStore()
        let disk = try SmallDisk(kilobytes: 300)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: MigrationModels.make())
        let source = try coordinator.addPersistentStore(type: .sqlite, at: store.url)
        let copy = disk.file("Copy.file")
        let error = try #require(throws: CocoaError.self) {
            try coordinator.migratePersistentStore(source, to: copy, withType: type)
        }
        #expect(codes(error).contains(.fileWriteOutOfSpace), "\(error)")
        #expect(coordinator.persistentStores == [source])
        #expect(try names(disk) == [])
        try coordinator.remove(source)
        #expect(try VehicleStore.version(of: store.url, people: people) == .old)
    }

    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func nothingIsDoneOnADiskThatCanNotBeWritten(type: String) throws {
        let (store, other) = (try makeStore(type), try makeStore(type, name: "Sam"))
        let disk = try SmallDisk(kilobytes: 4 * store.kilobytes)
        let url = disk.file("Store.file")
        try VehicleStore.copy(store.url, to: url)
        let (before, there) = (try Data(contentsOf: url), try names(disk))
        try disk.setWritable(false)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: MigrationModels.make())
        let codes = [
            try error(url) { try VehicleStore.migrate(url, type: type) },
            try error(url) {
                try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: other.url, ofType: type)
            },
            try error(disk.file("Copy.file")) {
                let source = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: other.url)
                try coordinator.migratePersistentStore(source, to: disk.file("Copy.file"), withType: type)
            },
            try error(url) { try coordinator.destroyPersistentStore(at: url, ofType: type) },
        ].map(\.code)
        let refusals: Set<CocoaError.Code> = [.fileWriteNoPermission, .fileWriteVolumeReadOnly]
        #expect(codes.allSatisfy { refusals.contains($0) }, "\(codes)")
        #expect(try Data(contentsOf: url) == before)
        #expect(try names(disk) == there)
    }
}
