import Foundation
import OpenCoreData
import TestSupport
import Testing

#if os(Linux)
/// Locks of files while other processes are started.
@Suite struct FileLockTests {
    /// Has the open files of a name as a process has them that was split off and hasn't begun its own program.
    private func duplicates(ofFilesNamed name: String) throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?.hasSuffix(name)
                == true
        }.map { dup($0) }
    }

    @Test(.enabled(if: FileLock.isSharedAmongProcesses, "Locks without a file are those of one process."))
    func aLockIsFreeThoughAnotherProcessStillHasTheFile() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("\(UUID().uuidString).lock")
        let lock = try FileLock(url, timeout: 0)
        let duplicates = try duplicates(ofFilesNamed: url.lastPathComponent)
        defer { for descriptor in duplicates { close(descriptor) } }
        #expect(duplicates.count == 1)
        #expect(throws: CocoaError.self) { _ = try FileLock(url, timeout: 0) }
        lock.release(removingFile: false)
        try FileLock(url, timeout: 0).release(removingFile: true)
    }

    @Test func filesThatAClosedStoreLeavesAreRemovedThoughAnotherProcessHasItsList() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Items.sqlite")
        let (writer, reader) = (try ItemStore(url), try ItemStore(url))
        try writer.add(1)
        let context = reader.context()
        try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            #expect(try ItemStore.items(context).count == 1)
        }
        try writer.replace(with: 2)
        let support = folder.file(".Items_SUPPORT").path
        let lists = try FileManager.default.contentsOfDirectory(atPath: support).filter { $0 != "_EXTERNAL_DATA" }
        let duplicates = try lists.flatMap(duplicates(ofFilesNamed:))
        defer { for descriptor in duplicates { close(descriptor) } }
        #expect(!duplicates.isEmpty)
        try writer.close()
        try context.performAndWait {
            try context.setQueryGenerationFrom(nil)
            context.reset()
        }
        try reader.close()
        #expect(reader.files.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: support) == ["_EXTERNAL_DATA"])
    }
}
#endif
