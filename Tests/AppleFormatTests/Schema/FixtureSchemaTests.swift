import Foundation
import OpenCoreData
import TestSupport
import Testing

/// What a store made from a fixture's model would look like, beside the fixture.
@Suite(.enabled(if: Fixtures.available)) struct FixtureSchemaTests {
    /// Stores that the newest layout describes to the letter: made, not migrated, by a framework from 847 on.
    static let fresh =
        [
            "coredataplus/SampleModel/SampleModel_V1.sqlite", "coredataplus/SampleModel2/SampleModel2_V1.sqlite",
            "coredataplus/SampleModel3/SampleModel3_V1.sqlite",
            "coredatastack/TestModel.sqlite",
            "duckduckgo-bookmarks/Bookmarks_V1.sqlite", "duckduckgo-bookmarks/Bookmarks_V2.sqlite",
            "duckduckgo-bookmarks/Bookmarks_V3.sqlite", "duckduckgo-bookmarks/Bookmarks_V4.sqlite",
            "duckduckgo-bookmarks/Bookmarks_V5.sqlite", "osxphotos/PGCurationCache-10.15.5.sqlite",
            "osxphotos/VUIndex-15.4.1.sqlite", "plaso/DataUsage.sqlite", "pulse/logs.sqlite", "scout/Scout-v1.sqlite",
            "scout/Scout-v4.sqlite", "swiftdata-resources-manager/default.store",
        ] + (Fixtures.hasCocktails ? [Fixtures.cocktails] : [])

    @Test(arguments: fresh)
    func aNewStoreWouldHaveTheSameStatements(path: String) throws {
        let store = try Store(path)
        let schema = try SQLSchema(entities: store.model.entities)
        let expected = try store.statements()
        let hasHistory = expected.contains { $0.hasPrefix("CREATE TABLE ACHANGE") }
        let statements = schema.createStatements + (hasHistory ? schema.historyStatements : [])
        for (index, (ours, theirs)) in zip(statements, expected).enumerated() where ours != theirs {
            Issue.record("statement \(index):\n  \(ours)\n  \(theirs)")
        }
        #expect(Set(statements).subtracting(expected) == [])
        #expect(Set(expected).subtracting(statements) == [])
        #expect(statements.count == expected.count)
    }

    @Test(arguments: [
        "osxphotos/Photos-13.5.1.sqlite", "plaso/knowledgec-10.13.db", "wire-ios-data-model/store2-54-0.wiredatabase",
    ])
    func joinTablesComeInTheSameOrderWithTheSameColumns(path: String) throws {
        let store = try Store(path)
        let schema = try SQLSchema(entities: store.model.entities)
        let expected = try store.statements().filter { $0.firstMatch(of: /^CREATE TABLE Z_[0-9]/) != nil }
        #expect(schema.joinTables.map(SQLSchema.createStatement(for:)) == expected)
    }

    /// This store has more than its model says: triggers of a private predecessor of derived attributes, a spatial index
    /// that user info asks for, and indexes of the application. Everything else is there, in order.
    @Test func aLargeStoreHasAllStatementsInOrder() throws {
        let store = try Store("osxphotos/Photos-13.5.1.sqlite")
        let schema = try SQLSchema(entities: store.model.entities)
        let statements = schema.createStatements + schema.historyStatements
        let known = Set(statements)
        #expect(try store.statements().filter { known.contains($0) } == statements)
        let own = /^CREATE (TRIGGER Z(T|_RT)_|VIRTUAL TABLE Z_RT_|TABLE "Z_RT_|INDEX RADAR_)/
        #expect(
            try store.statements().filter { !known.contains($0) && $0.firstMatch(of: own) == nil } == [])
    }

    @Test(arguments: fresh)
    func entityNumbersAndMetadataKeysAreTheSame(path: String) throws {
        let store = try Store(path)
        let schema = try SQLSchema(entities: store.model.entities)
        let stored = try store.connection.rows(
            "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT")
        #expect(
            schema.entities.map { [.integer(Int64($0.number)), .text($0.name), .integer(Int64($0.superNumber))] }
                == stored)
        let metadata = try StoreFile.metadata(in: store.connection)
        let ours = StoreFile.newMetadata(model: store.model, entities: store.model.entities)
        // Later frameworks have added keys.
        let added: Set = [
            "NSPersistenceMaximumFrameworkVersion", "NSStoreModelVersionChecksumKey", "NSStoreModelVersionHashesDigest",
        ]
        #expect(Set(ours.keys).subtracting(metadata.keys).subtracting(added) == [])
        #expect(Set(metadata.keys).subtracting(ours.keys) == [])
        #expect(
            ours["NSStoreModelVersionHashes"] as? [String: Data]
                == metadata["NSStoreModelVersionHashes"] as? [String: Data])
        for key in ["NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey"] where metadata[key] != nil {
            #expect(ours[key] as? String == metadata[key] as? String)
        }
        #expect(
            (ours["NSStoreModelVersionIdentifiers"] as? [String])?.sorted()
                == (metadata["NSStoreModelVersionIdentifiers"] as? [String])?.sorted())
    }

    @Test(arguments: Fixtures.stores)
    func everyColumnOfTheModelIsFound(path: String) throws {
        guard let store = try Store(ifItHasAModel: path) else { return }
        let layout = try StoredLayout(readingFrom: store.connection)
        let schema = try SQLSchema(entities: store.model.entities, reconciledWith: layout)
        for table in schema.tables {
            let columns = table.columns.map(\.sql).joined(separator: ", ")
            #expect(try store.connection.rows("SELECT \(columns) FROM \(table.sql) LIMIT 1").count <= 1)
        }
        for table in schema.joinTables {
            let columns = ([table.first, table.second] + table.orderColumns).map(\.sql).joined(separator: ", ")
            #expect(try store.connection.rows("SELECT \(columns) FROM \(table.sql) LIMIT 1").count <= 1)
        }
    }

    @Test(arguments: Fixtures.stores)
    func everyForeignKeyLeadsToARow(path: String) throws {
        guard let store = try Store(ifItHasAModel: path) else { return }
        let layout = try StoredLayout(readingFrom: store.connection)
        let schema = try SQLSchema(entities: store.model.entities, reconciledWith: layout)
        // Two public stores have dangling keys of their own; a wrong column would give many more.
        var keys = 0
        var dangling = 0
        func count(_ sql: String) throws -> Int {
            guard case .integer(let count)? = try store.connection.firstValue(sql) else { return 0 }
            return Int(count)
        }
        for entity in schema.entities {
            for relationship in entity.relationships {
                guard let destination = relationship.destinationNumber.flatMap({ schema.entity(number: $0) }) else {
                    continue
                }
                let (table, column): (String, String)
                switch relationship.storage {
                case .toOne(let toOne): (table, column) = (entity.table.sql, toOne.column.sql)
                case .manyToMany(let join): (table, column) = (join.table.sql, join.otherColumn.sql)
                default: continue
                }
                keys += try count("SELECT count(*) FROM \(table) WHERE \(column) > 0")
                dangling += try count(
                    "SELECT count(*) FROM \(table) WHERE \(column) > 0 "
                        + "AND \(column) NOT IN (SELECT Z_PK FROM \(destination.table.sql))")
            }
        }
        #expect(dangling * 100 <= keys, "\(dangling) of \(keys) keys")
    }
}

