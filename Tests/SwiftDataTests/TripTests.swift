#if Macros
import Foundation
@testable import SwiftData
import TestSupport
import Testing

/// How models live in a context, on stores on disk.
struct TripTests {
    let folder: TemporaryFolder
    let url: URL
    let container: ModelContainer
    let context: ModelContext

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("trips.store")
        container = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url))
        context = ModelContext(container)
    }

    private func trips(_ predicate: Predicate<Trip>? = nil) throws -> [String] {
        try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)])).map(\.name)
    }

    private func insertThree() throws {
        let rome = Trip(name: "Rome")
        rome.place = Place(city: "Roma", country: "Italia", visits: 2, tags: ["old"])
        rome.season = .spring
        rome.rate(4.5)
        let oslo = Trip(name: "Oslo", start: Date(timeIntervalSinceReferenceDate: 100))
        oslo.mood = .wild
        oslo.season = .winter
        oslo.days = 9
        let bonn = Trip(name: "Bonn")
        bonn.place = Place(city: "Bonn", country: nil, visits: 1, tags: [])
        for trip in [rome, oslo, bonn] { context.insert(trip) }
        rome.stops = [Stop(title: "Forum", number: 1), Stop(title: "Tiber", number: 2)]
        _ = Stop(title: "Fjord", trip: oslo)
        try context.save()
    }

    @Test func everyKindOfValueIsReadByAnotherContext() throws {
        try insertThree()
        let other = ModelContext(container)
        let found = try other.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
        #expect(found.map(\.name) == ["Bonn", "Oslo", "Rome"])
        let (bonn, oslo, rome) = (found[0], found[1], found[2])
        #expect(rome.place == Place(city: "Roma", country: "Italia", visits: 2, tags: ["old"]))
        #expect(bonn.place == Place(city: "Bonn", country: nil, visits: 1, tags: []))
        #expect(oslo.place == nil)
        #expect([bonn.season, oslo.season, rome.season] == [nil, .winter, .spring])
        #expect([bonn.mood, oslo.mood] == [.happy, .wild])
        #expect(oslo.start == Date(timeIntervalSinceReferenceDate: 100))
        #expect(rome.rating == 4.5)
        #expect(rome.stops.map(\.title) == ["Forum", "Tiber"])
        #expect(oslo.stops.map(\.title) == ["Fjord"])
        #expect(oslo.stops.first?.trip === oslo)
    }

    @Test func columnsAreThoseOfAppleStores() throws {
        try insertThree()
        let row = try SQLiteShell.run(
            "SELECT ZMOOD, ZSPRING, ZWINTER, ZCITY, ZTAGS1 IS NULL, typeof(ZCODE) FROM ZTRIP WHERE ZNAME = 'Rome'",
            on: url)
        #expect(row == "happy|spring||Roma|0|blob")
    }

    @Test func aListOfStringsIsReadFromTheArchiveThatAppleWrites() throws {
        let trip = Trip(name: "Maui")
        context.insert(trip)
        try context.save()
        let known =
            "62706c6973743030d4010203040506070a582476657273696f6e592461726368697665725424746f7058246f626a6563747312"
            + "000186a05f100f4e534b657965644172636869766572d1080954726f6f748001a40b0c121355246e756c6cd20d0e0f115a4e532e"
            + "6f626a656374735624636c617373a11080028003554b69686569d2141516175a24636c6173736e616d655824636c617373657357"
            + "4e534172726179a21618584e534f626a65637408111a24293237494c5153585e636e7577797b8186919aa2a50000000000000101"
            + "0000000000000019000000000000000000000000000000ae"
        try SQLiteShell.run("UPDATE ZTRIP SET ZTAGS1 = X'\(known)'", on: url)
        #expect(try ModelContext(container).fetch(FetchDescriptor<Trip>()).first?.tags == ["Kihei"])
    }

    @Test func listsOfPlainValuesAreKeyedArchives() throws {
        let trip = Trip(name: "Maui")
        trip.tags = ["Kihei", "Hana"]
        context.insert(trip)
        try context.save()
        let data = try #require(Self.bytes(try SQLiteShell.run("SELECT hex(ZTAGS1) FROM ZTRIP", on: url)))
        let archive = try #require(
            try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        #expect(archive["$archiver"] as? String == "NSKeyedArchiver")
        #expect((archive["$objects"] as? [Any])?.contains { $0 as? String == "Hana" } == true)
        #expect(try ModelContext(container).fetch(FetchDescriptor<Trip>()).first?.tags == ["Kihei", "Hana"])
    }

    private static func bytes(_ hex: String) -> Data? {
        let digits = Array(hex)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        return bytes.count * 2 == digits.count ? Data(bytes) : nil
    }

    @Test func predicatesAreAnsweredByTheStore() throws {
        try insertThree()
        let wild = Mood.wild
        let spring: Season? = .spring
        #expect(try trips(#Predicate { $0.days > 5 }) == ["Oslo"])
        #expect(try trips(#Predicate { $0.mood == wild }) == ["Oslo"])
        #expect(try trips(#Predicate { $0.mood != wild }) == ["Bonn", "Rome"])
        #expect(try trips(#Predicate { $0.season == spring }) == ["Rome"])
        #expect(try trips(#Predicate { $0.season == nil }) == ["Bonn"])
        #expect(try trips(#Predicate { $0.place == nil }) == ["Oslo"])
        #expect(try trips(#Predicate { $0.place?.city == "Roma" }) == ["Rome"])
        #expect(try trips(#Predicate { $0.stops.contains { $0.title == "Fjord" } }) == ["Oslo"])
        #expect(try trips(#Predicate { $0.stops.isEmpty }) == ["Bonn"])
        #expect(try trips(#Predicate { $0.stops.count == 2 }) == ["Rome"])
        #expect(try trips(#Predicate { $0.name.localizedStandardContains("RO") }) == ["Rome"])
        #expect(try trips(#Predicate { $0.name.starts(with: "B") || $0.days == 9 }) == ["Bonn", "Oslo"])
        let stops = try context.fetch(
            FetchDescriptor<Stop>(
                predicate: #Predicate { $0.trip?.name == "Rome" }, sortBy: [SortDescriptor(\.number)]))
        #expect(stops.map(\.title) == ["Forum", "Tiber"])
    }

    @Test func modelsAndIdentifiersAreConstantsOfPredicates() throws {
        try insertThree()
        let rome = try #require(
            try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Rome" })).first)
        let id = rome.persistentModelID
        #expect(try trips(#Predicate { $0.persistentModelID == id }) == ["Rome"])
        let ofRome = try context.fetch(
            FetchDescriptor<Stop>(predicate: #Predicate { $0.trip?.persistentModelID == id }))
        #expect(ofRome.count == 2)
    }

    @Test func oneRowIsOneModel() throws {
        try insertThree()
        let first = try context.fetch(FetchDescriptor<Trip>())
        let second = try context.fetch(FetchDescriptor<Trip>())
        #expect(Set(first.map(ObjectIdentifier.init)) == Set(second.map(ObjectIdentifier.init)))
        #expect(Set(first) == Set(second))
    }

    @Test func anotherModelWithTheSameUniqueValueChangesTheRow() throws {
        try insertThree()
        let other = ModelContext(container)
        let rome = Trip(name: "Rome")
        rome.days = 77
        other.insert(rome)
        try other.save()
        #expect(try other.fetchCount(FetchDescriptor<Trip>()) == 3)
        #expect(
            try other.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Rome" })).first?.days == 77)
    }

    @Test func deletingCascadesAndValuesStayReadable() throws {
        try insertThree()
        let rome = try #require(
            try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Rome" })).first)
        let stop = try #require(rome.stops.first)
        context.delete(rome)
        #expect(rome.isDeleted)
        try context.save()
        #expect(rome.name == "Rome")
        #expect(rome.mood == .happy)
        #expect(rome.modelContext == nil)
        #expect(stop.title == "Forum")
        #expect(try context.fetchCount(FetchDescriptor<Stop>()) == 1)
    }

    @Test func rollbackMakesInsertedModelsLoose() throws {
        let trip = Trip(name: "Lima")
        context.insert(trip)
        #expect(context.hasChanges)
        #expect(context.insertedModelsArray.count == 1)
        context.rollback()
        #expect(!context.hasChanges)
        #expect(trip.name == "Lima")
        #expect(trip.modelContext == nil)
        #expect(try trips().isEmpty)
    }

    @Test func theNextFetchShowsWhatAnotherContextSaved() throws {
        try insertThree()
        let here = try #require(
            try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Rome" })).first)
        let other = ModelContext(container)
        let there = try #require(
            try other.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Rome" })).first)
        there.days = 40
        try other.save()
        #expect(here.days == 3)
        _ = try context.fetch(FetchDescriptor<Trip>())
        #expect(here.days == 40)
    }

    @Test func aRowThatWasDeletedElsewhereStaysDeleted() throws {
        try insertThree()
        let here = try #require(
            try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Rome" })).first)
        let other = ModelContext(container)
        try other.delete(model: Trip.self, where: #Predicate { $0.name == "Rome" })
        try other.save()
        here.days = 8
        try? context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 2)
    }

    @Test func undoTakesAChangeBack() throws {
        try insertThree()
        context.undoManager = UndoManager()
        let rome = try #require(
            try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Rome" })).first)
        rome.days = 12
        context.processPendingChanges()
        context.undoManager?.undo()
        #expect(rome.days == 3)
    }

    @Test func identifiersAreWrittenInAppleForm() throws {
        try insertThree()
        let trip = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
        let data = try JSONEncoder().encode(trip.persistentModelID)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
        #expect(
            Set(try #require(object["implementation"]).keys) == [
                "entityName", "isTemporary", "primaryKey", "storeIdentifier", "uriRepresentation",
            ])
        let decoded = try JSONDecoder().decode(PersistentIdentifier.self, from: data)
        #expect(decoded == trip.persistentModelID)
        #expect(decoded.hashValue == trip.persistentModelID.hashValue)
        #expect((context.model(for: decoded) as? Trip) === trip)
    }
}

@MainActor
struct MainContextTests {
    @Test func theMainContextSavesByItself() async throws {
        let folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.file("trips.store"))
        let container = try ModelContainer(for: Trip.self, configurations: configuration)
        let main = container.mainContext
        main.insert(Trip(name: "Kyiv"))
        for _ in 0..<200 where main.hasChanges { try await Task.sleep(for: .milliseconds(5)) }
        #expect(!main.hasChanges)
        #expect(try ModelContext(container).fetch(FetchDescriptor<Trip>()).map(\.name) == ["Kyiv"])
    }
}
#endif
