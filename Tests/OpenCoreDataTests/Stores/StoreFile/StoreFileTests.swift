import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite struct StoreFileTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("Store.sqlite")
    }

    private var model: NSManagedObjectModel {
        Build.model(
            Build.entity("Thing", [Build.attribute("name", .stringAttributeType)]), Build.entity("Other"))
    }

    private func create(_ change: (inout [String: Any]) -> Void = { _ in }) throws {
        let model = model
        var metadata = StoreFile.newMetadata(model: model, entities: model.entities)
        change(&metadata)
        try StoreFile.create(
            at: file, schema: SQLSchema(entities: model.entities), metadata: metadata, modelCache: Data([1, 2, 3]))
    }

    private func value(_ sql: String) throws -> SQLValue? {
        let connection = try SQLiteConnection.readingOnly(file)
        defer { connection.close() }
        return try connection.firstValue(sql)
    }

    @Test func aNewStoreHasApplesFileLayout() throws {
        try create()
        #expect(try value("PRAGMA page_size") == .integer(4096))
        #expect(try value("PRAGMA auto_vacuum") == .integer(2))
        #expect(try value("PRAGMA user_version") == .integer(0))
        let header = try Data(contentsOf: file).prefix(100)
        #expect(header[18] == 2 && header[19] == 2)
        #expect(
            try value("SELECT group_concat(Z_ENT || Z_NAME || Z_SUPER || Z_MAX) FROM Z_PRIMARYKEY")
                == .text("1Other00,2Thing00"))
        #expect(try value("SELECT hex(Z_CONTENT) FROM Z_MODELCACHE") == .text("010203"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Store.sqlite"])
        #expect(try value("PRAGMA integrity_check") == .text("ok"))
    }

    @Test func metadataComesBack() throws {
        try create { $0["My"] = ["nested": [1, 2.5, true, Date(timeIntervalSinceReferenceDate: 5)]] }
        let metadata = try StoreFile.metadata(at: file)
        #expect(
            Set(metadata.keys) == [
                "My", "NSStoreType", "NSStoreUUID", "NSPersistenceFrameworkVersion",
                "NSPersistenceMaximumFrameworkVersion", "NSStoreModelVersionHashes", "NSStoreModelVersionHashesVersion",
                "NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey", "NSStoreModelVersionIdentifiers",
                "_NSAutoVacuumLevel",
            ])
        #expect((metadata["NSStoreModelVersionHashes"] as? [String: Data])?.keys.sorted() == ["Other", "Thing"])
        #expect((metadata["My"] as? [String: [Any]])?["nested"]?.count == 4)
        let uuid = try #require(metadata["NSStoreUUID"] as? String)
        #expect(uuid == uuid.uppercased() && UUID(uuidString: uuid) != nil)
    }

    @Test func settingMetadataKeepsTheIdentifier() throws {
        try create()
        let before = try StoreFile.metadata(at: file)
        try StoreFile.setMetadata(["mine": 1], at: file)
        let after = try StoreFile.metadata(at: file)
        #expect(after["mine"] as? Int == 1)
        #expect(after["NSStoreUUID"] as? String == before["NSStoreUUID"] as? String)
        let error = #expect(throws: CocoaError.self) { try StoreFile.setMetadata(["mine": NSObject()], at: file) }
        #expect(error?.code == .propertyListWriteInvalid)
        #expect(try StoreFile.metadata(at: file)["mine"] as? Int == 1)
    }

    @Test func primaryKeysAreNeverGivenTwice() throws {
        try create()
        let schema = try SQLSchema(entities: model.entities)
        let table = try #require(schema.entity(named: "Thing")).table
        let connection = try SQLiteConnection(path: file.path, configuration: .init(access: .readWrite))
        let keys = PrimaryKeys(connection)
        #expect(try connection.transaction { try keys.reserve(3, in: table) } == 1..<4)
        #expect(try connection.transaction { try keys.reserve(2, in: table) } == 4..<6)
        #expect(try connection.firstValue("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 2") == .integer(5))
        try connection.run("INSERT INTO ZTHING (Z_PK) VALUES (40)")
        #expect(try connection.transaction { try keys.reserve(1, in: table) } == 41..<42)
        try connection.run("DELETE FROM ZTHING")
        #expect(try connection.transaction { try keys.reserve(1, in: table) } == 42..<43)
    }

    @Test func anEmptyFileBecomesAStore() throws {
        try Data().write(to: file)
        #expect(try StoreFile.examine(file) == .empty)
        try create()
        #expect(try StoreFile.examine(file) == .store)
    }

    @Test func aDestroyedStoreIsAnEmptyDatabase() throws {
        try create()
        try StoreFile.destroy(at: file)
        #expect(try StoreFile.examine(file) == .empty)
        #expect(try StoreFile.metadata(at: file).keys.sorted() == ["NSStoreType", "NSStoreUUID"])
        try create()
        #expect(try value("PRAGMA auto_vacuum") == .integer(2))
        #expect(try StoreFile.examine(file) == .store)
    }

    @Test func creatingOverAStoreIsRefused() throws {
        try create()
        let before = try Data(contentsOf: file)
        let error = #expect(throws: CocoaError.self) { try create() }
        #expect(error?.code == .fileWriteFileExists)
        #expect(try Data(contentsOf: file) == before)
    }

    @Test func aFailedCreationLeavesNothing() throws {
        #expect(throws: CocoaError.self) { try create { $0["bad"] = NSObject() } }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    // MARK: Files that are no stores

    private func expectRejection(_ code: CocoaError.Code, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let before = try? Data(contentsOf: file)
        let error = #expect(throws: CocoaError.self, sourceLocation: sourceLocation) {
            try StoreFile.metadata(at: file)
        }
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == file.path, sourceLocation: sourceLocation)
        #expect(error?.localizedDescription.contains("Store.sqlite") == true, sourceLocation: sourceLocation)
        #expect((try? Data(contentsOf: file)) == before, sourceLocation: sourceLocation)
    }

    @Test func aTextFileIsNoDatabase() throws {
        try Data(repeating: UInt8(ascii: "x"), count: 5000).write(to: file)
        try expectRejection(.fileReadCorruptFile)
        try Data("short".utf8).write(to: file)
        try expectRejection(.fileReadCorruptFile)
    }

    @Test func aForeignDatabaseIsNoStore() throws {
        let connection = try SQLiteConnection(path: file.path, configuration: .init(access: .readWriteCreate))
        try connection.execute(script: "CREATE TABLE t (a)")
        connection.close()
        try expectRejection(.persistentStoreInvalidType)
    }

    @Test func aTruncatedStoreIsDamaged() throws {
        try create()
        try Data(contentsOf: file).prefix(9000).write(to: file)
        try expectRejection(.fileReadCorruptFile)
    }

    @Test func aStoreWithABrokenPageIsDamaged() throws {
        try create()
        var bytes = try Data(contentsOf: file)
        for index in 100..<4096 { bytes[index] = 0xA5 }
        try bytes.write(to: file)
        try expectRejection(.fileReadCorruptFile)
    }

    @Test func aFolderIsNoStore() throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        try expectRejection(.fileReadUnknown)
    }

    @Test func aMissingFileAndAMissingFolderAreNamed() throws {
        try expectRejection(.fileReadNoSuchFile)
        let error = #expect(throws: CocoaError.self) {
            try StoreFile.examine(folder.file("none").appendingPathComponent("Store.sqlite"))
        }
        #expect(error?.code == .fileReadNoSuchFile)
    }

    @Test func unreadableMetadataIsDamage() throws {
        try create()
        let connection = try SQLiteConnection(path: file.path, configuration: .init(access: .readWrite))
        try connection.run("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(Data("no plist".utf8))])
        connection.close()
        try expectRejection(.fileReadCorruptFile)
    }

    @Test func aWriteThatADeadProcessLeftIsTakenBack() throws {
        try create()
        let left = folder.file("Left.sqlite")
        let writer = try SQLiteConnection(path: file.path, configuration: .init(access: .readWrite))
        for pragma in ["journal_mode = DELETE", "cache_size = 2"] { _ = try writer.rows("PRAGMA \(pragma)") }
        try writer.run("BEGIN")
        try writer.run(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) "
                + "INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 2, 1, hex(zeroblob(2000)) FROM n")
        // What is there now is what a process leaves that dies here.
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: file.path + suffix, toPath: left.path + suffix)
        }
        writer.close()
        let (bytes, journal) = try (Data(contentsOf: left), Data(contentsOf: folder.file("Left.sqlite-journal")))
        #expect(try StoreFile.examine(left) == .store)
        let reader = try SQLiteConnection.readingOnly(left)
        #expect(try reader.firstValue("SELECT count(*) FROM ZTHING") == .integer(0))
        reader.close()
        // Looking changes nothing.
        #expect(try Data(contentsOf: left) == bytes)
        #expect(try Data(contentsOf: folder.file("Left.sqlite-journal")) == journal)

        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let refusal = #expect(throws: CocoaError.self) {
            try coordinator.addPersistentStore(
                type: .sqlite, at: left, options: [NSReadOnlyPersistentStoreOption: true])
        }
        #expect(refusal?.localizedDescription.contains("never finished") == true)
        let store = try coordinator.addPersistentStore(type: .sqlite, at: left)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let count = try context.performAndWait {
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Thing"))
        }
        #expect(count == 0)
        try coordinator.remove(store)
        #expect(!FileManager.default.fileExists(atPath: left.path + "-journal"))
    }
}
