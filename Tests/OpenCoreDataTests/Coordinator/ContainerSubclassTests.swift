import OpenCoreData
import TestSupport
import Testing

/// Containers of an application's own class.
@Suite struct ContainerSubclassTests {
    /// A container that notes what it loads.
    // @unchecked Sendable as the class above: what is added is Sendable.
    private final class NotingContainer: NSPersistentContainer, @unchecked Sendable {
        let loaded = Noted<String>()

        override func loadPersistentStores(
            completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
        ) {
            super.loadPersistentStores { [loaded] description, error in
                loaded.note(description.type)
                block(description, error)
            }
        }
    }

    @Test func aSubclassIsMadeAsTheClassIs() {
        let container = NotingContainer(name: "Library", managedObjectModel: LibraryModel.make())
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in #expect(error == nil) }
        #expect(container.loaded.all == [NSInMemoryStoreType])
        #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
    }

    @Test func aModelThatIsMissingIsReportedByASubclassToo() throws {
        let container = NotingContainer(name: "There is no such model")
        let errors = Noted<any Error>()
        container.loadPersistentStores { _, error in error.map { errors.note($0) } }
        #expect(try #require(errors.all.first).localizedDescription.contains("There is no such model"))
        #expect(container.loaded.count == 1)
    }
}
