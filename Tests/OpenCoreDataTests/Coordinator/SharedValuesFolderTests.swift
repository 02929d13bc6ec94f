import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Stores whose names differ in the extension alone, and so have one folder for their large values.
@Suite struct SharedValuesFolderTests {
    private let folder: TemporaryFolder
    private let one: ItemStore
    private let other: ItemStore

    init() throws {
        folder = try TemporaryFolder()
        one = try ItemStore(folder.file("Data.sqlite"))
        other = try ItemStore(folder.file("Data.db"))
        try one.add(1, 2)
        try other.add(3, 4, 5)
        try other.replace(with: 6)
        #expect(one.files.count == 8)
    }

    private var support: URL { folder.file(".Data_SUPPORT") }

    private func expectOneIsWhole() throws {
        #expect(try one.bytes() == [1, 2])
        try one.close()
        #expect(try ItemStore(one.url).bytes() == [1, 2])
    }

    @Test(arguments: [false, true]) func destroyingOneLeavesTheValuesOfTheOther(isForced: Bool) throws {
        let options: [AnyHashable: Any]? = isForced ? [NSPersistentStoreForceDestroyOption: true] : nil
        try other.coordinator.destroyPersistentStore(at: other.url, type: .sqlite, options: options)
        #expect(one.files.count == 2)
        try expectOneIsWhole()
        try one.coordinator.destroyPersistentStore(at: one.url, type: .sqlite, options: options)
        #expect(!FileManager.default.fileExists(atPath: support.path))
    }

    @Test func destroyingADamagedOneLeavesTheValuesOfTheOther() throws {
        try other.close()
        try Data(repeating: 7, count: 8_192).write(to: other.url)
        try other.coordinator.destroyPersistentStore(
            at: other.url, type: .sqlite, options: [NSPersistentStoreForceDestroyOption: true])
        try expectOneIsWhole()
    }

    @Test func replacingOneLeavesTheValuesOfTheOther() throws {
        let source = try ItemStore(folder.file("New.sqlite"))
        try source.add(9)
        try other.coordinator.replacePersistentStore(
            at: other.url, withPersistentStoreFrom: source.url, type: .sqlite)
        #expect(one.files.count == 3)
        #expect(try ItemStore(other.url).bytes() == [9])
        try expectOneIsWhole()
    }

    @Test func aCopyOfOneHasItsOwnValuesOnly() throws {
        let copy = folder.file("Copy.sqlite")
        try one.coordinator.replacePersistentStore(at: copy, withPersistentStoreFrom: one.url, type: .sqlite)
        let store = try ItemStore(copy)
        #expect(store.files.count == 2)
        #expect(try store.bytes() == [1, 2])
    }

    @Test func migratingOneWithObjectsLeavesTheValuesOfTheOther() throws {
        try other.close()
        let new = StoreReplacementTests.model()
        new.entitiesByName["Item"]?.properties.append(LibraryModel.attribute("size", .integer64AttributeType))
        let old = StoreReplacementTests.model()
        let migration = StoreMigration(
            url: other.url, type: NSSQLiteStoreType, metadata: try StoreFile.metadata(at: other.url), sourceModel: old,
            destinationModel: new, configuration: nil, options: nil)
        try migration.run(
            with: NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new), direct: false)
        #expect(one.files.count == 5)
        try expectOneIsWhole()
    }

    @Test func whatOneDroppedGoesAndWhatTheOtherHasStays() throws {
        try other.close()
        #expect(one.files.count == 5)
        #expect(try ItemStore(other.url).bytes() == [6, 6, 6])
        try expectOneIsWhole()
    }
}
