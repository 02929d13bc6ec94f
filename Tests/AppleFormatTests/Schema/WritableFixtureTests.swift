import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Stores with triggers that call functions of Apple's framework can be written.
@Suite(.enabled(if: Fixtures.available)) struct WritableFixtureTests {
    private func write(_ path: String, _ body: (SQLiteConnection) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let url = try Fixtures.copy(path, into: folder)
        let pool = try SQLiteConnectionPool(url: url, configuration: .init(access: .readWrite))
        defer { pool.close() }
        try pool.write { connection in
            try connection.transaction { try body(connection) }
            #expect(try connection.firstValue("PRAGMA integrity_check") == .text("ok"))
        }
    }

    @Test func aCountIsKeptUpAndReported() throws {
        try write("coredataplus/SampleModel2/SampleModel2_V1.sqlite") { connection in
            let book = try connection.rows("SELECT Z_PK, Z_ENT, ZPAGESCOUNT FROM ZBOOK LIMIT 1")[0]
            guard case .integer(let key) = book[0], case .integer(let entity) = book[1],
                case .integer(let count) = book[2]
            else {
                Issue.record("the fixture has no book")
                return
            }
            try connection.run(
                "INSERT INTO ZPAGE (Z_ENT, Z_OPT, ZBOOK, Z1_BOOK) VALUES (?, 1, ?, ?)",
                [
                    .integer(4), .integer(key), .integer(entity),
                ])
            #expect(
                connection.affectedValues.take() == [
                    .init(
                        table: "ZBOOK", entity: entity, primaryKey: key, property: "pagesCount",
                        value: .integer(count + 1), isInsertion: false)
                ])
            #expect(
                try connection.firstValue("SELECT ZPAGESCOUNT FROM ZBOOK WHERE Z_PK = ?", [.integer(key)])
                    == .integer(count + 1))
        }
    }

    @Test func aStoreWithSpatialAndPrivateTriggersCanBeWritten() throws {
        try write("osxphotos/Photos-13.5.1.sqlite") { connection in
            let changed = try connection.run("UPDATE ZASSET SET ZLATITUDE = 12.5, ZTRASHEDSTATE = 1")
            #expect(changed > 0)
            try connection.run("UPDATE ZADDITIONALASSETATTRIBUTES SET ZCAMERACAPTUREDEVICE = 1")
            #expect(connection.affectedValues.take().contains { $0.property == "derivedCameraCaptureDevice" })
            #expect(
                try connection.firstValue("SELECT count(*) FROM Z_RT_Asset_boundedByRect WHERE ZLATITUDE_MIN = 12.5")
                    == .integer(Int64(changed)))
        }
    }

    @Test(arguments: Fixtures.stores)
    func readingAStoreLeavesItAsItIs(path: String) throws {
        let folder = try TemporaryFolder()
        let url = try Fixtures.copy(path, into: folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        let before = try names.map { try Data(contentsOf: folder.file($0)) }
        let metadata = try StoreFile.metadata(at: url)
        #expect(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
        let pool = try SQLiteConnectionPool(url: url, configuration: .init(access: .readOnly))
        #expect(try pool.read { try StoredLayout(readingFrom: $0) }.tables["Z_METADATA"] != nil)
        pool.close()
        #expect(try names.map { try Data(contentsOf: folder.file($0)) } == before)
        // An index of the log may have been made, where there is a log.
        let more = Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path)).subtracting(names)
        #expect(more.allSatisfy { $0.hasSuffix("-shm") && names.contains($0.dropLast(4) + "-wal") })
    }
}
