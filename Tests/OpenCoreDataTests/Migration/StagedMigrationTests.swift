import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Staged migration of a chain of versions: a note whose text becomes a title, a title that becomes required, and words
/// that become objects.
@Suite(.enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command")) struct StagedMigrationTests {
    /// The versions, the oldest first.
    ///
    /// 1: text. 2: title added. 3: entity Word added. 4: text gone. 5: text is a number, which can't be inferred from
    /// 1.
    static func version(_ number: Int) -> NSManagedObjectModel {
        let note = NSEntityDescription()
        note.name = "Memo"
        var properties: [NSPropertyDescription] = []
        if number <= 3 { properties.append(LibraryModel.attribute("text", .stringAttributeType)) }
        if number >= 2 { properties.append(LibraryModel.attribute("title", .stringAttributeType)) }
        if number >= 5 { properties.append(LibraryModel.attribute("text", .integer64AttributeType)) }
        let model = NSManagedObjectModel()
        if number >= 3 {
            let word = NSEntityDescription()
            word.name = "Word"
            let memo = LibraryModel.relationship("memo", to: note, rule: .nullifyDeleteRule)
            let words = LibraryModel.relationship("words", to: word, toMany: true, rule: .cascadeDeleteRule)
            memo.inverseRelationship = words
            words.inverseRelationship = memo
            word.properties = [LibraryModel.attribute("text", .stringAttributeType), memo]
            properties.append(words)
            note.properties = properties
            model.entities = [note, word]
        } else {
            note.properties = properties
            model.entities = [note]
        }
        return model
    }

    static func reference(_ number: Int) -> NSManagedObjectModelReference {
        let model = version(number)
        return NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }

    static func lightweight(_ numbers: Int...) -> NSLightweightMigrationStage {
        let stage = NSLightweightMigrationStage(numbers.map { version($0).versionChecksum })
        stage.label = "lightweight \(numbers)"
        return stage
    }

    /// A custom stage that notes when its handlers are called, and what they find.
    static func custom(_ from: Int, _ to: Int, _ log: CallLog) -> NSCustomMigrationStage {
        let stage = NSCustomMigrationStage(migratingFrom: reference(from), to: reference(to))
        stage.label = "custom \(from) to \(to)"
        stage.willMigrateHandler = { manager, stage in
            let model = manager.container?.managedObjectModel
            log.note("will \(from)-\(to) \(model?.versionChecksum == stage.currentModel.versionChecksum)")
        }
        stage.didMigrateHandler = { manager, stage in
            let model = manager.container?.managedObjectModel
            log.note("did \(from)-\(to) \(model?.versionChecksum == stage.nextModel.versionChecksum)")
        }
        return stage
    }

    // @unchecked Sendable is not needed: handlers run on the thread of the test.
    final class CallLog {
        private(set) var calls: [String] = []
        func note(_ call: String) { calls.append(call) }
    }

    struct Failure: Error {}

    static var automatic: [AnyHashable: Any] {
        [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
    }

    static func options(_ stages: [NSMigrationStage]) -> [AnyHashable: Any] {
        var options = automatic
        options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager(stages)
        return options
    }

    /// A store of a version with two memos.
    static func makeStore(_ number: Int, in folder: TemporaryFolder) throws -> URL {
        let stack = try TestStack(model: version(number), folder: folder)
        try stack.inContext { context in
            for string in ["one two", "three"] {
                let memo = NSEntityDescription.insertNewObject(forEntityName: "Memo", into: context)
                memo.setValue(string, forKey: number <= 3 ? "text" : "title")
            }
            try context.save()
        }
        try stack.coordinator.remove(try #require(stack.coordinator.persistentStores.first))
        return stack.url
    }

    /// Opens a store, which migrates it, and closes it.
    static func open(_ url: URL, as number: Int, _ stages: [NSMigrationStage]) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: version(number))
        let store = try coordinator.addPersistentStore(
            ofType: TestStack.type(of: url), configurationName: nil, at: url, options: options(stages))
        try coordinator.remove(store)
    }

    static func versionOfStore(_ url: URL) throws -> Int? {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: TestStack.type(of: url), at: url)
        let checksum = metadata[NSPersistentStoreModelVersionChecksumKey] as? String
        return (1...5).first { version($0).versionChecksum == checksum }
    }

    static func texts(_ url: URL) throws -> String {
        try SQLiteShell.run(
            "SELECT group_concat(ZTEXT, '|') FROM (SELECT ZTEXT FROM ZMEMO ORDER BY Z_PK) AS t", on: url
        )
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // Behaviour 10.7
    @Test func customStagesRunBetweenLightweightOnes() throws {
        let folder = try TemporaryFolder()
        let url = try Self.makeStore(1, in: folder)
        let log = CallLog()
        try Self.open(url, as: 4, [Self.lightweight(1), Self.custom(2, 3, log), Self.lightweight(4)])
        #expect(log.calls == ["will 2-3 true", "did 2-3 true"])
        #expect(try Self.versionOfStore(url) == 4)
        #expect(try SQLiteShell.run("SELECT count(*) FROM ZMEMO", on: url).hasPrefix("2"))
    }

    @Test(arguments: [
        (1, 4, ["will 1-2 true", "did 1-2 true", "will 2-3 true", "did 2-3 true"]),
        (2, 4, ["will 2-3 true", "did 2-3 true"]), (3, 4, []), (4, 4, []), (1, 2, ["will 1-2 true", "did 1-2 true"]),
    ])
    func aStoreGoesThroughTheStagesThatItHasBeforeItAlone(_ from: Int, _ to: Int, _ calls: [String]) throws {
        let folder = try TemporaryFolder()
        let url = try Self.makeStore(from, in: folder)
        let log = CallLog()
        try Self.open(url, as: to, [Self.custom(1, 2, log), Self.custom(2, 3, log), Self.lightweight(3, 4)])
        #expect(log.calls == calls)
        #expect(try Self.versionOfStore(url) == to)
    }

    @Test func handlersChangeTheStoreBeforeAndAfter() throws {
        let folder = try TemporaryFolder()
        let url = try Self.makeStore(1, in: folder)
        let log = CallLog()
        let stage = Self.custom(2, 3, log)
        stage.willMigrateHandler = { manager, _ in
            let context = try #require(manager.container).newBackgroundContext()
            try context.performAndWait {
                for memo in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Memo")) {
                    memo.setValue((memo.value(forKey: "text") as? String)?.uppercased(), forKey: "title")
                }
                try context.save()
            }
        }
        stage.didMigrateHandler = { manager, _ in
            let context = try #require(manager.container).newBackgroundContext()
            try context.performAndWait {
                for memo in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Memo")) {
                    for string in (memo.value(forKey: "text") as? String ?? "").split(separator: " ") {
                        let word = NSEntityDescription.insertNewObject(forEntityName: "Word", into: context)
                        word.setValue(String(string), forKey: "text")
                        word.setValue(memo, forKey: "memo")
                    }
                }
                try context.save()
            }
        }
        try Self.open(url, as: 4, [Self.lightweight(1), stage])
        let words = try SQLiteShell.run(
            "SELECT ZTITLE, (SELECT count(*) FROM ZWORD WHERE ZMEMO = ZMEMO.Z_PK) FROM ZMEMO ORDER BY ZTITLE", on: url)
        #expect(words.split(separator: "\n") == ["ONE TWO|2", "THREE|1"])
    }

    @Test func theContainerIsThereForHandlersAlone() throws {
        let folder = try TemporaryFolder()
        let url = try Self.makeStore(1, in: folder)
        let manager = NSStagedMigrationManager([Self.custom(1, 2, CallLog())])
        #expect(manager.container == nil)
        var options = Self.automatic
        options[NSPersistentStoreStagedMigrationManagerOptionKey] = manager
        var stores: [URL?] = []
        (manager.stages[0] as? NSCustomMigrationStage)?.willMigrateHandler = { manager, _ in
            stores = manager.container?.persistentStoreCoordinator.persistentStores.map(\.url) ?? []
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.version(2))
        try coordinator.addPersistentStore(
            ofType: TestStack.type(of: url), configurationName: nil, at: url, options: options)
        #expect(stores.map { $0?.lastPathComponent } == [url.lastPathComponent])
        #expect(manager.container == nil)
    }

    // MARK: Errors

    static func expectError(
        _ code: Int, says part: String, _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) {
        let error = #expect(throws: CocoaError.self, sourceLocation: location) { try body() }
        #expect(error?.code.rawValue == code, sourceLocation: location)
        let sentence = error?.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
        #expect(sentence.contains(part), "\(sentence)", sourceLocation: location)
    }

    @Test func aVersionThatNoStageKnowsIsAnError() throws {
        let folder = try TemporaryFolder()
        let url = try Self.makeStore(1, in: folder)
        let before = try url.isFileURL ? Data(contentsOf: url) : Data()
        Self.expectError(NSManagedObjectModelReferenceNotFoundError, says: "unknown model version") {
            try Self.open(url, as: 4, [Self.custom(2, 3, CallLog()), Self.lightweight(4)])
        }
        #expect(try Self.versionOfStore(url) == 1)
        #expect(try !url.isFileURL || Data(contentsOf: url) == before)
    }

    @Test func aStoreIsNotMigratedBackwards() throws {
        let folder = try TemporaryFolder()
        let url = try Self.makeStore(3, in: folder)
        Self.expectError(NSStagedMigrationBackwardMigrationError, says: "backwards") {
            try Self.open(url, as: 2, [Self.lightweight(1), Self.custom(2, 3, CallLog())])
        }
        #expect(try Self.versionOfStore(url) == 3)
    }

    @Test func aStepThatCannotBeInferredNeedsAStage() throws {
        let folder = try TemporaryFolder()
        let url = try Self.makeStore(1, in: folder)
        Self.expectError(NSMigrationMissingMappingModelError, says: "Memo.text") {
            try Self.open(url, as: 5, [Self.lightweight(1, 5)])
        }
        #expect(try Self.versionOfStore(url) == 1)
        let log = CallLog()
        try Self.open(url, as: 5, [Self.lightweight(1), Self.custom(3, 4, log), Self.lightweight(5)])
        #expect(try Self.versionOfStore(url) == 5)
        #expect(log.calls.count == 2)
    }

    @Test func aManagerNeedsTheOptionsOfAutomaticMigration() throws {
        let folder = try TemporaryFolder()
        let url = try Self.makeStore(1, in: folder)
        let manager = NSStagedMigrationManager([Self.lightweight(1)])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.version(2))
        Self.expectError(NSMigrationError, says: "NSInferMappingModelAutomaticallyOption") {
            try coordinator.addPersistentStore(
                ofType: TestStack.type(of: url), configurationName: nil, at: url,
                options: [
                    NSPersistentStoreStagedMigrationManagerOptionKey: manager,
                    NSMigratePersistentStoresAutomaticallyOption: true,
                ])
        }
        #expect(try Self.versionOfStore(url) == 1)
    }

    @Test func aVersionInTwoPlacesIsAnError() throws {
        let folder = try TemporaryFolder()
        let url = try Self.makeStore(1, in: folder)
        Self.expectError(NSMigrationError, says: "Duplicate version checksums") {
            try Self.open(url, as: 4, [Self.lightweight(1, 2, 3), Self.lightweight(2)])
        }
        Self.expectError(NSMigrationError, says: "Duplicate version checksums") {
            try Self.open(url, as: 4, [Self.custom(1, 2, CallLog()), Self.custom(1, 3, CallLog())])
        }
    }

    @Test func aModelThatIsNotThereIsAnError() throws {
        let folder = try TemporaryFolder()
        let url = try Self.makeStore(1, in: folder)
        let missing = NSManagedObjectModelReference(
            fileURL: folder.file("Missing.mom"), versionChecksum: Self.version(2).versionChecksum)
        let stage = NSCustomMigrationStage(migratingFrom: Self.reference(1), to: missing)
        Self.expectError(NSManagedObjectModelReferenceNotFoundError, says: "Missing.mom") {
            try Self.open(url, as: 2, [stage])
        }
        #expect(try Self.versionOfStore(url) == 1)
    }

    // MARK: Going on

    @Test func anErrorBeforeAStepLeavesTheStoreAtTheLastStage() throws {
        let folder = try TemporaryFolder()
        let url = try Self.makeStore(1, in: folder)
        let log = CallLog()
        let failing = Self.custom(2, 3, log)
        failing.willMigrateHandler = { _, _ in throw Failure() }
        #expect(throws: Failure.self) { try Self.open(url, as: 4, [Self.custom(1, 2, log), failing]) }
        #expect(try Self.versionOfStore(url) == 2)
        #expect(try Self.texts(url) == "one two|three")
        #expect(log.calls == ["will 1-2 true", "did 1-2 true"])
        try Self.open(url, as: 4, [Self.custom(1, 2, log), Self.custom(2, 3, log)])
        #expect(try Self.versionOfStore(url) == 4)
        #expect(log.calls.dropFirst(2) == ["will 2-3 true", "did 2-3 true"])
    }

    @Test func aSecondHandlerThatFailedIsCalledAgain() throws {
        let folder = try TemporaryFolder()
        let url = try Self.makeStore(2, in: folder)
        let log = CallLog()
        let failing = Self.custom(2, 3, log)
        failing.didMigrateHandler = { _, _ in throw Failure() }
        #expect(throws: Failure.self) { try Self.open(url, as: 3, [failing]) }
        #expect(try Self.versionOfStore(url) == 3)
        #expect(log.calls == ["will 2-3 true"])
        let unfinished = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: TestStack.type(of: url), at: url)
        #expect(unfinished["OpenCoreDataUnfinishedMigrationStage"] != nil)
        // The store has the version that it shall have already.
        try Self.open(url, as: 3, [Self.custom(2, 3, log)])
        #expect(log.calls == ["will 2-3 true", "did 2-3 true"])
        try Self.open(url, as: 3, [Self.custom(2, 3, log)])
        #expect(log.calls.count == 2)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: TestStack.type(of: url), at: url)
        #expect(metadata.keys.filter { $0.hasPrefix("OpenCoreData") }.isEmpty)
    }

    /// The process dies in the second handler of the first stage; the next process goes on with that handler, and then
    /// with the second stage.
    @Test func aKilledMigrationGoesOnWithTheNextOpening() async throws {
        let folder = try TemporaryFolder()
        let url = try Self.makeStore(1, in: folder)
        let address = url.absoluteString
        await #expect(processExitsWith: .exitCode(77)) { [address = address as String] in
            let log = CallLog()
            let dying = StagedMigrationTests.custom(1, 2, log)
            dying.didMigrateHandler = { _, _ in _exit(77) }
            try StagedMigrationTests.open(
                try #require(URL(string: address)), as: 4, [dying, StagedMigrationTests.custom(2, 3, log)])
        }
        #expect(try Self.versionOfStore(url) == 2)
        let log = CallLog()
        try Self.open(url, as: 4, [Self.custom(1, 2, log), Self.custom(2, 3, log)])
        #expect(log.calls == ["did 1-2 true", "will 2-3 true", "did 2-3 true"])
        #expect(try Self.versionOfStore(url) == 4)
        if url.isFileURL { #expect(try SQLiteShell.run("PRAGMA integrity_check", on: url).hasPrefix("ok")) }
        #expect(try SQLiteShell.run("SELECT count(*) FROM ZMEMO", on: url).hasPrefix("2"))
    }

    // MARK: Deferred migration

    @Test func deferredMigrationIsDoneAtOnceAndLeavesNothingToFinish() throws {
        let folder = try TemporaryFolder()
        let url = try Self.makeStore(3, in: folder)
        var options = Self.automatic
        options[NSPersistentStoreDeferredLightweightMigrationOptionKey] = true
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.version(4))
        try coordinator.addPersistentStore(
            ofType: TestStack.type(of: url), configurationName: nil, at: url, options: options)
        #expect(throws: SQLiteShell.Failure.self) { try SQLiteShell.run("SELECT ZTEXT FROM ZMEMO", on: url) }
        try coordinator.finishDeferredLightweightMigrationTask()
        try coordinator.finishDeferredLightweightMigration()
        #expect(try Self.versionOfStore(url) == 4)
    }
}
