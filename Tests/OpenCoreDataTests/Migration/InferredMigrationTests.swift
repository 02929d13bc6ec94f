import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Stores that are migrated in place by what a comparison of the models says.
@Suite(.enabled(if: SQLiteShell.isAvailable)) struct InferredMigrationTests {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = try MigrationModels.makeStore(in: folder)
    }

    private static let changes = MigrationModels.changes

    /// SQL in place, and the migration manager with objects, are two ways that share nothing but the comparison.
    @Test(arguments: changes.indices)
    func sqlAndObjectsGiveTheSame(index: Int) throws {
        let model = MigrationModels.make(Self.changes[index].change)
        let source = MigrationModels.make()
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: model)
        let manager = NSMigrationManager(sourceModel: source, destinationModel: model)
        manager.usesStoreSpecificMigrationManager = false
        let other = folder.file("Other.sqlite")
        try manager.migrateStore(from: url, type: .sqlite, mapping: mapping, to: other, type: .sqlite)
        let byObjects = try MigrationModels.open(other, model, options: [:]) { try MigrationModels.contents(of: $0) }
        let bySQL = try MigrationModels.open(url, model) { try MigrationModels.contents(of: $0) }
        #expect(bySQL == byObjects)
        #expect(bySQL.count >= 9)
        #expect(try StoreChecker.findings(inStoreAt: url, model: model).map(\.message) == [])
        #expect(try StoreChecker.findings(inStoreAt: other, model: model).map(\.message) == [])
        let schema = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
        #expect(try SQLiteShell.run(schema, on: url) == SQLiteShell.run(schema, on: other))
        #expect(try SQLiteShell.run("PRAGMA integrity_check", on: url) == "ok")
    }

    @Test func identifiersMetadataAndHighestKeysStay() throws {
        let model = MigrationModels.make(Self.changes[0].change)
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        metadata["color"] = "red"
        try NSPersistentStoreCoordinator.setMetadata(metadata, type: .sqlite, at: url)
        try SQLiteShell.run("UPDATE Z_PRIMARYKEY SET Z_MAX = 40 WHERE Z_NAME = 'Club'", on: url)
        let keys = try SQLiteShell.run("SELECT Z_PK, ZNAME FROM ZPERSON ORDER BY 1", on: url)
        try MigrationModels.open(url, model) { context in
            let new = NSEntityDescription.insertNewObject(forEntityName: "Club", into: context)
            try context.save()
            #expect(new.objectID.uriRepresentation().lastPathComponent == "p41")
        }
        let after = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        #expect(after["color"] as? String == "red")
        #expect(after[NSStoreUUIDKey] as? String == metadata[NSStoreUUIDKey] as? String)
        #expect(after[NSStoreModelVersionHashesKey] as? [String: Data] == model.entityVersionHashesByName)
        #expect(try SQLiteShell.run("SELECT Z_PK, ZNAME FROM ZPERSON ORDER BY 1", on: url) == keys)
        #expect(try SQLiteShell.run("PRAGMA journal_mode", on: url) == "wal")
        #expect(try StoreFile.model(inStoreAt: url).entityVersionHashesByName == model.entityVersionHashesByName)
    }

    // Behaviour 10.8
    @Test func anOrderedRelationshipKeepsItsOrder() throws {
        let plates = try MigrationModels.open(url, MigrationModels.make(Self.changes[3].change)) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: "name == %@", "Ann")
            let cars = try context.fetch(request).first?.value(forKey: "cars") as? NSOrderedSet
            return cars?.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "plate") as? String }
        }
        #expect(plates == ["C2", "C0", "B1"])
    }

    @Test func aRelationshipThatBecomesOrderedHasAnOrderFromThenOn() throws {
        let model = MigrationModels.make { $0["Person"]?.relationshipsByName["clubs"]?.isOrdered = true }
        let names = try MigrationModels.open(url, model) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: "name == %@", "Ann")
            let clubs = try context.fetch(request).first?.value(forKey: "clubs") as? NSOrderedSet
            return clubs?.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
        }
        #expect(Set(names ?? []) == ["Chess", "Rowing"])
        #expect(try SQLiteShell.run("SELECT count(*) FROM Z_1MEMBERS WHERE Z_FOK_1CLUBS IS NULL", on: url) == "0")
    }

    @Test func filesOfValuesThatAreGoneAreRemoved() throws {
        let files = ExternalData(storeURL: url)
        #expect(files.orphans(besides: []).count == 1)
        let model = MigrationModels.make { $0["Person"]?.properties.removeAll { $0.name == "photo" } }
        try MigrationModels.open(url, model) { _ in }
        #expect(files.orphans(besides: []) == [])
    }

    @Test func filesOfValuesThatStayAreLeftWhereTheyAre() throws {
        let files = ExternalData(storeURL: url)
        let before = files.orphans(besides: [])
        let model = MigrationModels.make(Self.changes[2].change)
        let size = try MigrationModels.open(url, model) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: "name == %@", "Ann")
            return try (context.fetch(request).first?.value(forKey: "photo") as? Data)?.count
        }
        #expect(size == 200_000)
        #expect(files.orphans(besides: []) == before)
    }

    @Test func aNewMandatoryAttributeWithoutDefaultIsRefusedWhenThereAreObjects() throws {
        let before = try Data(contentsOf: url)
        let model = MigrationModels.make {
            $0["Club"]?.properties.append(
                MigrationModels.attribute("city", .stringAttributeType, optional: false))
        }
        let error = #expect(throws: CocoaError.self) { try MigrationModels.open(url, model) { _ in } }
        #expect(error?.code == .migration)
        #expect(error?.userInfo["entity"] as? String == "Club")
        #expect(error?.userInfo["attribute"] as? String == "city")
        #expect(try Data(contentsOf: url).count == before.count)
        #expect(
            try MigrationModels.open(url, MigrationModels.make(), options: [:]) { try MigrationModels.contents(of: $0) }
                .count == 10)
        try SQLiteShell.run("DELETE FROM ZCLUB; DELETE FROM Z_1MEMBERS", on: url)
        #expect(try MigrationModels.open(url, model) { try MigrationModels.contents(of: $0) }.count == 8)
    }

    @Test func aNewUniquenessConstraintThatDoesNotHoldIsRefused() throws {
        let model = MigrationModels.make { $0["Vehicle"]?.uniquenessConstraints = [["wheels"]] }
        let error = #expect(throws: CocoaError.self) { try MigrationModels.open(url, model) { _ in } }
        #expect(error?.code.rawValue == NSMigrationConstraintViolationError)
        #expect(error?.localizedDescription.contains("ZWHEELS") == true)
        #expect(
            try MigrationModels.open(url, MigrationModels.make(), options: [:]) { try MigrationModels.contents(of: $0) }
                .count == 10)
    }

    @Test func newDerivedAttributesHaveTheirValues() throws {
        let model = MigrationModels.make { entities in
            let count = NSDerivedAttributeDescription()
            count.name = "fleetSize"
            count.attributeType = .integer64AttributeType
            count.derivationExpression = NSExpression(forKeyPath: "cars.@count")
            entities["Person"]?.properties.append(count)
        }
        try MigrationModels.open(url, model) { _ in }
        #expect(try SQLiteShell.run("SELECT ZNAME, ZFLEETSIZE FROM ZPERSON ORDER BY 1", on: url) == "Ann|3\nBob|0")
    }

    @Test func historyAndTablesOfOthersComeAlong() throws {
        let folder = try TemporaryFolder()
        let url = try MigrationModels.makeStore(in: folder, options: [NSPersistentHistoryTrackingKey: true])
        try SQLiteShell.run(
            "CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR); INSERT INTO ANSCKEVENT VALUES (3, 'x'); "
                + "CREATE INDEX ANSCKEVENT_ZNAME ON ANSCKEVENT (ZNAME); UPDATE ACHANGE SET ZCOLUMNS = x'05' WHERE Z_PK = 2",
            on: url)
        let changes = """
            SELECT p.Z_NAME, c.ZENTITYPK, c.ZCHANGETYPE, hex(c.ZCOLUMNS) FROM ACHANGE c JOIN Z_PRIMARYKEY p ON p.Z_ENT = c.ZENTITY ORDER BY 1, 2
            """
        let before = try SQLiteShell.run(changes, on: url)
        #expect(before.split(separator: "\n").count == 10)
        try MigrationModels.open(url, MigrationModels.make(Self.changes[5].change)) { _ in }
        #expect(try SQLiteShell.run(changes, on: url) == before)
        #expect(try SQLiteShell.run("SELECT count(*) FROM ATRANSACTION", on: url) == "1")
        #expect(try SQLiteShell.run("SELECT * FROM ANSCKEVENT", on: url) == "3|x")
        #expect(
            try SQLiteShell.run("SELECT name FROM sqlite_master WHERE tbl_name = 'ANSCKEVENT' ORDER BY 1", on: url)
                == "ANSCKEVENT\nANSCKEVENT_ZNAME")
    }
}
