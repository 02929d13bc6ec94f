#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

private enum Office {
    @Model final class Employee {
        var name: String
        var manager: Employee?
        @Relationship(inverse: \Office.Employee.manager) var staff: [Employee] = []
        init(name: String, manager: Employee? = nil) {
            self.name = name
            self.manager = manager
        }
    }
}

/// What the stream of an observer gives, and what an observer has after changes are taken back.
@MainActor
struct ObserverUpdateTests {
    /// The identifiers that a stream gave.
    @MainActor
    private final class Log {
        private(set) var lists: [[PersistentIdentifier]] = []
        private var task: Task<Void, Never>?

        init<Element, Title>(_ observer: ResultsObserver<Element, Title>) {
            let updates = observer.updates
            task = Task { [weak self] in for await list in updates { self?.lists.append(list) } }
        }

        deinit { task?.cancel() }

        /// Takes what came until nothing more does.
        func take() async throws -> [[PersistentIdentifier]] {
            for _ in 0..<20 { await Task.yield() }
            try await Task.sleep(for: .milliseconds(100))
            defer { lists = [] }
            return lists
        }
    }

    private let folder: TemporaryFolder
    private let container: ModelContainer
    private var context: ModelContext { container.mainContext }
    private var order: FetchDescriptor<Trip> { FetchDescriptor(sortBy: [SortDescriptor(\.name)]) }
    /// A condition that looks at other models than trips.
    private var withForum: FetchDescriptor<Trip> {
        FetchDescriptor(
            predicate: #Predicate { $0.stops.contains { $0.title == "Forum" } }, sortBy: [SortDescriptor(\.name)])
    }

    init() throws {
        folder = try TemporaryFolder()
        container = try ModelContainer(
            for: Trip.self, configurations: ModelConfiguration(url: folder.file("trips.store")))
        container.mainContext.autosaveEnabled = false
    }

    private func saveElsewhere(_ work: (ModelContext) throws -> Void) throws {
        let other = ModelContext(container)
        try work(other)
        try other.save()
    }

    private func add(_ name: String, with stop: String? = nil, to context: ModelContext) -> Trip {
        let trip = Trip(name: name)
        if let stop { trip.stops = [Stop(title: stop)] }
        context.insert(trip)
        return trip
    }

    @Test(arguments: ["ordered", "unordered", "others"])
    func theLastUpdateHasTheIdentifiersThatAreSaved(kind: String) async throws {
        let descriptor = kind == "ordered" ? order : kind == "others" ? withForum : FetchDescriptor<Trip>()
        let observer = ResultsObserver(fetchDescriptor: descriptor, modelContext: context)
        let log = Log(observer)
        #expect(try await log.take() == [[]])
        let rome = add("Rome", with: "Forum", to: context)
        try context.save()
        var lists = try await log.take()
        #expect(lists.last == [rome.persistentModelID], "\(lists)")
        #expect(Set(lists).count == lists.count, "\(lists)")

        rome.days = 9
        rome.stops.first?.number = 4
        try context.save()
        lists = try await log.take()
        #expect(lists == [[rome.persistentModelID]], "\(lists)")

        context.delete(rome)
        try context.save()
        lists = try await log.take()
        #expect(lists == [[]], "\(lists)")
    }

    @Test(arguments: [false, true])
    func aSaveElsewhereGivesOneUpdate(looksAtOthers: Bool) async throws {
        let rome = add("Rome", with: "Forum", to: context)
        try context.save()
        let observer = ResultsObserver(fetchDescriptor: looksAtOthers ? withForum : order, modelContext: context)
        let log = Log(observer)
        #expect(try await log.take() == [[rome.persistentModelID]])
        try saveElsewhere { other in
            let found = try other.fetch(FetchDescriptor<Trip>())
            found.first?.days = 12
        }
        let lists = try await log.take()
        #expect(lists == [[rome.persistentModelID]], "\(lists)")
        #expect(observer.elements.map(\.days) == [12])
    }

    @Test func aSaveElsewhereDirectlyBeforeAnOwnInsertLosesNoUpdate() async throws {
        let observer = ResultsObserver(fetchDescriptor: order, modelContext: context)
        let log = Log(observer)
        _ = try await log.take()
        try saveElsewhere { _ = add("Bonn", to: $0) }
        let rome = add("Rome", to: context)
        context.processPendingChanges()
        let lists = try await log.take()
        #expect(lists.last?.count == 2 && lists.last?.contains(rome.persistentModelID) == true, "\(lists)")
        #expect(observer.elements.map(\.name) == ["Bonn", "Rome"])
    }

    @Test func anEventWithATripAndAStopGivesAnUpdate() async throws {
        let rome = add("Rome", with: "Forum", to: context)
        let stop = Stop(title: "Park")
        context.insert(stop)
        try context.save()
        let observer = ResultsObserver(fetchDescriptor: withForum, modelContext: context)
        let log = Log(observer)
        _ = try await log.take()
        rome.days = 7
        stop.title = "Lake"
        context.processPendingChanges()
        #expect(try await log.take() == [[rome.persistentModelID]])
    }

    @Test func aRollbackIsFollowedWithoutAController() async throws {
        let bonn = add("Bonn", with: "Forum", to: context)
        try context.save()
        let unordered = ResultsObserver(fetchDescriptor: FetchDescriptor<Trip>(), modelContext: context)
        let others = ResultsObserver(fetchDescriptor: withForum, modelContext: context)
        func names() -> [[String]] { [unordered.elements.map(\.name), others.elements.map(\.name)] }
        _ = add("Rome", with: "Forum", to: context)
        #expect(names().map { $0.sorted() } == [["Bonn", "Rome"], ["Bonn", "Rome"]])
        let log = Log(unordered)
        _ = try await log.take()
        context.rollback()
        #expect(names() == [["Bonn"], ["Bonn"]])
        #expect(try await log.take() == [[bonn.persistentModelID]])
        context.delete(bonn)
        #expect(names() == [[], []])
        context.rollback()
        #expect(names() == [["Bonn"], ["Bonn"]])
        let stop = try #require(unordered.elements.first?.stops.first)
        // Those that have no change of their own are found as they are in the store.
        bonn.days = 9
        stop.title = "Park"
        #expect(names() == [["Bonn"], []])
        context.rollback()
        #expect(names() == [["Bonn"], ["Bonn"]])
    }

    @Test func relationshipsWithinAnEntityAreFollowed() throws {
        let configuration = ModelConfiguration(url: folder.file("office.store"))
        let context = ModelContext(try ModelContainer(for: Office.Employee.self, configurations: configuration))
        let (ann, bob) = (Office.Employee(name: "Ann"), Office.Employee(name: "Bob"))
        context.insert(ann)
        context.insert(bob)
        bob.manager = ann
        let observer = ResultsObserver(
            fetchDescriptor: FetchDescriptor<Office.Employee>(
                predicate: #Predicate { $0.manager?.name == "Ann" }, sortBy: [SortDescriptor(\.name)]),
            modelContext: context)
        #expect(observer.elements == [bob])
        ann.name = "Eve"
        #expect(observer.elements.isEmpty)
        ann.name = "Ann"
        #expect(observer.elements == [bob])
    }

    @Test func aHistoryObserverCountsTheTransactionsOfEachStore() throws {
        let schema = Schema([Trip.self, Office.Employee.self])
        let container = try ModelContainer(
            for: schema,
            configurations: ModelConfiguration("trips", schema: Schema([Trip.self]), url: folder.file("1.store")),
            ModelConfiguration("office", schema: Schema([Office.Employee.self]), url: folder.file("2.store")))
        let writer = ModelContext(container)
        func save(_ model: any PersistentModel) throws {
            writer.insert(model)
            try writer.save()
        }
        for number in 0..<3 { try save(Trip(name: "\(number)")) }
        let observer = try HistoryObserver(modelContainer: container)
        var expected = 0
        for number in 3..<8 {
            try save(Office.Employee(name: "\(number)"))
            try save(Trip(name: "\(number)"))
            expected += 2
            #expect(observer.eventCounter == expected)
        }
        let tokens = try writer.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.token)
        #expect(tokens.count == 13)
        #expect(try HistoryObserver(historyTokens: tokens, modelContainer: container).eventCounter == 0)
        #expect(try HistoryObserver(historyTokens: tokens.reversed(), modelContainer: container).eventCounter == 0)
    }
}
#endif
