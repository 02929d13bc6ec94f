import Foundation
import OpenCoreData
import TestSupport
import Testing

/// An import that fails has imported nothing, and says so.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct FailedImportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
            .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
    }

    /// An export of as many teams as make several pieces, the last of which is wrong.
    private func teams(_ count: Int, last: String) -> Data {
        var string = "{\"entities\": {\"Team\": ["
        for number in 0..<count { string += "{\"objectID\": \"Team/p\(number)\", \"name\": \"Team \(number)\"}," }
        return Data((string + last + "]}}").utf8)
    }

    @Test(arguments: [
        ("{\"name\": 7}", "name"), ("{}", "name"), ("{\"name\": \"Red\"}", "Team"), ("{\"color\": \"x\"}", "color"),
        ("{\"name\": \"x\", \"members\": [\"Person/p9\"]}", "Person/p9"), ("{\"name\": \"x\"", "JSON"),
    ])
    func leavesAStoreAsItWas(_ last: String, _ mention: String) throws {
        let store = try SampleStore.make(in: folder)
        let input = folder.file("teams.json")
        try teams(2_500, last: last).write(to: input)
        let before = try names()
        let content = try CommandRunner.run("export", store.path, "-o", "-").output
        let result = try CommandRunner.run("import", store.path, input.path)
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(mention), "\(result.errors)")
        #expect(
            result.errors.hasSuffix(" Nothing was imported; the store Sample.sqlite is unchanged.\n"),
            "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(try CommandRunner.run("export", store.path, "-o", "-").output == content)
        #expect(try CommandRunner.run("check", store.path).status == 0)
        #expect(try names() == before)
    }

    @Test func aGoodImportIntoAStoreAddsAll() throws {
        let store = try SampleStore.make(in: folder)
        let input = folder.file("teams.json")
        try teams(2_500, last: "{\"name\": \"Last\"}").write(to: input)
        let result = try CommandRunner.run("import", store.path, input.path)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == "Imported 2501 objects into Sample.sqlite.\n")
        #expect(try CommandRunner.run("count", store.path, "Team").output == "2503\n")
        #expect(try CommandRunner.run("check", store.path).status == 0)
        #expect(try names() == ["Sample.sqlite", "teams.json"])
    }

    /// A store whose objects have values in files of their own.
    private func makePictures() throws -> URL {
        let entity = NSEntityDescription()
        entity.name = "Picture"
        let data = NSAttributeDescription()
        data.name = "data"
        data.type = .binaryData
        data.allowsExternalBinaryDataStorage = true
        let title = NSAttributeDescription()
        title.name = "title"
        title.type = .string
        title.isOptional = false
        entity.properties = [data, title]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let url = folder.file("Pictures.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.remove(try coordinator.addPersistentStore(type: .sqlite, at: url))
        return url
    }

    private func pictures(last: String) -> Data {
        let value = Data(repeating: 7, count: 200_000).base64EncodedString()
        let one = "{\"title\": \"a\", \"data\": \"\(value)\"}"
        return Data("{\"entities\": {\"Picture\": [\(one), \(one), \(last)]}}".utf8)
    }

    @Test func valuesInFilesOfTheirOwnGoWithTheImport() throws {
        let store = try makePictures()
        let input = folder.file("pictures.json")
        let values = folder.file(".Pictures_SUPPORT/_EXTERNAL_DATA").path
        func files() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: values)) ?? [] }

        // Missing titles are found when the piece is saved, after its files were written.
        try pictures(last: "{\"title\": \"b\", \"missing\": 1}").write(to: input)
        for target in [store.path, folder.file("New.sqlite").path] {
            let result = try CommandRunner.run("import", target, "--model", store.path, input.path)
            #expect(result.status == 1)
        }
        #expect(files() == [])
        #expect(!FileManager.default.fileExists(atPath: folder.file("New.sqlite").path))
        #expect(!FileManager.default.fileExists(atPath: folder.file(".New_SUPPORT").path))

        try pictures(last: "{\"title\": \"b\"}").write(to: input)
        for target in [store.path, folder.file("New.sqlite").path] {
            let result = try CommandRunner.run("import", target, "--model", store.path, input.path)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try CommandRunner.run("check", target).output.contains("no problems found"))
        }
        #expect(files().count == 2)
        let list = try CommandRunner.run("list", folder.file("New.sqlite").path, "Picture", "--format", "json")
        let sizes = (try list.json() as? [[String: Any]])?.map { ($0["data"] as? String)?.count }
        #expect(sizes?.compactMap { $0 } == [266_668, 266_668])
    }

    @Test func aLogWithoutItsStoreIsNotTakenForThatOfTheNewOne() throws {
        let model = try SampleStore.make(in: folder)
        let input = folder.file("teams.json")
        try teams(1, last: "{\"name\": \"Last\"}").write(to: input)
        try Data("log".utf8).write(to: folder.file("New.sqlite-wal"))
        let result = try CommandRunner.run(
            "import", folder.file("New.sqlite").path, "--model", model.path, input.path)
        #expect(result.status == 1)
        #expect(result.errors.contains("New.sqlite-wal"), "\(result.errors)")
        #expect(try names() == ["Sample.sqlite", "teams.json"])
        #expect(try Data(contentsOf: folder.file("New.sqlite-wal")) == Data("log".utf8))
    }

    @Test(.enabled(if: SQLiteShell.isAvailable)) func anImportWaitsForNobodyForever() throws {
        let store = try SampleStore.make(in: folder)
        let input = folder.file("teams.json")
        try teams(1, last: "{\"name\": \"Last\"}").write(to: input)
        let connection = try SQLiteConnection(path: store.path, configuration: .init(access: .readWrite))
        defer { connection.close() }
        try connection.begin()
        let result = try CommandRunner.run("import", store.path, input.path)
        connection.rollback()
        #expect(result.status == 1)
        #expect(result.errors.contains("locked by another"), "\(result.errors)")
        #expect(result.errors.contains("is unchanged"))
    }
}
