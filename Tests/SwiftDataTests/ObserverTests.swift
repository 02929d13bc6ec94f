#if Macros
import Foundation
import Observation
import SwiftData
import TestSupport
import Testing

/// Fetches that follow the saves of all contexts.
@MainActor
struct ObserverTests {
    private let folder: TemporaryFolder
    private let container: ModelContainer
    private var order: FetchDescriptor<Trip> { FetchDescriptor(sortBy: [SortDescriptor(\.name)]) }

    init() throws {
        folder = try TemporaryFolder()
        container = try ModelContainer(
            for: Trip.self, configurations: ModelConfiguration(url: folder.file("trips.store")))
    }

    private func insert(_ names: String..., days: Int = 3) throws {
        let context = ModelContext(container)
        for name in names {
            let trip = Trip(name: name)
            trip.days = days
            context.insert(trip)
        }
        try context.save()
    }

    @Test func elementsFollowSavesOfEveryContext() async throws {
        let observer = ResultsObserver(fetchDescriptor: order, modelContext: container.mainContext)
        #expect(observer.elements.isEmpty)
        try insert("Rome", "Bonn")
        #expect(observer.elements.map(\.name) == ["Bonn", "Rome"])
        container.mainContext.insert(Trip(name: "Oslo"))
        try container.mainContext.save()
        #expect(observer.elements.map(\.name) == ["Bonn", "Oslo", "Rome"])
        observer.fetchDescriptor.predicate = #Predicate { $0.name != "Bonn" }
        #expect(observer.elements.map(\.name) == ["Oslo", "Rome"])
        #expect(observer.fetchError == nil)
    }

    @Test func sectionsAreRunsOfOneTitle() throws {
        try insert("Bonn", "Oslo", days: 2)
        try insert("Rome", days: 5)
        let observer = ResultsObserver(
            fetchDescriptor: FetchDescriptor(sortBy: [SortDescriptor(\Trip.days), SortDescriptor(\Trip.name)]),
            sectionBy: \.days, modelContainer: container)
        #expect(observer.sections.map(\.title) == [2, 5])
        #expect(observer.sections.map { $0.elements.map(\.name) } == [["Bonn", "Oslo"], ["Rome"]])
    }

    @Test func readersAndUpdatesAreNotifiedOfChanges() async throws {
        let observer = ResultsObserver(fetchDescriptor: order, modelContext: container.mainContext)
        nonisolated(unsafe) var count = 0
        withObservationTracking {
            _ = observer.elements
        } onChange: {
            count += 1
        }
        var updates = observer.updates.makeAsyncIterator()
        #expect(await updates.next()?.isEmpty == true)
        try await Task.detached { [container] in
            let context = ModelContext(container)
            context.insert(Trip(name: "Rome"))
            try context.save()
        }.value
        let identifiers = await updates.next()
        #expect(identifiers?.count == 1)
        #expect(count == 1)
        #expect(identifiers == observer.elements.map(\.persistentModelID))
    }

    @Test func aHistoryObserverCountsWhatIsOfInterest() throws {
        try insert("Rome")
        let all = try HistoryObserver(modelContainer: container)
        let stops = try HistoryObserver(observedModels: [Stop.self], modelContainer: container)
        let authors = try HistoryObserver(authors: ["widget"], modelContainer: container)
        func counts() -> [Int] { [all.eventCounter, stops.eventCounter, authors.eventCounter] }
        #expect(counts() == [0, 0, 0])
        nonisolated(unsafe) var heard = false
        withObservationTracking {
            _ = all.eventCounter
        } onChange: {
            heard = true
        }
        try insert("Oslo")
        #expect(heard)
        let context = ModelContext(container)
        context.author = "widget"
        context.insert(Stop(title: "Forum"))
        try context.save()
        #expect(counts() == [2, 1, 1])
    }
}
#endif
