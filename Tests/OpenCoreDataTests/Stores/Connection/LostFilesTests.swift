import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Files of an open store that another program removes or replaces: saves fail from then on, and what was saved stays.
@Suite struct LostFilesTests {
    private let folder: TemporaryFolder
    private let store: ItemStore

    init() throws {
        folder = try TemporaryFolder()
        store = try ItemStore(folder.file("Items.sqlite"))
        try store.add(1)
        try store.add(2)
    }

    private func path(_ suffix: String) -> String { store.url.path + suffix }

    private func expectRefusal(naming suffix: String) throws {
        for _ in 0..<3 {
            let error = #expect(throws: CocoaError.self) { try store.add(3) }
            #expect(error?.code == .fileNoSuchFile)
            #expect(error?.localizedDescription.contains("“Items.sqlite\(suffix)”") == true)
            #expect(error?.userInfo[NSFilePathErrorKey] as? String == store.url.path)
        }
        #expect(store.files.count == 2)
    }

    /// What is in the file alone, whatever lies beside it.
    private func rowsOfTheFile() throws -> String {
        let copy = folder.file("Copy.sqlite")
        try FileManager.default.copyItem(at: store.url, to: copy)
        return try SQLiteShell.run("SELECT group_concat(ZTITLE) FROM ZITEM", on: copy)
    }

    @Test(arguments: [["-wal"], ["-wal", "-shm"], ["-shm"]]) func whatWasSavedBeforeTheLogWasRemovedIsKept(
        _ removed: [String]
    ) throws {
        for suffix in removed { try FileManager.default.removeItem(atPath: path(suffix)) }
        try expectRefusal(naming: removed[0])
        #expect(try rowsOfTheFile() == "1,2")
        try store.close()
        let again = try ItemStore(store.url)
        try again.add(4)
        #expect(try again.bytes() == [1, 2, 4])
    }

    @Test(arguments: ["-wal", "-shm"]) func aReplacedLogIsNoticed(_ suffix: String) throws {
        try FileManager.default.moveItem(atPath: path(suffix), toPath: folder.file("moved").path)
        try FileManager.default.copyItem(atPath: folder.file("moved").path, toPath: path(suffix))
        try expectRefusal(naming: suffix)
        try FileManager.default.removeItem(atPath: path(suffix))
        try FileManager.default.moveItem(atPath: folder.file("moved").path, toPath: path(suffix))
        // What happened since then is unknown.
        try expectRefusal(naming: suffix)
    }

    /// While the folder does not change the files are not looked at.
    @Test(arguments: ["", "-wal", "-shm"]) func aFileThatGoesAfterAQuietTimeIsNoticed(_ suffix: String) throws {
        Thread.sleep(forTimeInterval: 0.2)
        try store.add(2)
        try store.add(2)
        try FileManager.default.moveItem(atPath: path(suffix), toPath: folder.file("moved").path)
        #expect(throws: CocoaError.self) { try store.add(3) }
        try FileManager.default.moveItem(atPath: folder.file("moved").path, toPath: path(suffix))
        #expect(throws: CocoaError.self) { try store.add(3) }
    }

    @Test func aFileThatWasMovedAndCameBackIsNotWrittenAnyMore() throws {
        try FileManager.default.moveItem(at: store.url, to: folder.file("moved"))
        try expectRefusal(naming: "")
        try FileManager.default.moveItem(at: folder.file("moved"), to: store.url)
        try expectRefusal(naming: "")
        try store.close()
        #expect(try ItemStore(store.url).bytes() == [1, 2])
    }

    @Test func aFileThatVanishesInTheMidstOfATransactionIsNoticed() throws {
        let file = folder.file("Pool.sqlite")
        let pool = try SQLiteConnectionPool(url: file, configuration: .init(access: .readWriteCreate))
        try pool.write { try $0.execute(script: "CREATE TABLE t (x); INSERT INTO t VALUES ('kept')") }
        let error = #expect(throws: CocoaError.self) {
            try pool.write { connection in
                try connection.transaction {
                    try connection.run("UPDATE t SET x = 'lost'")
                    try FileManager.default.removeItem(atPath: file.path + "-wal")
                }
            }
        }
        #expect(error?.code == .fileNoSuchFile)
        let copy = folder.file("Copy.sqlite")
        try FileManager.default.copyItem(at: file, to: copy)
        #expect(try SQLiteShell.run("SELECT x FROM t", on: copy) == "kept")
    }

    @Test func aStoreWithoutALogIsWatchedToo() throws {
        let url = folder.file("Plain.sqlite")
        let plain = try ItemStore(url, options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
        try plain.add(1)
        try plain.add(2)
        try FileManager.default.removeItem(at: url)
        #expect(throws: CocoaError.self) { try plain.add(3) }
    }

    @Test func linksToAStoreAreFollowed() throws {
        let location = folder.file("place")
        try FileManager.default.createDirectory(at: location, withIntermediateDirectories: true)
        let (link, real) = (folder.file("Link.sqlite"), location.appendingPathComponent("Real.sqlite"))
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
        let linked = try ItemStore(real)
        try linked.add(1)
        try linked.close()
        let store = try ItemStore(link)
        try store.add(2)
        try FileManager.default.removeItem(at: location.appendingPathComponent("Real.sqlite-wal"))
        #expect(throws: CocoaError.self) { try store.add(3) }
    }
}
