import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Stores that keep no copy of their model, as old frameworks left them: what is in them shows all the same.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"), .enabled(if: SQLiteShell.isAvailable))
struct ReconstructedModelTests {
    /// A store like `SampleStore`, without the copy of its model.
    private func storeWithoutModel(in folder: TemporaryFolder) throws -> URL {
        let store = try SampleStore.make(in: folder)
        _ = try SQLiteShell.run("DELETE FROM Z_MODELCACHE", on: store)
        return store
    }

    @Test func entitiesInheritanceAndRowsAreRead() throws {
        let folder = try TemporaryFolder()
        let store = try storeWithoutModel(in: folder)
        let info = try CommandRunner.run("info", store.path, "--json")
        let document = try #require(try info.json() as? [String: Any])
        #expect((document["model"] as? [String: Any])?["kind"] as? String == "tables")
        let entities = try #require(document["entities"] as? [[String: Any]])
        #expect(entities.compactMap { $0["name"] as? String } == ["Badge", "Employee", "Person", "Team"])
        #expect(entities.first { $0["name"] as? String == "Employee" }?["parent"] as? String == "Person")
        for (name, table) in [("Badge", "ZBADGE"), ("Person", "ZPERSON"), ("Team", "ZTEAM")] {
            let rows = entities.first { $0["name"] as? String == name }?["rowsWithSubentities"] as? Int
            #expect(rows.map(String.init) == (try SQLiteShell.run("SELECT count(*) FROM \(table)", on: store)))
        }
        #expect(try CommandRunner.run("info", store.path).output.contains("Model from         the store's tables"))
    }

    @Test func theSchemaShowsTheHashesThatTheStoreHas() throws {
        let folder = try TemporaryFolder()
        let store = try storeWithoutModel(in: folder)
        let schema = try CommandRunner.run("schema", store.path)
        #expect(schema.output.hasPrefix("Model from the store's tables"))
        for hash in SampleStore.model().entityVersionHashesByName.values {
            #expect(schema.output.contains("hash \(hash.base64EncodedString())"))
        }
    }

    @Test func valuesAndRelationshipsAreRead() throws {
        let folder = try TemporaryFolder()
        let store = try storeWithoutModel(in: folder)
        let list = try CommandRunner.run(
            "list", store.path, "Person", "--sort", "name", "--fields", "name,age,team,badge,friends", "--format",
            "json")
        #expect(list.status == 0, "\(list.errors)")
        let people = try #require(try list.json() as? [[String: Any]])
        #expect(String(people.count) == (try SQLiteShell.run("SELECT count(*) FROM ZPERSON", on: store)))
        let friends = try SQLiteShell.run(
            "SELECT name FROM sqlite_master WHERE name GLOB 'Z_2FRIEND*' AND type = 'table'", on: store)
        for person in people {
            let key = try #require((person["objectID"] as? String)?.components(separatedBy: "/p").last)
            let row = try SQLiteShell.run(
                "SELECT ZAGE, ZTEAM, ZBADGE, (SELECT count(*) FROM \(friends) WHERE Z_2FRIENDOF = Z_PK), hex(ZNAME) "
                    + "FROM ZPERSON "
                    + "WHERE Z_PK = \(key)", on: store
            ).components(separatedBy: "|")
            #expect((person["age"] as? Int).map(String.init) ?? "" == row[0])
            #expect((person["team"] as? String)?.components(separatedBy: "/p").last ?? "" == row[1])
            #expect((person["badge"] as? String)?.components(separatedBy: "/p").last ?? "" == row[2])
            let name = try #require(person["name"] as? String)
            #expect(name.utf8.map { String(format: "%02X", $0) }.joined() == row[4])
            #expect((person["friends"] as? [String])?.count ?? 0 == Int(row[3]))
        }
    }

    @Test func predicatesAndExportsWork() throws {
        let folder = try TemporaryFolder()
        let store = try storeWithoutModel(in: folder)
        let count = try CommandRunner.run("count", store.path, "Person", "--where", "age > 20 AND team != nil")
        #expect(
            count.output.dropLast()
                == (try SQLiteShell.run("SELECT count(*) FROM ZPERSON WHERE ZAGE > 20 AND ZTEAM IS NOT NULL", on: store))
        )
        let export = try CommandRunner.run("export", store.path, "--output", "-")
        #expect(export.status == 0, "\(export.errors)")
        let entities = try #require((try export.json() as? [String: Any])?["entities"] as? [String: [Any]])
        #expect(entities["Team"]?.count.description == (try SQLiteShell.run("SELECT count(*) FROM ZTEAM", on: store)))
    }

    @Test func commandsThatWriteOrCheckNeedTheRealModel() throws {
        let folder = try TemporaryFolder()
        let store = try storeWithoutModel(in: folder)
        let before = try Data(contentsOf: store)
        for arguments in [
            ["set", store.path, "Person/p1", "name=X"], ["delete", store.path, "Person/p1"], ["check", store.path],
        ] {
            let result = try CommandRunner.run(arguments)
            #expect(result.status == 1)
            #expect(result.errors.contains("contains no copy of its model; name the model with --model"))
        }
        #expect(try Data(contentsOf: store) == before)
    }

    @Test(
        .enabled(if: Fixtures.available, "the fixtures are not here"),
        arguments: [
            "plaso/kik.sqlite", "docset/docSet.dsidx", "apple-sample-coredatabooks/CoreDataBooks.CDBStore",
            "surfjournal-wal/SurfJournalModel.sqlite",
        ])
    func storesOfOldFrameworksAreRead(_ path: String) throws {
        let folder = try TemporaryFolder()
        let store = try Fixtures.copy(path, into: folder)
        let info = try CommandRunner.run("info", store.path, "--json")
        #expect(info.status == 0, "\(info.errors)")
        let entities = try #require((try info.json() as? [String: Any])?["entities"] as? [[String: Any]])
        let expected = try SQLiteShell.run("SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_NAME", on: store)
        #expect(entities.compactMap { $0["name"] as? String } == expected.split(separator: "\n").map(String.init))
        for entity in entities {
            let name = try #require(entity["name"] as? String)
            let list = try CommandRunner.run("list", store.path, name, "--limit", "5")
            #expect(list.status == 0, "\(name): \(list.errors)")
            guard entity["parent"] is NSNull, entity["abstract"] as? Bool == false else { continue }
            let rows = try SQLiteShell.run("SELECT count(*) FROM Z\(name.uppercased())", on: store)
            #expect((entity["rowsWithSubentities"] as? Int).map(String.init) == rows)
        }
    }
}
