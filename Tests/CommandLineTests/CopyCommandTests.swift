#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataPostgreSQL
import StoreTools
import TestSupport
import Testing

/// `copy` between files and a PostgreSQL database.
@Suite(.needsServer)
struct CopyCommandTests {
    private let folder: TemporaryFolder
    private let file: String
    private let database: ServerDatabase

    private var url: String { database.url }

    init() throws {
        folder = try TemporaryFolder()
        file = try SampleStore.make(in: folder).path
        database = try ServerDatabase()
        PostgreSQLStore.register()
    }

    @Test func aStoreThatSomebodyElseCreatedMeanwhileStays() throws {
        let source = try StoreSession(path: file, modelPath: nil, access: .reading)
        let target = try ImportTarget(path: url, source: source.source)
        #expect(target.isNew)
        #expect(try CommandRunner.run("copy", file, url).status == 0)
        let books = try database.sql("SELECT count(*) FROM person")
        let error = #expect(throws: CocoaError.self) { try target.fill(sharing: source.model) { _ in } }
        #expect(error?.code == .fileWriteFileExists, "\(String(describing: error))")
        #expect(try database.sql("SELECT count(*) FROM person") == books && books != "0")
    }

    @Test func whatSomebodyElseSavedInANewStoreStaysWhenTheCopyFails() throws {
        let source = try StoreSession(path: file, modelPath: nil, access: .reading)
        let target = try ImportTarget(path: url, source: source.source)
        #expect(throws: CancellationError.self) {
            try target.fill(sharing: source.model) { _ in
                #expect(try CommandRunner.run("copy", file, url).status == 0)
                throw CancellationError()
            }
        }
        #expect(try database.sql("SELECT count(*) FROM person") != "0")
        let unused = try ServerDatabase()
        #expect(throws: CancellationError.self) {
            try ImportTarget(path: unused.url, source: source.source).fill(sharing: source.model) { _ in
                throw CancellationError()
            }
        }
        #expect(try !unused.hasStore())
    }

    /// The entities of a summary with numbers and checksums.
    private func entities(_ result: CommandRunner.Result) throws -> [String: [String]] {
        let summary = try #require(try result.json() as? [String: Any], "\(result.errors)")
        var found: [String: [String]] = [:]
        for entity in try #require(summary["entities"] as? [[String: Any]]) {
            found[try #require(entity["name"] as? String)] = [
                "\(entity["objects"] ?? "")", try #require(entity["checksum"] as? String),
            ]
        }
        return found
    }

    @Test func aFileGoesToTheServerAndBack() throws {
        let there = try CommandRunner.run("copy", file, url)
        #expect(there.status == 0, "\(there.errors)")
        #expect(there.output.contains("6 objects copied from Sample.sqlite to postgresql://"), "\(there.output)")
        #expect(!there.output.contains(database.password))
        #expect(try database.sql("SELECT count(*) FROM person") == "3")
        #expect(
            try database.sql(
                "SELECT string_agg(p.name, ',' ORDER BY p.team_order) FROM person p "
                    + "JOIN team t ON t.z_pk = p.team WHERE t.name = 'Red'"
            ).hasPrefix(",Ada"))
        #expect(try database.sql("SELECT count(*) FROM person_friend_of") == "3")
        #expect(
            try database.sql("SELECT encode(photo, 'hex'), born FROM person WHERE name LIKE 'Ada%'")
                .hasPrefix("000102ff|2024-01-21"))
        #expect(try CommandRunner.run("check", url).status == 0)

        let back = folder.file("back.sqlite").path
        let again = try ServerDatabase()
        let (first, second) = (
            try entities(CommandRunner.run("copy", url, back, "--json")),
            try entities(CommandRunner.run("copy", back, again.url, "--json"))
        )
        #expect(first == second)
        #expect(first["Person"]?[0] == "1" && first["Employee"]?[0] == "2")
        for entity in ["Person", "Employee", "Team", "Badge"] {
            let fields =
                ["Team": "name,members.name", "Badge": "code,holder.name"][entity]
                ?? "name,age,height,balance,score,isActive,photo,token,home,settings,big,small,team.name"
            let sort = entity == "Badge" ? "code" : "name"
            let (one, other) = (
                try CommandRunner.run("list", file, entity, "--fields", fields, "--sort", sort, "--format", "csv"),
                try CommandRunner.run("list", back, entity, "--fields", fields, "--sort", sort, "--format", "csv")
            )
            #expect(one.output == other.output && one.status == 0, "\(one.errors)")
        }
        #expect(try CommandRunner.run("check", back).status == 0)
    }

    @Test func aTargetWithObjectsIsLeftAlone() throws {
        #expect(try CommandRunner.run("copy", file, url).status == 0)
        let refused = try CommandRunner.run("copy", file, url)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("has 6 objects; use --append to add to them."), "\(refused.errors)")
        #expect(try database.sql("SELECT count(*) FROM person") == "3")
        // The names of teams are unique.
        let clash = try CommandRunner.run("copy", file, url, "--append")
        #expect(clash.status == 1)
        #expect(clash.errors.contains("uniqueness constraint"), "\(clash.errors)")
        #expect(try database.sql("SELECT count(*) FROM person") == "3")
        try database.sql("UPDATE team SET name = 'Old ' || name")
        let added = try CommandRunner.run("copy", file, url, "--append")
        #expect(added.status == 0, "\(added.errors)")
        #expect(try database.sql("SELECT count(*), count(DISTINCT z_pk) FROM person") == "6|6")
        #expect(try CommandRunner.run("check", url).status == 0)
        #expect(try CommandRunner.run("copy", file, file).errors.contains("into itself"))
    }

    @Test func whatTheTargetCantKeepIsNamedAndNothingCopied() throws {
        let model = NSManagedObjectModel()
        let (note, text, amount) = (NSEntityDescription(), NSAttributeDescription(), NSAttributeDescription())
        note.name = "Note"
        (text.name, text.attributeType, text.isOptional) = ("text", .stringAttributeType, true)
        (amount.name, amount.attributeType, amount.isOptional) = ("amount", .decimalAttributeType, true)
        note.properties = [text, amount]
        model.entities = [note]
        let source = folder.file("notes.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: source, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue(
                "a\0b", forKey: "text")
            try context.save()
        }
        try coordinator.remove(store)
        let result = try CommandRunner.run("copy", source.path, url)
        #expect(result.status == 1)
        #expect(result.errors.contains("text of Note has the character U+0000"), "\(result.errors)")
        #expect(result.errors.contains("Nothing was copied, and no store was created."))
        #expect(try !database.hasStore())

        // A server has more digits than a file.
        try SQLiteShell.run("UPDATE ZNOTE SET ZTEXT = 'x'", on: source)
        #expect(try CommandRunner.run("copy", source.path, url).status == 0)
        try database.sql("UPDATE note SET amount = 1234567890123456789012345678.25")
        let target = folder.file("target.sqlite").path
        let lossy = try CommandRunner.run("copy", url, target)
        #expect(lossy.status == 1)
        #expect(lossy.errors.contains("amount of Note/p1 would not be the same"), "\(lossy.errors)")
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test(arguments: [SIGKILL, SIGTERM])
    func aCopyThatIsEndedCanBeginAgain(signal: Int32) throws {
        let many = folder.file("many.ndjson")
        let lines = (1...30_000).map { "{\"entity\": \"Team\", \"name\": \"Team \($0)\"}" }
        try Data(lines.joined(separator: "\n").utf8).write(to: many)
        let source = folder.file("many.sqlite").path
        let model = folder.file("Sample.mom")
        try SampleStore.model().encodedCompiledModel().write(to: model)
        try #require(try CommandRunner.run("import", source, many.path, "--model", model.path).status == 0)
        let copy = try CommandRunner.start(["copy", source, url])
        let end = Date(timeIntervalSinceNow: 60)
        while try !database.hasStore(), copy.process.isRunning, Date() < end { Thread.sleep(forTimeInterval: 0.02) }
        kill(copy.process.processIdentifier, signal)
        let result = try CommandRunner.finish(copy)
        try #require(result.status != 0)
        if signal == SIGTERM {
            #expect(result.status == 143)
            #expect(result.errors.contains("Nothing was copied"), "\(result.errors)")
            #expect(try !database.hasStore())
        } else if try database.hasStore() {
            #expect(try database.sql("SELECT count(*) FROM team") == "0")
        }
        let again = try CommandRunner.run("copy", source, url)
        #expect(again.status == 0, "\(again.errors)")
        #expect(try database.sql("SELECT count(*) FROM team") == "30000")
    }
}
#endif
