import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Saving to a full or read-only disk: the error says so, and the store is as it was.
@Suite(.enabled(if: SmallDisk.isAvailable, "mounting a disk takes administrator rights"))
struct FullDiskSavingTests {
    private func fill(_ disk: SmallDisk, leaving bytes: Int) throws {
        let file = disk.file("filler")
        if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try handle.seekToEnd()
        var values = statvfs()
        guard statvfs(disk.url.path, &values) == 0 else { throw CocoaError(.fileReadUnknown) }
        let free = Int(values.f_bavail) * Int(values.f_frsize)
        guard free > bytes else { return }
        try handle.write(contentsOf: Data(count: free - bytes))
    }

    private func expectFull(_ error: CocoaError?) {
        #expect(error?.code == .fileWriteOutOfSpace, "\(String(describing: error))")
        #expect(error?.localizedDescription.contains("disk is full") == true)
        #expect(error?.localizedDescription.contains("Items.sqlite") == true)
    }

    @Test func aLargeValueThatHasNoRoomSaysSo() throws {
        let disk = try SmallDisk(kilobytes: 4_096)
        let store = try ItemStore(disk.file("Items.sqlite"))
        try store.add(1)
        try fill(disk, leaving: 150_000)
        let error = #expect(throws: CocoaError.self) { try store.add(2) }
        expectFull(error)
        #expect(store.files.count == 1)
        try FileManager.default.removeItem(at: disk.file("filler"))
        try store.add(2)
        #expect(try store.bytes() == [1, 2])
    }

    @Test func aRowThatHasNoRoomSaysSo() throws {
        let disk = try SmallDisk(kilobytes: 4_096)
        let store = try ItemStore(disk.file("Items.sqlite"))
        try store.add(1)
        try fill(disk, leaving: 0)
        let error = #expect(throws: CocoaError.self) {
            try store.inContext { context in
                let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                item.setValue(String(repeating: "t", count: 300_000), forKey: "title")
                try context.save()
            }
        }
        expectFull(error)
        try FileManager.default.removeItem(at: disk.file("filler"))
        #expect(try store.bytes() == [1])
    }

    @Test func openingWhereThereIsNoRoomForTheLogSaysSo() throws {
        let disk = try SmallDisk(kilobytes: 4_096)
        let url = disk.file("Items.sqlite")
        let store = try ItemStore(url)
        try store.add(1)
        try store.close()
        for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: url.path + suffix) }
        // A process that another test is just starting may have the removed files open, and their room is free later.
        for _ in 0..<20 {
            try fill(disk, leaving: 0)
            do {
                let opened = try ItemStore(url)
                _ = try opened.bytes()
                try opened.close()
            } catch {
                return expectFull(error as? CocoaError)
            }
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
            Thread.sleep(forTimeInterval: 0.1)
        }
        Issue.record("A store was opened on a disk without room")
    }

    @Test func aDiskThatIsReadOnlySaysSo() throws {
        let disk = try SmallDisk(kilobytes: 4_096)
        let url = disk.file("Items.sqlite")
        try ItemStore(url).close()
        try disk.setWritable(false)
        let error = #expect(throws: CocoaError.self) { try ItemStore(url).add(1) }
        #expect(error?.code == .fileWriteVolumeReadOnly || error?.code == .fileWriteNoPermission)
        #expect(error?.localizedDescription.contains("read-only") == true, "\(String(describing: error))")
    }
}

/// What errors of SQLite are called, whatever the engine was doing.
@Suite struct SQLiteErrorWordTests {
    // SQLite's result codes.
    private let full: Int32 = 13
    private let failed: Int32 = 10
    private let unopened: Int32 = 14

    private func error(_ code: Int32, system: Int32 = 0) -> SQLiteError {
        var error = SQLiteError(extendedCode: code, message: "disk I/O error", path: "/tmp/Items.sqlite")
        error.systemError = system
        return error
    }

    @Test(arguments: [SQLiteError.Activity.opening, .reading, .saving])
    func aFullDiskIsAFullDisk(_ activity: SQLiteError.Activity) {
        let errors = [
            error(full), error(failed | 3 << 8, system: ENOSPC), error(unopened, system: ENOSPC),
            error(failed | 19 << 8, system: ENOSPC), error(failed | 3 << 8, system: EDQUOT),
        ]
        for error in errors {
            let told = error.cocoaError(while: activity)
            #expect(told.code == .fileWriteOutOfSpace)
            #expect(told.localizedDescription.contains("disk is full"))
        }
    }

    @Test func aFailedWriteWhileReadingIsAFailedWrite() {
        for code in [3, 4, 5, 6, 19] as [Int32] {
            let told = error(failed | code << 8, system: EIO).cocoaError(while: .reading)
            #expect(told.code == .fileWriteUnknown)
            #expect(told.localizedDescription.contains("could not be written"))
            #expect(told.localizedDescription.contains("the disk reported an input/output error"))
        }
        let told = error(failed | 1 << 8, system: EIO).cocoaError(while: .reading)
        #expect(told.code == .fileReadUnknown && told.localizedDescription.contains("could not be read"))
    }

    /// SQLite tells of a read that the disk refused without the system's number.
    @Test func aReadThatTheDiskRefusedIsNoDamage() {
        let refused = error(failed | 33 << 8)
        #expect(!refused.isDamage)
        let told = refused.cocoaError(while: .opening)
        #expect(told.code == .fileReadUnknown && told.userInfo[NSFilePathErrorKey] as? String == "/tmp/Items.sqlite")
        #expect(
            told.localizedDescription
                == "The store “Items.sqlite” could not be read: the disk reported an input/output error. Check the disk and "
                + "try again.")
    }

    @Test func whoMayNotWriteIsToldSo() {
        let denied = error(failed | 3 << 8, system: EACCES).cocoaError(while: .saving)
        #expect(denied.code == .fileWriteNoPermission)
        let readOnly = error(unopened, system: EROFS).cocoaError(while: .saving)
        #expect(readOnly.code == .fileWriteVolumeReadOnly)
    }
}
