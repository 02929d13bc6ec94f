#if Inspector
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataInspector

/// The first messages of a stream of changes.
struct FeedStartTests {
    private let folder = try! TemporaryFolder()

    @Test(.timeLimit(.minutes(2)), arguments: ["history", "no history", "memory", "another program"])
    func `a save right after the stream began is reported`(kind: String) async throws {
        let url = folder.file("Library.sqlite")
        let coordinator: NSPersistentStoreCoordinator
        if kind == "memory" {
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: InspectedLibrary.model())
            _ = try coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        } else {
            coordinator = try InspectedLibrary.open(url, history: kind != "no history")
        }
        let writer = kind == "another program" ? try InspectedLibrary.open(url) : coordinator
        let context = InspectedLibrary.context(writer, author: "test")
        let feed = OpenCoreDataInspector.ChangeFeed(
            InspectedStore(currentCoordinator: { coordinator }, modelOrigin: "the test", isWritable: false))
        let messages = try await feed.messages(then: {
            try context.performAndWait {
                InspectedLibrary.insert("Tag", ["word": "new"], context)
                try context.save()
            }
        })
        var first: Data?
        for await message in messages {
            first = message
            break
        }
        #expect(first != nil)
    }
}

extension OpenCoreDataInspector.ChangeFeed {
    /// A stream, and a save before the feed can look at the store for the first time: nothing else runs on an actor in
    /// between.
    fileprivate func messages(then save: @Sendable () throws -> Void) throws -> AsyncStream<Data> {
        let stream = messages()
        try save()
        return stream
    }
}
#endif
