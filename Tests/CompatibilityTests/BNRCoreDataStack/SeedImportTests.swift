import CoreDataStack
import TestSupport
import Testing

/// The library under its other name. This file has no other import of it.
@Suite struct SeedImportTests {
    // Feature BNR-1, BNR-4
    @Test func theLibraryCanBeImportedByItsOtherName() async throws {
        let folder = try TemporaryFolder()
        let models = try ModelFolder("TestModel", in: folder.url)
        let bundle = try #require(Bundle(url: models.url))
        let file = folder.file("Library.sqlite")
        let made = await withCheckedContinuation { (done: CheckedContinuation<CoreDataStack?, Never>) in
            CoreDataStack.constructSQLiteStack(withModelName: "TestModel", inBundle: bundle, withStoreURL: file) {
                result in
                switch result {
                case .success(let stack): done.resume(returning: stack)
                case .failure: done.resume(returning: nil)
                }
            }
        }
        let stack = try #require(made)
        let worker: NSManagedObjectContext = stack.newBackgroundWorkerMOC()
        try await worker.perform {
            Book(managedObjectContext: worker).title = "Solaris"
            try worker.saveContextToStoreAndWait()
        }
        #expect(try SQLiteShell.run("SELECT ZTITLE FROM ZBOOK", on: file) == "Solaris")
        let inMemory: CoreDataStack = try CoreDataStack.constructInMemoryStack(
            withModelName: "TestModel", inBundle: bundle)
        #expect(inMemory.mainQueueContext.parent === inMemory.privateQueueContext)
    }
}
