import OpenCoreData
import TestSupport
import Testing

/// Models are found in bundles by name, compiled or not.
@Suite struct BundledModelTests {
    /// The forms in which a bundle can hold a model, by the ending.
    private static let forms = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

    private static func write(_ model: NSManagedObjectModel, named name: String, form: String, into folder: URL) throws
    {
        let url = folder.appendingPathComponent(name).appendingPathExtension(form)
        let document = try ModelSourceDocument(model: model)
        switch form {
        case "momd":
            try CompiledModelBundle(versions: [.init(name: name, model: model)], currentVersionName: name).write(
                to: url)
        case "mom": try model.encodedCompiledModel().write(to: url)
        case "xcdatamodeld":
            try ModelSourceBundle(versions: [.init(name: name, document: document)], currentVersionName: name)
                .write(to: url)
        default: try document.write(to: url)
        }
    }

    private static func bundle(_ folder: TemporaryFolder) throws -> Bundle {
        let url = folder.file("Models.bundle")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return try #require(Bundle(url: url))
    }

    @Test(arguments: forms) func aModelIsReadFromABundleInEveryForm(_ form: String) throws {
        let folder = try TemporaryFolder()
        let model = PublishingModel.make()
        let location = folder.file("Models.bundle")
        try FileManager.default.createDirectory(at: location, withIntermediateDirectories: true)
        try Self.write(model, named: "Publishing", form: form, into: location)
        let bundle = try Self.bundle(folder)
        let url = try #require(bundle.url(forResource: "Publishing", withExtension: form))
        let read = try #require(NSManagedObjectModel(contentsOf: url))
        #expect(read.entityVersionHashesByName == model.entityVersionHashesByName)
        let merged = try #require(NSManagedObjectModel.mergedModel(from: [bundle]))
        #expect(merged.entityVersionHashesByName == model.entityVersionHashesByName)
        let metadata: [String: Any] = [NSStoreModelVersionHashesKey: model.entityVersionHashesByName]
        #expect(NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata) != nil)
    }

    /// The plugin makes them for code that asks its bundle for a compiled model.
    @Test func aCompiledModelMayConsistOfSources() throws {
        let folder = try TemporaryFolder()
        let model = PublishingModel.make()
        let url = folder.file("Models.bundle/Publishing.momd")
        try Self.write(model, named: "Publishing", form: "momd", into: folder.file("Models.bundle"))
        let older = NSManagedObjectModel()
        older.entities = [PublishingModel.entity("Old")]
        for (name, version) in [("Publishing", model), ("Publishing 1", older)] {
            try ModelSourceDocument(model: version).data.write(to: url.appendingPathComponent("\(name).mom"))
        }
        let bundle = try Self.bundle(folder)
        #expect(NSManagedObjectModel(contentsOf: url)?.entityVersionHashesByName == model.entityVersionHashesByName)
        let first = NSManagedObjectModel(contentsOf: url.appendingPathComponent("Publishing 1.mom"))
        #expect(first?.entityVersionHashesByName == older.entityVersionHashesByName)
        for version in [model, older] {
            let metadata: [String: Any] = [NSStoreModelVersionHashesKey: version.entityVersionHashesByName]
            let found = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata)
            #expect(found?.entityVersionHashesByName == version.entityVersionHashesByName)
        }
        let merged = NSManagedObjectModel.mergedModel(from: [bundle])
        #expect(merged?.entityVersionHashesByName == model.entityVersionHashesByName)
    }

    @Test func compiledAndSourceInOneBundleAreOneModel() throws {
        let folder = try TemporaryFolder()
        let location = folder.file("Models.bundle")
        try FileManager.default.createDirectory(at: location, withIntermediateDirectories: true)
        for form in Self.forms {
            try Self.write(PublishingModel.make(), named: "Publishing", form: form, into: location)
        }
        let merged = try #require(NSManagedObjectModel.mergedModel(from: [try Self.bundle(folder)]))
        #expect(merged.entities.count == PublishingModel.make().entities.count)
    }

    /// The package manager puts a target's resources into a folder beside the program.
    @Test(arguments: forms) func aContainerFindsItsModelByName(_ form: String) throws {
        let program = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        let name = "Bundled-\(UUID().uuidString)"
        let location = program.deletingLastPathComponent().appendingPathComponent("\(name).resources")
        try FileManager.default.createDirectory(at: location, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: location) }
        try Self.write(PublishingModel.make(), named: name, form: form, into: location)
        let container = NSPersistentContainer(name: name)
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        var problem: (any Error)?
        container.loadPersistentStores { _, error in problem = error }
        #expect(problem == nil)
        #expect(
            container.managedObjectModel.entityVersionHashesByName == PublishingModel.make().entityVersionHashesByName)
    }
}
