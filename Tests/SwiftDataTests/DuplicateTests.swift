#if Macros
import Foundation
import Observation
import SwiftData
import Synchronization
import TestSupport
import Testing

/// What becomes of several models with one unique value.
struct DuplicateTests {
    private typealias Key = ModelContext.NotificationKey

    private final class Box<Value: Sendable>: Sendable {
        let value: Mutex<Value>

        init(_ value: Value) { self.value = Mutex(value) }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func context(_ kind: StoreKind) throws -> ModelContext {
        ModelContext(try ModelContainer(for: Trip.self, configurations: kind.configuration(folder)))
    }

    /// The identifiers that a save posts.
    private func saved(_ context: ModelContext) throws -> [Key: [PersistentIdentifier]] {
        let posted = Box<[String: [PersistentIdentifier]]>([:])
        let token = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: context, queue: nil
        ) { notification in
            for key in [Key.insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers] {
                let identifiers = notification.userInfo?[key.rawValue] as? [PersistentIdentifier]
                posted.value.withLock { $0[key.rawValue] = identifiers }
            }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try context.save()
        let values = posted.value.withLock { $0 }
        let pairs = values.compactMap { name, list in Key(rawValue: name).map { ($0, list) } }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private func changes(_ reads: () -> Void, after changes: () throws -> Void) rethrows -> Int {
        let count = Box(0)
        withObservationTracking(reads) { count.value.withLock { $0 += 1 } }
        try changes()
        return count.value.withLock { $0 }
    }

    // MARK: Notifications

    @Test(arguments: StoreKind.here)
    func aSavePostsARowThatANewModelTookOverAsUpdated(_ kind: StoreKind) throws {
        let filling = try context(kind)
        filling.insert(Trip(name: "Rome"))
        try filling.save()
        let context = ModelContext(filling.container)
        let trip = Trip(name: "Rome")
        context.insert(trip)
        let posted = try saved(context)
        #expect(posted[.deletedIdentifiers] == [] && posted[.insertedIdentifiers] == [])
        #expect(posted[.updatedIdentifiers] == [trip.persistentModelID])
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 1)
    }

    @Test(arguments: StoreKind.here)
    func aSavePostsARowThatGotAnotherModelAsUpdated(_ kind: StoreKind) throws {
        let context = try context(kind)
        let first = Trip(name: "Rome")
        context.insert(first)
        try context.save()
        context.insert(Trip(name: "Rome"))
        context.insert(Trip(name: "Oslo"))
        let posted = try saved(context)
        #expect(posted[.deletedIdentifiers] == [] && posted[.updatedIdentifiers] == [first.persistentModelID])
        let oslo = try #require(
            try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Oslo" })).first)
        #expect(posted[.insertedIdentifiers] == [oslo.persistentModelID])
    }

    @Test(arguments: StoreKind.here)
    func aSavePostsOneNewRowForTwoModels(_ kind: StoreKind) throws {
        let context = try context(kind)
        let (first, second) = (Trip(name: "Rome"), Trip(name: "Rome"))
        context.insert(first)
        context.insert(second)
        let posted = try saved(context)
        #expect(posted[.insertedIdentifiers] == [first.persistentModelID])
        #expect(posted[.deletedIdentifiers] == [] && posted[.updatedIdentifiers] == [])
    }

    // MARK: Models

    @Test(arguments: StoreKind.here)
    func readersOfBothModelsAreNotified(_ kind: StoreKind) throws {
        let context = try context(kind)
        let (first, second) = (Trip(name: "Rome"), Trip(name: "Rome"))
        context.insert(first)
        try context.save()
        context.insert(second)
        first.days = 4
        #expect(try changes({ _ = second.days }, after: { try context.save() }) == 1)
        #expect(changes({ _ = second.days }, after: { first.days = 5 }) == 1)
        #expect(changes({ _ = first.days }, after: { second.days = 6 }) == 1)
        #expect(changes({ _ = (first.days, second.days) }, after: { second.days = 7 }) >= 1)
        #expect(changes({ _ = second.days }, after: { first.name = "Oslo" }) == 0)
        #expect(first.days == 7)
    }

    @Test(arguments: StoreKind.here)
    func theOtherModelStaysTheOneOfTheRow(_ kind: StoreKind) throws {
        let context = try context(kind)
        let second = Trip(name: "Rome")
        do {
            let first = Trip(name: "Rome")
            context.insert(first)
            try context.save()
            context.insert(second)
            try context.save()
            #expect(try context.fetch(FetchDescriptor<Trip>()).map { $0 === first } == [true])
        }
        let found = try context.fetch(FetchDescriptor<Trip>())
        #expect(found.map { $0 === second } == [true])
        #expect(changes({ _ = second.days }, after: { found[0].days = 8 }) == 1)
    }

    @Test(arguments: StoreKind.here)
    func equalModelsHaveEqualHashes(_ kind: StoreKind) throws {
        let context = try context(kind)
        let (first, second) = (Trip(name: "Rome"), Trip(name: "Rome"))
        context.insert(first)
        try context.save()
        let known: Set = [second]
        context.insert(second)
        try context.save()
        #expect(known.contains(second))
        #expect(first != second || first.hashValue == second.hashValue)
        #expect(first.persistentModelID == second.persistentModelID)
    }

    @Test(arguments: StoreKind.here)
    func bothModelsLeaveWhenTheirRowGoesToAnother(_ kind: StoreKind) throws {
        let context = try context(kind)
        let (first, second, third) = (Trip(name: "Rome"), Trip(name: "Rome"), Trip(name: "Oslo"))
        context.insert(first)
        context.insert(third)
        try context.save()
        context.insert(second)
        second.days = 6
        try context.save()
        third.name = "Rome"
        try context.save()
        #expect(third.modelContext == context)
        #expect(first.modelContext == nil && second.modelContext == nil)
        #expect(first.name == "Rome" && second.name == "Rome" && second.days == 6)
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Trip>()) == 1)
    }
}
#endif
