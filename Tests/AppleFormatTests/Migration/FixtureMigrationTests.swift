import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Stores that Apple's framework wrote, brought to the next version of their model.
@Suite(.enabled(if: Fixtures.available && SQLiteShell.isAvailable)) struct FixtureMigrationTests {
    private static let bookmarks = "duckduckgo-bookmarks/BookmarksModel.xcdatamodeld"
    private static let bookmarkVersions =
        ["BookmarksModel"] + (2...6).map { "BookmarksModel \($0)" }

    // Behaviour 10.1
    @Test func theRowsAreThoseThatApplesFrameworkMigrated() throws {
        let migration = try FixtureMigration("coredataplus/SampleModel/SampleModel_V1.sqlite")
        let model = try FixtureMigration.model("coredataplus/SampleModel/SampleModel.momd", version: "SampleModel2")
        try migration.migrate(to: model)
        let problems = try migration.problems(model: model)
        #expect(problems == [])
        let theirs = try FixtureMigration("coredataplus/SampleModel/SampleModel_V2.sqlite")
        let columns =
            "Z_PK, Z_ENT, Z_OPT, ZOWNER, ZISLIMITEDEDITION, ZMARKEDFORDELETIONASOF, ZMAKER, ZMODEL, ZNUMBERPLATE"
        for sql in [
            "SELECT \(columns) FROM ZCAR ORDER BY Z_PK",
            "SELECT Z_PK, Z_ENT, Z_OPT, ZUPDATEDAT, ZFIRSTNAME, ZLASTNAME FROM ZPERSON ORDER BY Z_PK",
            "SELECT Z_ENT, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1", "SELECT Z_VERSION, Z_UUID FROM Z_METADATA",
        ] {
            #expect(try SQLiteShell.run(sql, on: migration.url) == SQLiteShell.run(sql, on: theirs.url))
        }
        #expect(try SQLiteShell.run("SELECT count(*) FROM ZCAR", on: migration.url) == "125")
        #expect(
            try SQLiteShell.run("SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT = 3", on: migration.url) == "LuxuryCar")
        let hashes = try StoreFile.metadata(at: migration.url)[NSStoreModelVersionHashesKey] as? [String: Data]
        let expected = try StoreFile.metadata(at: theirs.url)[NSStoreModelVersionHashesKey] as? [String: Data]
        #expect(hashes == expected)
    }

    @Test func aRenamedAttributeWithExternalStorageKeepsItsValues() throws {
        let migration = try FixtureMigration("coredataplus/SampleModel2/SampleModel2_V1.sqlite")
        let theirs = try FixtureMigration("coredataplus/SampleModel2/SampleModel2_V2.sqlite")
        let before = try SQLiteShell.run(
            "SELECT Z_PK, Z_ENT, ZPAGESCOUNT, ZAUTHOR, ZTITLE, hex(ZCOVER) FROM ZBOOK ORDER BY 1", on: migration.url)
        let model = try StoreFile.model(inStoreAt: theirs.url)
        try migration.migrate(to: model)
        let problems = try migration.problems(model: model)
        #expect(problems == [])
        let after = try SQLiteShell.run(
            "SELECT Z_PK, Z_ENT, ZPAGESCOUNT, ZAUTHOR, ZTITLE, hex(ZFRONTCOVER) FROM ZBOOK ORDER BY 1",
            on: migration.url)
        #expect(after == before)
        #expect(before.split(separator: "\n").count == 52)
        let schema = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY 1"
        #expect(try SQLiteShell.run(schema, on: migration.url) == SQLiteShell.run(schema, on: theirs.url))
    }

    @Test(arguments: ["SampleModel3_v2", "SampleModel3_v3"])
    func severalVersionsAreSkipped(version: String) throws {
        let path = "coredataplus/SampleModel3/SampleModel3"
        let migration = try FixtureMigration("\(path)_V1.sqlite")
        let model = try FixtureMigration.model("\(path).momd", version: version)
        try migration.migrate(to: model)
        let problems = try migration.problems(model: model)
        #expect(problems == [])
    }

    // Behaviour 10.8
    @Test(arguments: 1...5)
    func bookmarksOfEachGenerationKeepTheirOrder(generation: Int) throws {
        let migration = try FixtureMigration("duckduckgo-bookmarks/Bookmarks_V\(generation).sqlite")
        let key = generation < 4 ? "Z_FOK_FAVORITEFOLDER" : ""
        let favorites =
            generation < 4
            ? "SELECT f.ZUUID, b.ZUUID FROM ZBOOKMARKENTITY b JOIN ZBOOKMARKENTITY f ON b.ZFAVORITEFOLDER = f.Z_PK "
                + "ORDER BY f.ZUUID, b.\(key)"
            : Self.favorites(in: migration.url)
        let children =
            "SELECT p.ZUUID, c.ZUUID FROM ZBOOKMARKENTITY c JOIN ZBOOKMARKENTITY p ON c.ZPARENT = p.Z_PK "
            + "ORDER BY p.ZUUID, c.Z_FOK_PARENT"
        let before = try (SQLiteShell.run(children, on: migration.url), SQLiteShell.run(favorites, on: migration.url))
        #expect(before.0.split(separator: "\n").count >= 7)
        #expect(before.1.split(separator: "\n").count >= 3)
        for version in Self.bookmarkVersions.dropFirst(generation) {
            let model = try FixtureMigration.model(Self.bookmarks, version: version)
            try migration.migrate(to: model)
            let problems = try migration.problems(model: model)
            #expect(problems == [])
        }
        #expect(try SQLiteShell.run(children, on: migration.url) == before.0)
        #expect(try SQLiteShell.run(Self.favorites(in: migration.url), on: migration.url) == before.1)
    }

    /// Favorites in order, where they are a many-to-many relationship.
    private static func favorites(in url: URL) -> String {
        "SELECT f.ZUUID, b.ZUUID FROM Z_1FAVORITES j JOIN ZBOOKMARKENTITY b ON b.Z_PK = j.Z_1FAVORITES "
            + "JOIN ZBOOKMARKENTITY f ON f.Z_PK = j.Z_1FAVORITEFOLDERS ORDER BY f.ZUUID, j.Z_FOK_1FAVORITES"
    }

    @Test(
        arguments: zip(
            ["store1-28", "store2-3", "store2-30-0", "store2-54-0", "store2-75-0"],
            ["zmessaging2.3", "zmessaging2.30.0", "zmessaging2.54.0", "zmessaging2.75.0", "zmessaging2.101.0"]))
    func aLargeModelIsMigratedToTheNextVersion(store: String, version: String) throws {
        let migration = try FixtureMigration("wire-ios-data-model/\(store).wiredatabase")
        let model = try FixtureMigration.model("wire-ios-data-model/zmessaging.xcdatamodeld", version: version)
        let before = try SQLiteShell.run(Self.counts, on: migration.url)
        let oldModel = try StoreFile.model(inStoreAt: migration.url)
        let inherited = try StoreChecker.findings(inStoreAt: migration.url, model: oldModel).map(\.message)
        try migration.migrate(to: model)
        let problems = try migration.problems(model: model)
        // Two of the stores lack things that their own model wants.
        #expect(problems.filter { !inherited.contains($0) } == [], "\(inherited)")
        #expect(try SQLiteShell.run(Self.counts, on: migration.url) == before)
    }

    private static let counts =
        "SELECT 'u', count(*), count(ZNAME), max(Z_PK) FROM ZUSER UNION ALL SELECT 'm', count(*), 0, max(Z_PK) FROM "
        + "ZMESSAGE UNION ALL SELECT 'c', count(*), count(ZUSERDEFINEDNAME), max(Z_PK) FROM ZCONVERSATION"
}
