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

    @Test func elementsFollowWhatIsNotSavedYet() throws {
        try insert("Bonn", "Rome")
        let context = ModelContext(container)
        let observer = ResultsObserver(fetchDescriptor: order, modelContext: context)
        let rome = try #require(observer.elements.last)
        nonisolated(unsafe) var count = 0
        func track() {
            withObservationTracking {
                _ = observer.elements
            } onChange: {
                count += 1
            }
        }
        func names() -> [String] { observer.elements.map(\.name) }
        track()
        context.insert(Trip(name: "Oslo"))
        context.processPendingChanges()
        #expect(count == 1)
        #expect(names() == ["Bonn", "Oslo", "Rome"])
        track()
        rome.name = "Aachen"
        #expect(names() == ["Aachen", "Bonn", "Oslo"])
        #expect(count == 2)
        context.delete(rome)
        #expect(names() == ["Bonn", "Oslo"])
        context.rollback()
        #expect(names() == ["Bonn", "Rome"])
        track()
        context.insert(Stop(title: "Forum"))
        try context.save()
        #expect(count == 2, "a stop is no element")
        #expect(names() == ["Bonn", "Rome"])
    }

    @Test func aFetchThatAControllerCannotFollowFollowsAllTheSame() throws {
        try insert("Bonn", "Oslo", "Rome")
        let context = ModelContext(container)
        var limited = order
        limited.fetchLimit = 2
        let first = ResultsObserver(fetchDescriptor: limited, modelContext: context)
        let unordered = ResultsObserver(fetchDescriptor: FetchDescriptor<Trip>(), modelContext: context)
        let withStops = ResultsObserver(
            fetchDescriptor: FetchDescriptor<Trip>(
                predicate: #Predicate { $0.stops.contains { $0.title == "Forum" } }, sortBy: [SortDescriptor(\.name)]),
            modelContext: context)
        #expect(first.elements.map(\.name) == ["Bonn", "Oslo"] && unordered.elements.count == 3)
        #expect(withStops.elements.isEmpty)
        let aachen = Trip(name: "Aachen")
        let stop = Stop(title: "Park")
        aachen.stops = [stop]
        context.insert(aachen)
        #expect(first.elements.map(\.name) == ["Aachen", "Bonn"] && unordered.elements.count == 4)
        #expect(withStops.elements.isEmpty)
        stop.title = "Forum"
        #expect(withStops.elements.map(\.name) == ["Aachen"])
        try context.save()
        let other = ModelContext(container)
        try other.delete(model: Trip.self, where: #Predicate { $0.name == "Aachen" })
        try other.save()
        #expect(first.elements.map(\.name) == ["Bonn", "Oslo"] && unordered.elements.count == 3)
        #expect(withStops.elements.isEmpty)
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

    @Test func aHistoryObserverCountsSavesOfManyThreadsOnce() async throws {
        let observer = try HistoryObserver(modelContainer: container)
        try await withThrowingTaskGroup(of: Void.self) { [container] group in
            for task in 0..<8 {
                group.addTask {
                    let context = ModelContext(container)
                    for number in 0..<10 {
                        context.insert(Trip(name: "\(task) \(number)"))
                        try context.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(observer.eventCounter == 80)
    }
}
#endif
