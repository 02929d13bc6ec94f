import Foundation
import OpenCoreData
import StoreTools
import TestSupport
import Testing

/// Objects of a request, piece by piece.
struct ObjectStreamTests {
    @Test func aStreamReadsTheStoresThatItsRequestNames() throws {
        let folder = try TemporaryFolder()
        let url = try LibraryStore.make(in: folder)
        let session = try StoreSession(path: url.path, modelPath: nil, access: .reading)
        let other = try session.coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        try session.perform { context in
            func count(_ stores: [NSPersistentStore]?) throws -> Int {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
                request.affectedStores = stores
                var count = 0
                try ObjectStream(request).forEach(in: context) { _ in count += 1 }
                return count
            }
            let (all, own, others) = (try count(nil), try count([session.store]), try count([other]))
            #expect(all > 0)
            #expect(own == all)
            #expect(others == 0)
        }
    }
}
