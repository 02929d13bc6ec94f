#if Macros && PostgreSQL
import Foundation
import SwiftData
import Testing

private let server = ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL"]

/// Models in a database, which a URL names.
@Suite(.enabled(if: server != nil, "needs a PostgreSQL server: run the tests with Scripts/with-postgres"))
struct PostgreSQLTests {
    private let container: ModelContainer
    private let url: URL

    init() throws {
        let schema = "sd_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
        url = try #require(URL(string: "\(server ?? "")?schema=\(schema)"))
        container = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url))
    }

    @Test func modelsAreSavedFetchedAndDeleted() throws {
        let context = ModelContext(container)
        let rome = Trip(name: "Rome")
        rome.place = Place(city: "Roma", country: "Italia", visits: 2, tags: ["old"])
        rome.season = .spring
        rome.mood = .wild
        rome.tags = ["a", "b"]
        context.insert(rome)
        for number in 0..<5 { rome.stops.append(Stop(title: "\(number)", number: number)) }
        context.insert(Trip(name: "Oslo"))
        try context.save()
        let other = ModelContext(
            try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url)))
        let wild = Mood.wild
        let found = try other.fetch(
            FetchDescriptor<Trip>(predicate: #Predicate { $0.mood == wild && $0.place?.city == "Roma" }))
        #expect(found.map(\.name) == ["Rome"])
        #expect(found.first?.place == rome.place)
        #expect(found.first?.season == .spring && found.first?.tags == ["a", "b"])
        #expect(found.first?.stops.map(\.number) == [0, 1, 2, 3, 4])
        #expect(try other.fetchCount(FetchDescriptor<Stop>(predicate: #Predicate { $0.trip?.name == "Rome" })) == 5)
        other.delete(try #require(found.first))
        try other.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Stop>()) == 0)
    }

    @Test func aDuplicateChangesTheRow() throws {
        let (first, second) = (ModelContext(container), ModelContext(container))
        first.insert(Trip(name: "Rome"))
        try first.save()
        let again = Trip(name: "Rome")
        again.days = 9
        second.insert(again)
        try second.save()
        let fresh = ModelContext(container)
        #expect(try fresh.fetch(FetchDescriptor<Trip>()).map(\.days) == [9])
    }

    @Test func historyIsReadAndTrimmed() throws {
        let context = ModelContext(container)
        for author in ["app", "widget", "app"] {
            context.author = author
            context.insert(Trip(name: UUID().uuidString))
            try context.save()
        }
        typealias Descriptor = HistoryDescriptor<DefaultHistoryTransaction>
        let all = try context.fetchHistory(Descriptor())
        #expect(all.map(\.author) == ["app", "widget", "app"])
        let token = all[0].token
        #expect(try context.fetchHistory(Descriptor(predicate: #Predicate { $0.token > token })).count == 2)
        try context.deleteHistory(Descriptor(predicate: #Predicate { $0.author == "app" }))
        #expect(try context.fetchHistory(Descriptor()).map(\.author) == ["widget"])
    }

    @Test func aDescriptionHasNoPassword() throws {
        let secret = try #require(URL(string: "postgresql://anna:secret@localhost/db"))
        #expect(!ModelConfiguration(url: secret).debugDescription.contains("secret"))
    }

    @Test func erasingLeavesAnEmptyDatabase() throws {
        let context = ModelContext(container)
        context.insert(Trip(name: "Rome"))
        try context.save()
        try container.erase()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 0)
    }
}
#endif
