import OpenCoreData
import Synchronization
import TestSupport
import Testing

/// Several stores of a container, added in the background, each with its own outcome.
@Suite struct SeveralStoresLoadingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func description(_ type: String, _ name: String) -> NSPersistentStoreDescription {
        let description = NSPersistentStoreDescription(url: folder.file(name))
        description.type = type
        description.shouldAddStoreAsynchronously = true
        return description
    }

    @Test func eachStoreIsReportedOnceWithItsOwnError() async throws {
        try Data("no store".utf8).write(to: folder.file("broken.xml"))
        try Data("no store".utf8).write(to: folder.file("broken.sqlite"))
        let container = NSPersistentContainer(name: "Several", managedObjectModel: LibraryModel.make())
        container.persistentStoreDescriptions = [
            description(NSSQLiteStoreType, "a.sqlite"), description(NSXMLStoreType, "b.xml"),
            description(NSBinaryStoreType, "c.binary"), description(NSXMLStoreType, "broken.xml"),
            description(NSSQLiteStoreType, "broken.sqlite"), description("NoSuchType", "d"),
        ]
        let reports = Mutex<[String: String]>([:])
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            container.loadPersistentStores { description, error in
                let name = description.url?.lastPathComponent ?? ""
                let count = reports.withLock { reports in
                    reports[name, default: ""] += error.map { "error \(($0 as NSError).code)" } ?? "added"
                    return reports.count
                }
                if count == 6 { continuation.resume() }
            }
        }
        let found = reports.withLock { $0 }
        #expect(found["a.sqlite"] == "added" && found["b.xml"] == "added" && found["c.binary"] == "added")
        #expect(found["broken.xml"] == "error \(NSFileReadCorruptFileError)")
        #expect(found["broken.sqlite"]?.hasPrefix("error ") == true)
        #expect(found["d"] == "error \(NSPersistentStoreInvalidTypeError)")
        #expect(container.persistentStoreCoordinator.persistentStores.count == 3)
    }

    @Test func manyStoresAddedAtOnceAreAllThere() async throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let added = Mutex(0)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            for index in 0..<12 {
                let type = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType][index % 3]
                coordinator.addPersistentStore(with: description(type, "store-\(index)")) { _, error in
                    #expect(error == nil)
                    let count = added.withLock { count in
                        count += 1
                        return count
                    }
                    if count == 12 { continuation.resume() }
                }
            }
        }
        #expect(coordinator.persistentStores.count == 12)
        #expect(Set(coordinator.persistentStores.compactMap(\.url)).count == 12)
    }
}
