import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A store whose model can't be read because its file can't.
@Suite struct UnreadableSourceTests {
    @Test func aFailedReadIsNotTakenForAMissingModel() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Items.sqlite")
        // Small pages, so that the model is not on one of them.
        let store = try ItemStore(url, options: [NSSQLitePragmasOption: ["page_size": "512"]])
        try store.close()
        let page = try #require(
            Int(
                try SQLiteShell.run(
                    "SELECT min(pageno) FROM dbstat WHERE name = 'Z_MODELCACHE' AND pagetype = 'overflow'", on: url)))
        let handle = try FileHandle(forWritingTo: url)
        try handle.seek(toOffset: UInt64(page - 1) * 512)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 4))
        try handle.close()
        let model = StoreReplacementTests.model()
        model.entitiesByName["Item"]?.properties.append(LibraryModel.attribute("size", .integer64AttributeType))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let error = #expect(throws: CocoaError.self) {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url,
                options: [
                    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                ])
        }
        #expect(error?.code == .fileReadCorruptFile)
        #expect(error?.localizedDescription.contains("Items.sqlite") == true)
        #expect(error?.localizedDescription.contains("model that it was made with") == false)
    }
}
