#if Macros
import Foundation
@testable import SwiftData
import TestSupport
import Testing

// Classes as applications write them.

public protocol Titled: AnyObject { var title: String { get set } }

private enum Shapes {
    @Model final class Hashed: Titled, Codable {
        enum CodingKeys: CodingKey { case title }
        var id = UUID()
        var title: String
        var `default`: Int = 1
        var `extension`: String?
        private var secret: String = "s"
        fileprivate(set) var shown = true
        var owner: Owner!

        init(title: String) { self.title = title }
        init(from decoder: any Decoder) throws {
            title = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .title)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(title, forKey: .title)
        }
    }

    @Model class Owner {
        var name: String = ""
        var things: [Hashed]? = []
        init(name: String) { self.name = name }
    }

    @Model class Animal {
        var name: String
        init(name: String) { self.name = name }
    }

    @Model final class Dog: Animal {
        var tricks: Int = 0
        init(name: String, tricks: Int) {
            super.init(name: name)
            self.tricks = tricks
        }
    }

    @Model final class Numbers {
        var small: Int8 = -8
        var a: UInt8 = 200
        var b: UInt16 = 60_000
        var c: UInt32 = 4_000_000_000
        var d: UInt64 = .max
        var e: Float = 1.5
        var f: Decimal = Decimal(string: "12.34") ?? 0
        var url: URL?
        var data: Data = Data([1, 2])
        var dates: [Date] = []
        var numbers: [Int] = []
        init() {}
    }

    @Model final class Odd {
        var names: [String: String] = [:]
        init() {}
    }
}

private enum Unsettled {
    struct Part: Codable, Hashable { var size = 1 }
    struct Whole: Codable { var part = Part() }
    enum Choice: Codable {
        case number(Int)
        case none
    }

    @Model final class Dictionary {
        var value: [String: String] = [:]
        init() {}
    }

    @Model final class Collection {
        var value: Set<Int> = []
        init() {}
    }

    @Model final class Structures {
        var value: [Part] = []
        init() {}
    }

    @Model final class Lists {
        var value: [[Int]] = []
        init() {}
    }

    @Model final class Payload {
        var value: Choice = Choice.none
        init() {}
    }

    @Model final class Nested {
        var value: Whole = Whole()
        init() {}
    }

    @Model final class Coded {
        @Attribute(.codable) var value: Part = Part()
        init() {}
    }
}

