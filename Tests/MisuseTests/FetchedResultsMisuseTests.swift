import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Mistakes in the use of a fetched results controller.
@Suite(.serialized) struct FetchedResultsMisuseTests {
    @Test func anIndexPathWithoutResultStops() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack(type: NSInMemoryStoreType)
            try stack.inContext { context in
                let request = NSFetchRequest<Book>(entityName: "Book")
                request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                let controller = NSFetchedResultsController(
                    fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
                try controller.performFetch()
                _ = controller.object(at: IndexPath(row: 0, section: 0))
            }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("no object at index path [0, 0]"))
    }
}
