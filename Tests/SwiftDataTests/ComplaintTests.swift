#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

enum Shelf1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Volume.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }

    struct Cover: Codable, Equatable { var color: String }

    @Model final class Volume {
        var title: String
        var cover: Cover?
        init(title: String) { self.title = title }
    }
}

enum Shelf2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Volume.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }

    struct Cover: Codable, Equatable {
        var color: String
        var pages: Int
        var note: String?
    }

    @Model final class Volume {
        var title: String
        var cover: Cover?
        init(title: String) { self.title = title }
    }
}

enum Shelf3: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Volume.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }

    @Model final class Volume {
        var title: String
        var author: String
        init(title: String, author: String) {
            self.title = title
            self.author = author
        }
    }
}

enum Parcels {
    struct Address: Codable, Equatable {
        enum CodingKeys: String, CodingKey {
            case street
            case zip = "postal_code"
        }
        var street: String
        var zip: Int
    }

    @Model final class Parcel {
        @Attribute(.unique) var code: String
        var isHeavy: Bool
        var address: Address
        var rank: Int { isHeavy ? 1 : 0 }
        init(code: String, isHeavy: Bool = false, zip: Int = 0) {
            self.code = code
            self.isHeavy = isHeavy
            address = Address(street: "s", zip: zip)
        }
    }
}

/// What people complain about in Apple's framework: the right behavior, a test each.
struct ComplaintTests {
    private typealias Parcel = Parcels.Parcel

