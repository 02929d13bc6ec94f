#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataPostgreSQL
import TestSupport
import Testing

/// Commands on the URL of a PostgreSQL database, compared with the same commands on a file and with what `psql`
/// says.
@Suite(.needsServer)
struct ServerCommandTests {
    private let folder: TemporaryFolder
    private let file: String
    private let database: ServerDatabase

    private var url: String { database.url }

    init() throws {
        folder = try TemporaryFolder()
        file = try SampleStore.make(in: folder).path
        database = try ServerDatabase()
    }

    @discardableResult
    private func run(_ arguments: String..., input: Data? = nil) throws -> CommandRunner.Result {
        let result = try CommandRunner.run(arguments, input: input)
        #expect(!(result.output + result.errors).contains(database.password))
        return result
    }

    /// Brings the objects of the sample into the schema.
    private func fill() throws {
        let export = folder.file("sample.json").path
        try #require(try run("export", file, "--output", export, "--force").status == 0)
        let result = try run("import", url, export)
        try #require(result.status == 0, "\(result.errors)")
    }

    private func name(of entity: String, where predicate: String) throws -> String {
        let result = try run("list", url, entity, "--where", predicate, "--format", "json")
        return try #require((try result.json() as? [[String: Any]])?.first?["objectID"] as? String)
    }

    // MARK: Indexes

    @Test func indexesForTextsAreMadeAndRemoved() throws {
        try fill()
        let names =
            "SELECT string_agg(indexname, ' ' ORDER BY indexname) FROM pg_indexes "
            + "WHERE schemaname = current_schema() AND indexname ~ '^ocd_(search|localized)_'"
        let made = try run("index", url, "Person.name")
        #expect(made.status == 0 && made.output.contains("has an index for searches in Person.name"), "\(made)")
        #expect(try run("index", url, "Person.name", "--localized").status == 0)
        #expect(try database.sql(names) == "ocd_localized_person_name ocd_search_person_name")
        #expect(try run("count", url, "Person", "--where", "name CONTAINS[cd] 'ADA'").output.contains("1"))
        #expect(try run("index", url, "Person.name", "--remove").status == 0)
        #expect(try database.sql(names) == "ocd_localized_person_name")
        #expect(try run("index", url, "Person.age").errors.contains("no string attribute age of an entity Person"))
        #expect(try run("index", url, "name").status == 64)
        #expect(try run("index", file, "Person.name").errors.contains("isn't the URL of a PostgreSQL store"))
    }

    // MARK: Reading

