#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

/// What a save posts about new models with the unique value of another one.
struct DuplicateTests {
    private typealias Key = ModelContext.NotificationKey

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func context(_ kind: StoreKind) throws -> ModelContext {
        ModelContext(try ModelContainer(for: Trip.self, configurations: kind.configuration(folder)))
    }

    /// The identifiers that a save posts.
    private func saved(_ context: ModelContext) throws -> [Key: [PersistentIdentifier]] {
        let posted = Noted<[String: [PersistentIdentifier]]>()
        let token = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: context, queue: nil
        ) { posted.note($0.userInfo as? [String: [PersistentIdentifier]] ?? [:]) }
        defer { NotificationCenter.default.removeObserver(token) }
        try context.save()
        let values = try #require(posted.all.first)
        return Dictionary(
            uniqueKeysWithValues: values.compactMap { name, list in Key(rawValue: name).map { ($0, list) } })
    }

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
    func aSavePostsARowThatGotTheValuesOfANewModelAsUpdated(_ kind: StoreKind) throws {
        let context = try context(kind)
        let first = Trip(name: "Rome")
        context.insert(first)
        try context.save()
        let second = Trip(name: "Rome")
        second.days = 9
        context.insert(second)
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
        let row = try #require(try ModelContext(context.container).fetch(FetchDescriptor<Trip>()).first)
        #expect(posted[.insertedIdentifiers] == [row.persistentModelID])
        #expect(posted[.deletedIdentifiers] == [] && posted[.updatedIdentifiers] == [])
    }

    @Test(arguments: StoreKind.here)
    func aSavePostsChangesAndDeletionsWithPermanentIdentifiers(_ kind: StoreKind) throws {
        let context = try context(kind)
        let (first, second, third) = (Trip(name: "Rome"), Trip(name: "Oslo"), Trip(name: "Bonn"))
        context.insert(first)
        context.insert(second)
        try context.save()
        let identifier = second.persistentModelID
        first.days = 12
        context.delete(second)
        context.insert(third)
        let posted = try saved(context)
        #expect(posted[.updatedIdentifiers] == [first.persistentModelID])
        #expect(posted[.deletedIdentifiers] == [identifier])
        #expect(posted[.insertedIdentifiers] == [third.persistentModelID])
        #expect(third.persistentModelID.storeIdentifier != nil)
    }
}
#endif
