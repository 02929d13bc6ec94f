import OpenCoreData
import Synchronization
import TestSupport
import Testing

@Suite struct ContainerTests {
    private func memoryContainer() -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Publishing", managedObjectModel: PublishingModel.make())
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        return container
    }

    @Test func theDefaultStoreIsASQLiteFileOfTheContainersName() throws {
        let container = NSPersistentContainer(name: "Publishing", managedObjectModel: PublishingModel.make())
        let description = try #require(container.persistentStoreDescriptions.first)
        #expect(container.persistentStoreDescriptions.count == 1)
        #expect(description.type == NSSQLiteStoreType)
        #expect(description.url?.lastPathComponent == "Publishing.sqlite")
        #expect(description.url?.deletingLastPathComponent().path == NSPersistentContainer.defaultDirectoryURL().path)
        let property: URL = NSPersistentContainer.defaultDirectoryURL
        #expect(property == NSPersistentContainer.defaultDirectoryURL())
        #expect(container.name == "Publishing")
        #expect(container.viewContext.concurrencyType == .mainQueueConcurrencyType)
        #expect(container.viewContext.persistentStoreCoordinator === container.persistentStoreCoordinator)
    }

    @Test func loadingCallsBackOncePerStoreBeforeItReturns() {
        let container = memoryContainer()
        container.persistentStoreDescriptions.append(container.persistentStoreDescriptions[0])
        var calls: [(any Error)?] = []
        container.loadPersistentStores { _, error in calls.append(error) }
        #expect(calls.count == 2)
        #expect(calls.allSatisfy { $0 == nil })
        #expect(container.persistentStoreCoordinator.persistentStores.count == 2)
    }

    @Test func storesCanBeAddedInTheBackground() async {
        let container = memoryContainer()
        container.persistentStoreDescriptions[0].shouldAddStoreAsynchronously = true
        let error: String? = await withCheckedContinuation { continuation in
            container.loadPersistentStores { _, error in continuation.resume(returning: error.map { "\($0)" }) }
        }
        #expect(error == nil)
        #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
    }

    @Test func aMissingModelIsReportedWhenStoresAreLoaded() {
        let container = NSPersistentContainer(name: "NoSuchModel")
        var message = ""
        container.loadPersistentStores { _, error in message = error?.localizedDescription ?? "" }
        #expect(message.contains("NoSuchModel"))
        #expect(container.persistentStoreCoordinator.persistentStores.isEmpty)
    }

    @Test func aModelIsFoundByNameInTheFirstFolderThatHasIt() throws {
        let folder = try TemporaryFolder()
        let sub = folder.file("Models")
        try FileManager.default.createDirectory(at: sub, withIntermediateDirectories: true)
        let model = PublishingModel.make()
        try model.encodedCompiledModel().write(to: sub.appendingPathComponent("Publishing.mom"))
        let found = try ModelFinder.model(named: "Publishing", in: [folder.url, sub])
        #expect(found.entityVersionHashesByName == model.entityVersionHashesByName)
        try Data("not a model".utf8).write(to: folder.file("Publishing.mom"))
        let error = #expect(throws: CocoaError.self) {
            try ModelFinder.model(named: "Publishing", in: [folder.url, sub])
        }
        let path = error?.userInfo[NSFilePathErrorKey] as? String
        #expect(path == folder.file("Publishing.mom").path)
    }

    @Test func foldersOfStoresAreMade() throws {
        let folder = try TemporaryFolder()
        let container = NSPersistentContainer(name: "Publishing", managedObjectModel: PublishingModel.make())
        let url = folder.file("a/b/Publishing.sqlite")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var problem: (any Error)?
        container.loadPersistentStores { _, error in problem = error }
        #expect(problem == nil)
        #expect(FileManager.default.fileExists(atPath: url.path))
    }

    @Test func backgroundTasksGetAContextOfTheirOwn() async throws {
        let container = memoryContainer()
        container.loadPersistentStores { _, error in #expect(error == nil) }
        let name = try await container.performBackgroundTask { context in
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue("One", forKey: "title")
            try context.save()
            return book.value(forKey: "title") as? String
        }
        #expect(name == "One")
        let context = container.newBackgroundContext()
        let count = try await context.perform {
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
        }
        #expect(count == 1)
    }

    // MARK: Descriptions

    @Test func aDescriptionKeepsItsSettingsAsOptions() throws {
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/tmp/x.sqlite"))
        #expect(description.type == NSSQLiteStoreType)
        #expect(description.shouldMigrateStoreAutomatically && description.shouldInferMappingModelAutomatically)
        #expect(!description.isReadOnly && !description.shouldAddStoreAsynchronously)
        #expect(description.timeout == 240)
        #expect(description.sqlitePragmas.isEmpty)
        description.isReadOnly = true
        description.timeout = 3
        description.setValue(NSString(string: "DELETE"), forPragmaNamed: "journal_mode")
        description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        #expect((description.options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue == true)
        #expect((description.options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue == 3)
        #expect(description.sqlitePragmas["journal_mode"] as? NSString == "DELETE")
        #expect(description.options[NSPersistentHistoryTrackingKey] != nil)
        let copy = try #require(description.copy() as? NSPersistentStoreDescription)
        #expect(copy == description)
        copy.setOption(nil, forKey: NSPersistentHistoryTrackingKey)
        #expect(copy != description)
    }
}
