import Sticky
import TestSupport
import Testing

/// The models of containers.
@Suite struct ModelTests {
    private func errorOfStart(_ container: PersistentContainer) throws -> PersistentContainer.Error {
        try #require(#expect(throws: PersistentContainer.Error.self) { try container.start() })
    }

    // Feature STICKY-1
    @Test func theModelOfTheNameIsFoundAndTheStoreMadeByTheStart() throws {
        let name = "Sticky-\(UUID().uuidString)"
        let models = try ModelFolder([name: BookModel.make()])
        let container = PersistentContainer(name: name)
        let file = NSPersistentContainer.defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
        #expect(!FileManager.default.fileExists(atPath: file.path))
        let provider = try container.start()
        #expect(FileManager.default.fileExists(atPath: file.path))
        try provider.add("Momo")
        #expect(try provider.titles == ["Momo"])
        #expect(throws: PersistentContainer.Error.self) { try container.deleteSQLiteStores() }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        withExtendedLifetime(models) {}
    }

    // Feature STICKY-1, STICKY-25
    @Test(arguments: ["Sticky-there-is-no-such-model", ""]) func aMissingModelIsToldByTheStart(_ name: String) throws {
        let container = PersistentContainer(name: name)
        guard case .reset = container.state else {
            Issue.record("The state is \(container.state).")
            return
        }
        let error = try errorOfStart(container)
        guard case .modelNotFound(name, DatabaseError.modelNotFound(_, let searched, _, nil)) = error else {
            Issue.record("It was \(error).")
            return
        }
        #expect(searched.contains { $0.path == FileManager.default.currentDirectoryPath })
        let string = error.localizedDescription
        #expect(string.contains("'\(name)'") && string.contains(FileManager.default.currentDirectoryPath))
        guard case .failedToLoad = container.state else {
            Issue.record("The state is \(container.state).")
            return
        }
    }

    // Feature STICKY-1
    @Test func aMissingModelIsToldInTheBackgroundToo() async throws {
        await #expect {
            try await PersistentContainer(name: "Sticky-there-is-no-such-model").start()
        } throws: { error in
            if case PersistentContainer.Error.modelNotFound = error { true } else { false }
        }
    }

    // Feature STICKY-1
    @Test func aDamagedModelIsToldByTheStart() throws {
        let name = "Sticky-\(UUID().uuidString)"
        let models = try ModelFolder([:])
        try Data("no model".utf8).write(to: models.url.appendingPathComponent("\(name).mom"))
        let error = try errorOfStart(PersistentContainer(name: name))
        #expect(error.localizedDescription.contains("\(name).mom"))
    }

    // Feature STICKY-2
    @Test func aGivenModelWins() throws {
        let container = PersistentContainer(
            name: "Sticky-there-is-no-such-model", managedObjectModel: BookModel.make(), inMemory: true)
        let provider = try container.start()
        try provider.add("Momo")
        #expect(try provider.titles == ["Momo"])
    }

    // Feature STICKY-2
    @Test(arguments: [false, true]) func theModelsOfBundlesAreMerged(isNested: Bool) throws {
        let folder = try TemporaryFolder()
        let books = try ModelFolder(["Books": BookModel.make()], in: folder.url, isNested: isNested)
        let others = try ModelFolder(
            [
                "Notes": BookModel.make(className: "NSManagedObject", entities: ["Note"]),
                "Again": BookModel.make(),
            ], in: folder.url, isNested: isNested)
        let container = PersistentContainer(
            name: "Sticky-there-is-no-such-model",
            managedObjectModel: .mergedModel(from: [try books.bundle, try others.bundle]), inMemory: true)
        let provider = try container.start()
        let model = try #require(provider.viewContext.persistentStoreCoordinator?.managedObjectModel)
        #expect(model.entities.compactMap(\.name).sorted() == ["Book", "Note"])
        try provider.add("Momo")
        #expect(try provider.titles == ["Momo"])
    }

    // Feature STICKY-2
    @Test func differentEntitiesOfOneNameAreNamed() throws {
        let folder = try TemporaryFolder()
        let models = try ModelFolder(
            ["Old": BookModel.make(), "New": BookModel.make(extra: "isbn")], in: folder.url)
        let model = try #require(NSManagedObjectModel.mergedModel(from: [try models.bundle]))
        let error = try errorOfStart(PersistentContainer(name: "Books", managedObjectModel: model, inMemory: true))
        let string = error.localizedDescription
        #expect(string.contains("'Book'") && string.contains("Old.mom") && string.contains("New.mom"))
    }

    // Feature STICKY-2
    @Test func aDamagedModelAmongThoseToMergeIsNamed() throws {
        let folder = try TemporaryFolder()
        let models = try ModelFolder(["Books": BookModel.make()], in: folder.url)
        try Data("no model".utf8).write(to: models.url.appendingPathComponent("Broken.mom"))
        let container = PersistentContainer(
            name: "Books", managedObjectModel: .mergedModel(from: [try models.bundle]), inMemory: true)
        #expect(try errorOfStart(container).localizedDescription.contains("Broken.mom"))
    }

    // Feature STICKY-2
    @Test func withoutModelsToMergeTheNameDecides() throws {
        let folder = try TemporaryFolder()
        let empty = try ModelFolder([:], in: folder.url)
        #expect(NSManagedObjectModel.mergedModel(from: [try empty.bundle]) == nil)
        let container = PersistentContainer(
            name: "Sticky-there-is-no-such-model", managedObjectModel: .mergedModel(from: [try empty.bundle]))
        #expect(try errorOfStart(container).localizedDescription.contains("Sticky-there-is-no-such-model"))
    }
}
