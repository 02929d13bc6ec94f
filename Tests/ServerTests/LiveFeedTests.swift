#if Server
import Foundation
import HTTPTypes
import Hummingbird
import OpenCoreDataKit
import Synchronization
import TestSupport
import Testing

@testable import OpenCoreDataServer

private struct VolumeView: Codable, Sendable, Equatable {
    var title: String
    init(_ object: NSManagedObject) { title = object.value(forKey: "title") as? String ?? "" }
}

@MainActor private func feed(_ database: Database) throws -> LiveFeed<VolumeView> {
    try LiveFeed(ServerShelf.volumes, in: database) { VolumeView($0) }
}

private func titles(_ data: Data) throws -> [String] {
    try JSONDecoder().decode([VolumeView].self, from: data).map(\.title)
}

@Suite struct LiveFeedTests {
    @Test(.timeLimit(.minutes(5))) func readersGetTheListAndThenEachChange() async throws {
        let shelf = try await ServerShelf()
        try await shelf.add("Solaris")
        let feed = try await feed(shelf.database)
        var first = await feed.documents.makeAsyncIterator()
        var second = await feed.documents.makeAsyncIterator()
        #expect(try await first.next().map(titles) == ["Solaris"])
        #expect(try await second.next().map(titles) == ["Solaris"])
        try await shelf.add("Eden")
        #expect(try await first.next().map(titles) == ["Eden", "Solaris"])
        #expect(try await second.next().map(titles) == ["Eden", "Solaris"])
    }

    /// The feed begins to follow when the main actor has time; until then only the query was fetched.
    @Test(.timeLimit(.minutes(5))) @MainActor func aChangeBeforeTheFeedBeginsToFollowIsSent() async throws {
        let shelf = try await ServerShelf()
        let feed = try feed(shelf.database)
        let main = shelf.database.main
        NSEntityDescription.insertNewObject(forEntityName: "Volume", into: main).setValue("Eden", forKey: "title")
        try main.save()
        var documents = feed.documents.makeAsyncIterator()
        while let list = try await documents.next().map(titles) {
            if list == ["Eden"] { break }
            #expect(list == [])
        }
    }

    @Test(.timeLimit(.minutes(5))) func readersFollowWhatAnotherDatabaseOnTheFileSaves() async throws {
        let shelf = try await ServerShelf(watched: true)
        let feed = try await feed(shelf.database)
        var documents = await feed.documents.makeAsyncIterator()
        #expect(try await documents.next().map(titles) == [])
        let other = try await Database.open(ServerShelf.configuration(shelf.folder.url, watched: true))
        try await other.write {
            try $0.create(NSManagedObject.self, entity: "Volume").setValue("Fiasco", forKey: "title")
        }
        #expect(try await documents.next().map(titles) == ["Fiasco"])
        try await other.close()
    }

    @Test(.timeLimit(.minutes(5))) func eventsAreWrittenAsServerSentEvents() async throws {
        let shelf = try await ServerShelf()
        try await shelf.add("Line\nbreak")
        let feed = try await feed(shelf.database)
        let writer = TextWriter { $0.contains("Eden") }
        let response = feed.response()
        #expect(response.headers[.contentType]?.hasPrefix("text/event-stream") == true)
        let sending = Task { try await response.body.write(writer) }
        try await shelf.add("Eden")
        await #expect(throws: TextWriter.Enough.self) { try await sending.value }
        let string = writer.text.withLock { $0 }
        #expect(string.contains("event: list\ndata: [{\"title\":\"Eden\"},{\"title\":\"Line\\nbreak\"}]\n\n"))
    }

    @Test func datesHaveTheFormOfTheOtherRoutes() throws {
        let date = Date(timeIntervalSinceReferenceDate: 294_364_800)
        #expect(
            try String(decoding: EventStream.encoder.encode([date]), as: UTF8.self) == "[\"2010-05-01T00:00:00Z\"]")
    }

    @Test(.timeLimit(.minutes(5))) func documentsEndWithTheFeed() async throws {
        let shelf = try await ServerShelf()
        var feed: LiveFeed<VolumeView>? = try await feed(shelf.database)
        let documents = await feed!.documents
        feed = nil
        var count = 0
        for await _ in documents { count += 1 }
        #expect(count <= 1)
    }
}
#endif