    @Test func importMakesAStoreThatOthersRead() throws {
        try fill()
        #expect(try database.sql("SELECT count(*) FROM person") == "3")
        #expect(
            try database.sql("SELECT age, is_active, balance, big FROM person WHERE name LIKE 'Ada%'")
                == "36|t|1234.5|9223372036854775807")
        #expect(
            try database.sql(
                "SELECT string_agg(p.name, ',' ORDER BY p.team_order) FROM person p "
                    + "JOIN team t ON t.z_pk = p.team WHERE t.name = 'Red'"
            ).hasPrefix(",Ada"))
        // The server has microseconds.
        #expect(
            try database.sql("SELECT born FROM person WHERE born IS NOT NULL") == "2024-01-21 12:00:00.123457+00")
        #expect(try database.sql("SELECT count(*) FROM ocd_model WHERE archive IS NOT NULL") == "1")
    }

    @Test(arguments: [
        ["count", "Person"], ["count", "Person", "--where", "name BEGINSWITH[c] 'ADA'"],
        [
            "list", "Person", "--sort", "name", "--fields",
            "name,age,height,balance,score,isActive,photo,token,home,big,small",
            "--format", "csv",
        ],
        ["list", "Team", "--sort", "name:desc", "--fields", "name,members.@count", "--format", "csv"],
        [
            "list", "Person", "--where", "team.name == 'Red' AND SUBQUERY(friends, $f, $f.age < 0).@count > 0",
            "--fields",
            "name",
        ],
        ["query", "Person", "--group-by", "team.name", "--compute", "count,sum:age"],
        ["query", "Person", "--group-by", "isActive"],
    ])
    func readingCommandsSayTheSameAsOnAFile(arguments: [String]) throws {
        try fill()
        func run(_ store: String) throws -> CommandRunner.Result {
            try CommandRunner.run([arguments[0], store] + arguments.dropFirst())
        }
        let (one, other) = (try run(file), try run(url))
        #expect(other.status == one.status, "\(other.errors)")
        #expect(other.output == one.output)
        #expect(one.status == 0 && !one.output.isEmpty, "\(one.errors)")
    }

    @Test func infoSchemaAndShowTellOfTheStore() throws {
        try fill()
        let info = try #require(try run("info", url, "--json").json() as? [String: Any])
        #expect((info["server"] as? String)?.hasPrefix("PostgreSQL ") == true)
        #expect(info["uuid"] as? String == (try database.sql("SELECT uuid FROM ocd_store")))
        #expect((info["path"] as? String)?.contains("schema=\(database.schema)") == true)
        let size = try database.sql(
            "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c "
                + "WHERE c.relnamespace = '\(database.schema)'::regnamespace AND c.relkind = 'r'")
        #expect((info["size"] as? Int).map(String.init) == size)
        let rows = try #require(info["entities"] as? [[String: Any]])
        #expect(rows.first { $0["name"] as? String == "Person" }?["rowsWithSubentities"] as? Int == 3)
        #expect(try run("schema", url, "Person").output == run("schema", file, "Person").output)
        let ada = try name(of: "Person", where: "name BEGINSWITH 'Ada'")
        let shown = try #require(try run("show", url, ada, "--json").json() as? [String: Any])
        #expect(shown["balance"] as? String == "1234.5")
        #expect((shown["friends"] as? [String])?.count == 2)
        let explained = try run("list", url, "Person", "--where", "age > 3", "--explain")
        #expect(explained.output.contains("Scan"))
    }

    @Test func theModelOfAStoreIsTakenOutOfIt() throws {
        try fill()
        let model = folder.file("Taken.xcdatamodeld").path
        let result = try run("model", "extract", url, "-o", model)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("all version hashes are the store's"))
        #expect(try run("model", "diff", url, file).status == 0)
        #expect(try run("list", url, "Team", "--model", model).status == 0)
    }

    // MARK: Writing

    @Test func setAndDeleteChangeRows() throws {
        try fill()
        let bob = try name(of: "Person", where: "name == 'Bob'")
        let red = try name(of: "Team", where: "name == 'Red'")
        #expect(try run("set", url, bob, "age=41", "team=\(red)", "--dry-run").output.contains("age: -1 → 41"))
        #expect(try database.sql("SELECT age FROM person WHERE name = 'Bob'") == "-1")
        let result = try run("set", url, bob, "age=41", "team=\(red)")
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            try database.sql(
                "SELECT p.age, t.name FROM person p JOIN team t ON t.z_pk = p.team WHERE p.name = 'Bob'")
                == "41|Red")
        #expect(try run("set", url, bob, "age=70000").status == 1)
        #expect(try run("delete", url, red).status == 0)
        #expect(try database.sql("SELECT count(*) FROM person") == "0")
        #expect(try database.sql("SELECT count(*) FROM badge") == "0")
        #expect(try run("check", url).status == 0)
    }

    @Test func upsertTakesEffectAsAWhole() throws {
        try fill()
        let good = Data("name\nGreen\nRed\n".utf8)
        let result = try run("upsert", url, "Team", "-", "--key", "name", "--format", "csv", input: good)
        #expect(result.output == "1 inserted, 0 updated, 1 unchanged.\n", "\(result.errors)")
        let bad = Data("name\nYellow\nYellow\n".utf8)
        #expect(try run("upsert", url, "Team", "-", "--key", "name", "--format", "csv", input: bad).status == 1)
        #expect(try database.sql("SELECT string_agg(name, ',' ORDER BY name) FROM team") == "Blue,Green,Red")
    }

    @Test func anImportThatFailsLeavesNothing() throws {
        let broken = folder.file("broken.json")
        let export = folder.file("sample.json").path
        try run("export", file, "--output", export)
        let string = try String(contentsOfFile: export, encoding: .utf8)
        try Data(string.replacing("\"code\": \"A-1\"", with: "\"code\": null").utf8).write(to: broken)
        let result = try run("import", url, broken.path)
        #expect(result.status == 1)
        #expect(result.errors.contains("Nothing was imported, and no store was created."), "\(result.errors)")
        #expect(try !database.hasStore())
        try fill()
        #expect(try run("import", url, broken.path).errors.contains("is unchanged"))
        #expect(try database.sql("SELECT count(*) FROM person") == "3")
    }

    @Test func exportedObjectsComeBackFromTheServer() throws {
        try fill()
        let (first, copy) = (folder.file("first.ndjson").path, folder.file("copy.sqlite").path)
        #expect(try run("export", url, "--format", "ndjson", "--output", first).status == 0)
        #expect(try run("import", copy, first).status == 0)
        let fields = "name,age,height,balance,score,photo,token,home,big,small,team.name"
        for entity in ["Person", "Employee", "Team", "Badge"] {
            let chosen =
                entity == "Person" || entity == "Employee" ? fields : entity == "Team" ? "name" : "code,holder.name"
            let (one, other) = (
                try run(
                    "list", file, entity, "--fields", chosen, "--sort", chosen.prefix { $0 != "," } + "",
                    "--format", "csv"),
                try run(
                    "list", copy, entity, "--fields", chosen, "--sort", chosen.prefix { $0 != "," } + "",
                    "--format", "csv")
            )
            #expect(one.output == other.output)
        }
    }

    // MARK: Checking, history, migration

    @Test func checkFindsWhatIsWrong() throws {
        try fill()
        #expect(try run("check", url).output.contains("no problems found"))
        try database.sql(
            """
            SET session_replication_role = replica;
            UPDATE person SET team = 999 WHERE name = 'Bob';
            INSERT INTO person_friend_of (friends, friend_of) SELECT 998, z_pk FROM person WHERE name = 'Bob';
            ALTER TABLE person ALTER COLUMN name DROP NOT NULL;
            UPDATE person SET name = NULL WHERE name = '';
            UPDATE ocd_key SET z_max = 0;
            DROP INDEX team_name_key;
            """)
        let result = try run("check", url, "--json")
        #expect(result.status == 1)
        let findings = try #require(try result.json() as? [[String: Any]])
        let kinds = Dictionary(grouping: findings) { $0["kind"] as? String ?? "" }.mapValues(\.count)
        #expect(kinds["dangling reference"] == 2, "\(result.output)")
        #expect(kinds["missing value"] == 1)
        #expect(kinds["primary key"] == 3)
        #expect(kinds["index"] == 1)
        #expect(try run("check", url, "--repair").errors.contains("--repair only repairs files"))
    }

    private func coordinator() throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
        PostgreSQLStore.register()
        try coordinator.addPersistentStore(
            ofType: PostgreSQLStore.type, configurationName: nil, at: try #require(URLComponents(string: url)?.url),
            options: [NSPersistentHistoryTrackingKey: true])
        return coordinator
    }

    private func save(_ coordinator: NSPersistentStoreCoordinator, team: String) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.transactionAuthor = "tests"
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Team", into: context).setValue(team, forKey: "name")
            try context.save()
        }
    }

    @Test func historyAndWatchFollowTransactions() throws {
        try fill()
        #expect(try run("history", url).errors.contains("has no history"))
        let coordinator = try coordinator()
        try save(coordinator, team: "First")
        let history = try run("history", url, "--author", "tests")
        #expect(history.output.contains("insert Team/p"), "\(history.errors)")
        let watch = try CommandRunner.start(
            ["watch", url, "--count", "1", "--interval", "0.05", "--format", "ndjson"])
        Thread.sleep(forTimeInterval: 1.5)
        try save(coordinator, team: "Second")
        let result = try CommandRunner.finish(watch, within: 30)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("\"author\": \"tests\""))
        // What the command changes is recorded too.
        let first = try name(of: "Team", where: "name == 'First'")
        #expect(try run("set", url, first, "name=Changed").status == 0)
        #expect(try database.sql("SELECT count(*) FROM ocd_transaction") == "3")
    }

    @Test func migrateChangesTablesInPlace() throws {
        try fill()
        let model = SampleStore.model()
        let rank = NSAttributeDescription()
        rank.name = "rank"
        rank.attributeType = .integer32AttributeType
        rank.defaultValue = 7
        rank.isOptional = false
        let team = try #require(model.entitiesByName["Team"])
        team.properties += [rank]
        let path = folder.file("Next.mom")
        try model.encodedCompiledModel().write(to: path)
        let dry = try run("migrate", url, "--to", path.path, "--dry-run")
        #expect(dry.output.contains("Nothing was changed (--dry-run)."), "\(dry.errors)")
        let result = try run("migrate", url, "--to", path.path)
        #expect(result.output.contains("was migrated: "), "\(result.errors)")
        #expect(try database.sql("SELECT string_agg(rank::text, ',') FROM team") == "7,7")
        #expect(try run("list", url, "Team", "--where", "rank == 7").status == 0)
        #expect(try run("migrate", url, "--to", path.path).output.contains("nothing to do"))
    }

    @Test func migrateShowsItsStatementsAndRunsThoseOfFiles() throws {
        try fill()
        let model = SampleStore.model()
        let name = try #require(model.entitiesByName["Team"]?.attributesByName["name"])
        (name.name, name.renamingIdentifier) = ("title", "name")
        model.entitiesByName["Team"]?.uniquenessConstraints = [["title"]]
        let path = folder.file("Next.mom")
        try model.encodedCompiledModel().write(to: path)
        let shown = try run("migrate", url, "--to", path.path, "--sql")
        #expect(shown.status == 0, "\(shown.errors)")
        for line in [
            "BEGIN;", "RENAME COLUMN \"name\" TO ocd_column_",
            "--   locks: ACCESS EXCLUSIVE ON team; rows written: none", "COMMIT;", "-- Nothing was changed (--sql).",
        ] {
            #expect(shown.output.contains(line), "\(line) in \(shown.output)")
        }
        let count = try database.sql("SELECT count(*) FROM team WHERE name IS NOT NULL")
        let (before, after) = (folder.file("before.sql"), folder.file("after.sql"))
        try Data("UPDATE team SET name = upper(name); CREATE TABLE steps (n int);".utf8).write(to: before)
        try Data("INSERT INTO steps SELECT count(*) FROM team WHERE title = upper(title)".utf8).write(to: after)
        let result = try run(
            "migrate", url, "--to", path.path, "--before", before.path, "--after", after.path)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try database.sql("SELECT n FROM steps") == count)
        for option in ["--before", "--after", "--mapping"] {
            let refused = try run("migrate", url, "--to", path.path, "--sql", option, before.path)
            #expect(refused.status != 0 && refused.output.isEmpty)
            #expect(refused.errors.contains("can't be used with them"), "\(refused.errors)")
        }
        let file = try run("migrate", self.file, "--to", path.path, "--sql")
        #expect(file.errors.contains("are for stores on a server"), "\(file.errors)")
    }

    // MARK: Messages

    @Test func noMessageHasAPassword() throws {
        let secret = "sEcReT-pw"
        let port = try #require(URLComponents(string: ServerDatabase.address ?? "")?.port)
        let refused = "postgresql://postgres:\(secret)@127.0.0.1:\(port)/opencoredata?schema=\(database.schema)"
        let unreachable = "postgresql://u:\(secret)@127.0.0.1:1/nothing"
        let output = folder.file("out.xcdatamodeld").path
        let commands: [[String]] = [
            ["info", refused], ["info", unreachable], ["list", refused, "Person"], ["count", refused, "Person"],
            ["import", refused, file], ["copy", file, refused], ["copy", refused, folder.file("x.sqlite").path],
            ["check", refused], ["watch", refused], ["history", unreachable], ["schema", refused],
            ["backup", refused, "x"],
            ["migrate", refused, "--to", refused], ["model", refused], ["model", "import", refused, "-o", output],
            ["model", "generate", refused, "-o", output], ["model", "validate", refused],
            ["model", "compile", refused],
            ["model", "extract", refused, "-o", refused], ["export", file, "-o", refused], ["list", file, refused],
            ["info", file, refused], ["model", "diagram", refused, "-o", "-"], ["info", "--\(refused)"],
            ["info", "postgresql://u:\(secret)@ho st/x"], ["info", "postgresql:u:\(secret)"],
            ["set", refused, "X/p1", "a=1"],
        ]
        for arguments in commands {
            let result = try CommandRunner.run(arguments)
            #expect(result.status != 0, "\(arguments)")
            #expect(!(result.output + result.errors).contains(secret), "\(arguments): \(result.errors)")
            #expect(!result.errors.isEmpty)
        }
    }

    @Test func whatIsNotThereIsNamed() throws {
        let missing = try run("info", url)
        #expect(missing.status == 1)
        #expect(missing.errors.contains("There is no store at postgresql://"))
        #expect(try run("list", url, "Person").errors.contains("There is no store at"))
        #expect(try !database.hasStore())
        try fill()
        #expect(try run("count", url, "Persn").errors.contains("did you mean Person"))
        #expect(try run("show", url, "Person/p999").errors.contains("has no object Person/p999"))
        #expect(try run("backup", url, "x.sqlite").errors.contains("pg_dump"))
    }
}
#endif