struct ModelShapeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func context(_ types: any PersistentModel.Type...) throws -> ModelContext {
        ModelContext(
            try ModelContainer(
                for: Schema(types), configurations: ModelConfiguration(url: folder.file("shapes.store"))))
    }

    @Test func classesMayHaveTheirOwnIdentityAndCoding() throws {
        let context = try context(Shapes.Hashed.self)
        let made = try JSONDecoder().decode(Shapes.Hashed.self, from: Data(#"{"title": "Pen"}"#.utf8))
        made.`extension` = "pdf"
        let owner = Shapes.Owner(name: "Ann")
        context.insert(made)
        made.owner = owner
        try context.save()
        let other = ModelContext(context.container)
        let found = try #require(try other.fetch(FetchDescriptor<Shapes.Hashed>()).first)
        #expect(found.title == made.title)
        #expect(found.id == made.id)
        #expect(found.`default` == 1)
        #expect(found.`extension` == "pdf")
        #expect(found.owner.name == "Ann")
        #expect(found.owner.things?.count == 1)
    }

    @Test func subclassesAreSubentities() throws {
        let context = try context(Shapes.Animal.self, Shapes.Dog.self)
        context.insert(Shapes.Animal(name: "Tom"))
        context.insert(Shapes.Dog(name: "Rex", tricks: 3))
        try context.save()
        let other = ModelContext(context.container)
        let animals = try other.fetch(FetchDescriptor<Shapes.Animal>(sortBy: [SortDescriptor(\.name)]))
        #expect(animals.map(\.name) == ["Rex", "Tom"])
        #expect((animals.first as? Shapes.Dog)?.tricks == 3)
        let dogs = try other.fetch(
            FetchDescriptor<Shapes.Dog>(predicate: #Predicate { $0.name == "Rex" && $0.tricks > 2 }))
        #expect(dogs.count == 1)
    }

    @Test func numbersOfEveryWidthComeBack() throws {
        let context = try context(Shapes.Numbers.self)
        let made = Shapes.Numbers()
        made.url = URL(string: "https://example.com/a?b")
        made.dates = [Date(timeIntervalSinceReferenceDate: 5)]
        made.numbers = [3, 1, 2]
        context.insert(made)
        try context.save()
        let found = try #require(try ModelContext(context.container).fetch(FetchDescriptor<Shapes.Numbers>()).first)
        #expect(found.small == -8)
        #expect(found.a == 200)
        #expect(found.b == 60_000)
        #expect(found.c == 4_000_000_000)
        #expect(found.d == .max)
        #expect(found.e == 1.5)
        #expect(found.f == Decimal(string: "12.34"))
        #expect(found.url?.absoluteString == "https://example.com/a?b")
        #expect(found.data == Data([1, 2]))
        #expect(found.dates == [Date(timeIntervalSinceReferenceDate: 5)])
        #expect(found.numbers == [3, 1, 2])
    }

    @Test func aNewStoreWithAnUnknownFormIsRefusedUnlessAllowed() throws {
        let url = folder.file("odd.store")
        var configuration = ModelConfiguration(url: url)
        do {
            _ = try ModelContainer(for: Shapes.Odd.self, configurations: configuration)
            Issue.record("The store was made.")
        } catch SwiftDataError.modelValidationFailure {
            #expect(!FileManager.default.fileExists(atPath: url.path))
        }
        configuration.allowsUnverifiedEncodings = true
        let context = ModelContext(try ModelContainer(for: Shapes.Odd.self, configurations: configuration))
        let odd = Shapes.Odd()
        odd.names = ["a": "b"]
        context.insert(odd)
        try context.save()
        #expect(try ModelContext(context.container).fetch(FetchDescriptor<Shapes.Odd>()).first?.names == ["a": "b"])
    }

    @Test func formsThatAreNotKnownAreNamed() throws {
        func reason<Model: PersistentModel>(_ type: Model.Type) -> String? {
            do {
                _ = try ModelContainer(
                    for: type, configurations: ModelConfiguration(url: folder.file("\(type).store")))
                return nil
            } catch {
                return (error as? SwiftDataError)?.reason
            }
        }
        #expect(reason(Unsettled.Dictionary.self)?.contains("Dictionary.value") == true)
        #expect(reason(Unsettled.Collection.self)?.contains("Collection.value") == true)
        #expect(reason(Unsettled.Structures.self)?.contains("Structures.value") == true)
        #expect(reason(Unsettled.Lists.self)?.contains("Lists.value") == true)
        #expect(reason(Unsettled.Payload.self)?.contains("Payload.value") == true)
        #expect(reason(Unsettled.Nested.self)?.contains("Nested.value") == true)
        #expect(reason(Unsettled.Coded.self)?.contains("Coded.value") == true)
    }

    @Test func observersHearOfChanges() throws {
        let trip = Trip(name: "Rome")
        nonisolated(unsafe) var changes = 0
        withObservationTracking {
            _ = trip.days
        } onChange: {
            changes += 1
        }
        trip.name = "Roma"
        #expect(changes == 0)
        trip.days = 5
        #expect(changes == 1)
    }
}

@ModelActor
private actor Importer {
    func insert(_ names: [String]) throws -> [PersistentIdentifier] {
        let trips = names.map { Trip(name: $0) }
        for trip in trips { modelContext.insert(trip) }
        try modelContext.save()
        return trips.map(\.persistentModelID)
    }

    func name(_ id: PersistentIdentifier) -> String? { self[id, as: Trip.self]?.name }
}

struct ModelActorTests {
    @Test func actorsHaveContextsOfTheirOwn() async throws {
        let folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.file("trips.store"))
        let container = try ModelContainer(for: Trip.self, configurations: configuration)
        let (first, second) = (Importer(modelContainer: container), Importer(modelContainer: container))
        async let a = first.insert((0..<200).map { "a\($0)" })
        async let b = second.insert((0..<200).map { "b\($0)" })
        let (ids, others) = try await (a, b)
        #expect(ids.count == 200 && others.count == 200)
        #expect(await second.name(ids[7]) == "a7")
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 400)
    }
}
#endif
