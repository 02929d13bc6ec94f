import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct ExtractCommandTests {
    private let models: ModelFolder

    init() throws { models = try ModelFolder() }

    @Test(arguments: ["M.xcdatamodeld", "M.xcdatamodel", "M.momd", "M.mom"])
    func theModelOpensTheStoreAgain(_ name: String) throws {
        let store = try SampleStore.make(in: models.folder)
        let result = try CommandRunner.run("model", "extract", store.path, "-o", models.path(name))
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.output == """
                wrote \(models.path(name)): 4 entities, from the copy in the store Sample.sqlite
                The store opens with it: all version hashes are the store's.

                """)
        let model = try #require(NSManagedObjectModel(contentsOf: models.folder.file(name)))
        #expect(model.entityVersionHashesByName == SampleStore.model().entityVersionHashesByName)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let opened = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: store, options: nil)
        try coordinator.remove(opened)
    }

    @Test func whatIsThereIsNotReplacedUnasked() throws {
        let store = try SampleStore.make(in: models.folder)
        let target = models.path("M.xcdatamodeld")
        #expect(try CommandRunner.run("model", "extract", store.path, "-o", target).status == 0)
        let again = try CommandRunner.run("model", "extract", store.path, "-o", target)
        #expect(again.status == 1)
        #expect(again.errors == "opencoredata: \(target) already exists; use --force to replace it.\n")
        #expect(try CommandRunner.run("model", "extract", store.path, "-o", target, "--force").status == 0)
        let wrong = try CommandRunner.run("model", "extract", store.path, "-o", models.path("M.xml"))
        #expect(wrong.status == 1)
        #expect(wrong.errors.contains("must end in one of .xcdatamodeld, .xcdatamodel, .momd, .mom"))
        #expect(try models.names() == ["M.xcdatamodeld", "Sample.sqlite"])
    }

    @Test func aStoreThatCantContainAModelIsRefused() throws {
        let store = try SampleStore.make(in: models.folder)
        let model = models.path("M.xcdatamodeld")
        #expect(try CommandRunner.run("model", "extract", store.path, "-o", model).status == 0)
        let file = models.path("Sample.xml")
        #expect(try CommandRunner.run("create", file, "--model", model).status == 0)
        let result = try CommandRunner.run("model", "extract", file, "-o", models.path("N.xcdatamodeld"))
        #expect(result.status == 1)
        #expect(result.errors == "opencoredata: \(file) is an XML store, which contains no copy of its model.\n")
    }

    @Test func aStoreWithoutItsModelIsWorkedOut() throws {
        let store = try SampleStore.make(in: models.folder)
        try SQLiteShell.run("DROP TABLE Z_MODELCACHE", on: store)
        let result = try CommandRunner.run("model", "extract", store.path, "-o", models.path("M.xcdatamodeld"))
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("from the store's tables"))
        #expect(result.errors.contains("A .momd keeps the store's hashes."))
        let kept = try CommandRunner.run("model", "extract", store.path, "-o", models.path("M.momd"))
        #expect(kept.errors.isEmpty)
        let list = try CommandRunner.run(
            "list", store.path, "Team", "--model", models.path("M.momd"), "--format", "json")
        #expect((try list.json() as? [[String: Any]])?.count == 2, "\(list.errors)")
    }

    /// Models of Apple's own apps have attributes with an index of another name and none of their own.
    @Test(.enabled(if: Fixtures.available), arguments: FixtureModels.stores, ["M.momd", "M.xcdatamodeld"])
    func noIndexIsAdded(_ path: String, _ name: String) throws {
        let store = try Fixtures.copy(path, into: models.folder)
        let result = try CommandRunner.run("model", "extract", store.path, "-o", models.path(name))
        // Source cannot hold everything.
        guard result.status == 0 || name.hasSuffix("momd") else { return }
        let difference = try CommandRunner.run("model", "diff", store.path, models.path(name))
        #expect(!difference.output.contains("  index "), "\(difference.output)")
    }

    @Test(.enabled(if: Fixtures.available), arguments: FixtureModels.stores)
    func modelsOfApplesStoresOpenThem(_ path: String) throws {
        let store = try Fixtures.copy(path, into: models.folder)
        let target = models.folder.file("M.momd")
        let result = try CommandRunner.run("model", "extract", store.path, "-o", target.path)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("The store opens with it"), "\(result.output)\(result.errors)")
        #expect(try CommandRunner.run("info", store.path, "--model", target.path).status == 0)
        // Source cannot hold everything; what it cannot is said.
        let source = try CommandRunner.run("model", "extract", store.path, "-o", models.path("M.xcdatamodeld"))
        if source.status == 0 {
            let opens = source.output.contains("The store opens with it")
            #expect(opens || source.errors.contains("another version hash"), "\(source.output)\(source.errors)")
            let info = try CommandRunner.run("info", store.path, "--model", models.path("M.xcdatamodeld"))
            #expect(info.status == (opens ? 0 : 1), "\(info.errors)")
        } else {
            #expect(source.errors.contains("A .momd can hold it"), "\(source.errors)")
            #expect(!models.exists("M.xcdatamodeld"))
        }
    }
}