    private let folder: TemporaryFolder
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        folder = try TemporaryFolder()
        container = try ModelContainer(
            for: Trip.self, configurations: ModelConfiguration(url: folder.file("trips.store")))
        context = ModelContext(container)
    }

    private func parcels(mergesDuplicates: Bool = true) throws -> ModelContext {
        var configuration = ModelConfiguration(url: folder.file("parcels.store"))
        configuration.mergesDuplicates = mergesDuplicates
        return ModelContext(try ModelContainer(for: Parcel.self, configurations: configuration))
    }

    private func insert(_ names: String...) throws -> [Trip] {
        let trips = names.map { Trip(name: $0) }
        for trip in trips { context.insert(trip) }
        try context.save()
        return trips
    }

    @Test func aDeletedModelCanBeRead() throws {
        let trip = try insert("Rome")[0]
        let other = ModelContext(container)
        let theirs = try #require(try other.fetch(FetchDescriptor<Trip>()).first)
        context.delete(trip)
        try context.save()
        #expect(trip.name == "Rome" && trip.stops.isEmpty && trip.modelContext == nil)
        #expect(theirs.name == "Rome" && theirs.stops.isEmpty && theirs.place == nil)
    }

    @Test func aModelThatIsDeletedElsewhereBeforeItIsReadCanBeRead() throws {
        let id = try insert("Rome")[0].persistentModelID
        let other = ModelContext(container)
        let theirs = try #require(other.model(for: id) as? Trip)
        try context.delete(model: Trip.self)
        try context.save()
        #expect(theirs.stops.isEmpty)
        #expect(theirs.days == 3)
        #expect(try other.fetchCount(FetchDescriptor<Trip>()) == 0)
    }

    @Test func afterAnErasureANumberThatIsUsedAgainIsAnotherModel() throws {
        let old = try insert("Rome", "Oslo")
        try container.erase()
        let fresh = ModelContext(container)
        fresh.insert(Trip(name: "Bonn"))
        try fresh.save()
        #expect(old[0].name == "Rome")
        #expect(try fresh.fetch(FetchDescriptor<Trip>()).map(\.name) == ["Bonn"])
        #expect(try ModelContext(container).fetch(FetchDescriptor<Trip>()).map(\.name) == ["Bonn"])
    }

    @Test func anOptionalRelationshipIsComparedWithNil() throws {
        let trip = try insert("Rome")[0]
        context.insert(Stop(title: "a", trip: trip))
        context.insert(Stop(title: "b"))
        try context.save()
        #expect(
            try context.fetch(FetchDescriptor<Stop>(predicate: #Predicate { $0.trip == nil })).map(\.title) == ["b"]
        )
        #expect(
            try context.fetch(FetchDescriptor<Stop>(predicate: #Predicate { $0.trip != nil })).map(\.title) == ["a"]
        )
    }

    @Test func enumerationsAreComparedInPredicates() throws {
        let trips = try insert("Rome", "Oslo")
        trips[0].mood = .wild
        trips[1].season = .winter
        try context.save()
        let (wild, winter) = (Mood.wild, Season.winter)
        #expect(
            try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.mood == wild })).map(\.name) == [
                "Rome"
            ])
        #expect(
            try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.season == winter })).map(\.name)
                == ["Oslo"])
    }

    @Test func computedPropertiesOrderModels() throws {
        let context = try parcels()
        context.insert(Parcel(code: "a", isHeavy: true))
        context.insert(Parcel(code: "b"))
        context.insert(Parcel(code: "c", isHeavy: true))
        try context.save()
        let order = [SortDescriptor(\Parcel.rank), SortDescriptor(\Parcel.code, order: .reverse)]
        #expect(try context.fetch(FetchDescriptor(sortBy: order)).map(\.code) == ["b", "c", "a"])
        var limited = FetchDescriptor(sortBy: order)
        limited.fetchOffset = 1
        limited.fetchLimit = 1
        #expect(try context.fetch(limited).map(\.code) == ["c"])
        #expect(try context.fetchCount(limited) == 1)
    }

    @Test func arraysOfModelsKeepTheirOrder() throws {
        let trip = try insert("Rome")[0]
        trip.stops = (0..<20).map { Stop(title: "\($0)") }
        try context.save()
        for _ in 0..<3 {
            let found = try #require(try ModelContext(container).fetch(FetchDescriptor<Trip>()).first)
            #expect(found.stops.map(\.title) == (0..<20).map { "\($0)" })
        }
    }

    @Test func theNextFetchShowsWhatOthersSaved() throws {
        let trip = try insert("Rome")[0]
        let other = ModelContext(container)
        try #require(try other.fetch(FetchDescriptor<Trip>()).first).days = 9
        try other.save()
        _ = try context.fetch(FetchDescriptor<Trip>())
        #expect(trip.days == 9)
    }

    @Test func onlyReadersOfTheChangedPropertyAreNotified() throws {
        let trip = try insert("Rome")[0]
        nonisolated(unsafe) var heard: [String] = []
        withObservationTracking {
            _ = trip.name
        } onChange: {
            heard.append("name")
        }
        withObservationTracking {
            _ = trip.days
        } onChange: {
            heard.append("days")
        }
        withObservationTracking {
            _ = trip.stops
        } onChange: {
            heard.append("stops")
        }
        trip.days = 8
        try context.save()
        #expect(heard == ["days"])
    }

    @Test func aDuplicateIsRefusedIfTheConfigurationSaysSo() throws {
        let context = try parcels(mergesDuplicates: false)
        context.insert(Parcel(code: "a"))
        try context.save()
        let other = ModelContext(context.container)
        other.insert(Parcel(code: "a", isHeavy: true))
        #expect(throws: (any Error).self) { try other.save() }
        other.rollback()
        let all = try ModelContext(context.container).fetch(FetchDescriptor<Parcel>())
        #expect(all.map(\.isHeavy) == [false])
    }

    /// A store of the first version, which nothing has open.
    private func makeShelf() throws -> URL {
        let url = folder.file("shelf.store")
        let context = ModelContext(
            try ModelContainer(for: Shelf1.Volume.self, configurations: ModelConfiguration(url: url)))
        let volume = Shelf1.Volume(title: "Emma")
        volume.cover = Shelf1.Cover(color: "red")
        context.insert(volume)
        try context.save()
        return url
    }

    @Test func aStructureThatGotMoreElementsIsRead() throws {
        let url = try makeShelf()
        let second = ModelContext(
            try ModelContainer(for: Shelf2.Volume.self, configurations: ModelConfiguration(url: url)))
        let found = try #require(try second.fetch(FetchDescriptor<Shelf2.Volume>()).first)
        #expect(found.cover == Shelf2.Cover(color: "red", pages: 0, note: nil))
        found.cover?.pages = 7
        try second.save()
        #expect(
            try ModelContext(second.container).fetch(FetchDescriptor<Shelf2.Volume>()).first?.cover?.pages == 7)
    }

    @Test func elementsAreCalledAsThePropertiesWhateverTheCodingKeys() throws {
        let context = try parcels()
        context.insert(Parcel(code: "a", zip: 53_111))
        try context.save()
        #expect(try SQLiteShell.run("SELECT ZZIP FROM ZPARCEL", on: folder.file("parcels.store")) == "53111")
        let fresh = ModelContext(context.container)
        #expect(try fresh.fetch(FetchDescriptor<Parcel>(predicate: #Predicate { $0.address.zip > 5 })).count == 1)
        #expect(try fresh.fetch(FetchDescriptor<Parcel>()).first?.address.zip == 53_111)
    }

    @Test func anUnknownVersionIsNamedWithTheEntityThatDiffers() throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [Shelf2.self, Shelf3.self] }
            static var stages: [MigrationStage] { [.lightweight(fromVersion: Shelf2.self, toVersion: Shelf3.self)] }
        }
        let url = folder.file("shelf.store")
        _ = try ModelContainer(for: Shelf1.Volume.self, configurations: ModelConfiguration(url: url))
        do {
            _ = try ModelContainer(
                for: Schema(versionedSchema: Shelf3.self), migrationPlan: Plan.self,
                configurations: ModelConfiguration(url: url))
            Issue.record("The store was opened.")
        } catch SwiftDataError.unknownSchema {
            // What it says is next.
        } catch {
            Issue.record("Another error: \(error)")
        }
        let error = #expect(throws: SwiftDataError.self) {
            try ModelContainer(
                for: Schema(versionedSchema: Shelf3.self), migrationPlan: Plan.self,
                configurations: ModelConfiguration(url: url))
        }
        #expect(error?.reason?.contains("Volume") == true)
        #expect(error?.reason?.contains("2.0.0") == true)
    }

    @Test func aMandatoryPropertyWithoutDefaultIsNamed() throws {
        let url = try makeShelf()
        let error = #expect(throws: (any Error).self) {
            try ModelContainer(for: Shelf3.Volume.self, configurations: ModelConfiguration(url: url))
        }
        #expect("\(String(describing: error))".contains("author"))
    }

    @Test func relationshipsStayWhenPendingChangesAreLeftOut() throws {
        let trip = Trip(name: "Rome")
        context.insert(trip)
        trip.stops = [Stop(title: "a")]
        var descriptor = FetchDescriptor<Trip>()
        descriptor.includePendingChanges = false
        #expect(try context.fetch(descriptor).isEmpty)
        try context.save()
        #expect(trip.stops.map(\.title) == ["a"])
        #expect(try context.fetch(descriptor).first?.stops.first?.trip === trip)
    }

    @Test func nestedOptionalsAndConditionsWorkInPredicates() throws {
        let trip = try insert("Rome")[0]
        trip.place = Place(city: "Roma", country: nil, visits: 1, tags: [])
        context.insert(Stop(title: "a", number: 1, trip: trip))
        context.insert(Stop(title: "b", number: 5))
        try context.save()
        func titles(_ predicate: Predicate<Stop>) throws -> [String] {
            try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)])).map(\.title)
        }
        #expect(try titles(#Predicate { $0.trip?.place?.city == "Roma" }) == ["a"])
        #expect(try titles(#Predicate { $0.number > 3 ? $0.trip == nil : $0.title == "a" }) == ["a", "b"])
        #expect(
            try titles(#Predicate { if let trip = $0.trip { trip.days == 3 } else { $0.number == 5 } }) == [
                "a", "b",
            ])
        #expect(try titles(#Predicate { ($0.trip?.days ?? 0) > 2 }) == ["a"])
    }

    @Test func manyModelsAreImportedByAnActorWhileOthersRead() async throws {
        let importer = TripImporter(modelContainer: container)
        async let count = importer.fill(3_000)
        var seen = 0
        while seen < 3_000 {
            let now = try ModelContext(container).fetchCount(FetchDescriptor<Trip>())
            #expect(now >= seen && now.isMultiple(of: 500))
            seen = now
            await Task.yield()
        }
        #expect(try await count == 3_000)
    }
}

@MainActor
struct AutosaveComplaintTests {
    @Test func anErrorOfAutosavingIsThrownByTheNextSave() async throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer(
            for: Trip.self, configurations: ModelConfiguration(url: folder.file("trips.store")))
        let main = container.mainContext
        let trip = Trip(name: "Rome")
        main.insert(trip)
        try main.save()
        let foreign = Stop(title: "x")
        ModelContext(container).insert(foreign)
        trip.stops.append(foreign)
        for _ in 0..<20 { try await Task.sleep(for: .milliseconds(2)) }
        #expect(throws: SwiftDataError.missingModelContext) { try main.save() }
    }
}

@ModelActor
actor TripImporter {
    func fill(_ count: Int) throws -> Int {
        for start in stride(from: 0, to: count, by: 500) {
            for index in start..<min(count, start + 500) { modelContext.insert(Trip(name: "\(index)")) }
            try modelContext.save()
        }
        return try modelContext.fetchCount(FetchDescriptor<Trip>())
    }
}
#endif