/// A copy of a fixture, and the model that it keeps or that is beside it.
private struct Store {
    /// Models beside stores of frameworks that kept none.
    static let modelFiles = [
        "docset/docSet.dsidx": "docset/docSet.mom",
        "surfjournal-wal/SurfJournalModel.sqlite": "surfjournal-wal/SurfJournalDatabase.xcdatamodeld",
    ]

    let folder: TemporaryFolder
    let connection: SQLiteConnection
    let model: NSManagedObjectModel

    init(_ path: String) throws {
        folder = try TemporaryFolder()
        let url = try Fixtures.copy(path, into: folder)
        connection = try SQLiteConnection.readingOnly(url)
        model = try StoreFile.model(inStoreAt: url)
    }

    /// Nil for stores of old frameworks without a model file.
    init?(ifItHasAModel path: String) throws {
        let folder = try TemporaryFolder()
        let url = try Fixtures.copy(path, into: folder)
        let connection = try SQLiteConnection.readingOnly(url)
        if let file = Self.modelFiles[path] {
            model = try NSManagedObjectModel(contentsOfModelFile: Fixtures.url(file))
        } else if try StoreFile.modelCache(in: connection) != nil {
            model = try StoreFile.model(inStoreAt: url)
        } else {
            return nil
        }
        self.folder = folder
        self.connection = connection
    }

    /// The statements that made the database, without those of SQLite itself.
    func statements() throws -> [String] {
        try connection.rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid").compactMap { row in
            if case .text(let sql) = row[0] { sql } else { nil }
        }
    }
}
