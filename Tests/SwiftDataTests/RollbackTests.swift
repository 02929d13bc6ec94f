#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

/// Rollbacks of models that were inserted and deleted before a save.
struct RollbackTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func context(_ kind: StoreKind) throws -> ModelContext {
        ModelContext(try ModelContainer(for: Trip.self, configurations: kind.configuration(folder)))
    }

    private func stored<T: PersistentModel>(_ type: T.Type, _ context: ModelContext) throws -> [T] {
        try ModelContext(context.container).fetch(FetchDescriptor<T>())
    }

    @Test(arguments: StoreKind.here)
    func aModelThatWasInsertedAndDeletedIsInNoContextAfterARollback(_ kind: StoreKind) throws {
        let context = try context(kind)
        let trip = Trip(name: "Rome")
        context.insert(trip)
        context.delete(trip)
        context.rollback()
        #expect(trip.modelContext == nil && trip.name == "Rome" && !context.hasChanges)
        try context.save()
        #expect(try stored(Trip.self, context).isEmpty)
        context.insert(trip)
        trip.days = 8
        try context.save()
        #expect(try stored(Trip.self, context).map(\.days) == [8])
    }

    @Test(arguments: StoreKind.here)
    func aNewModelThatADeletionTakesWithItIsInNoContextAfterARollback(_ kind: StoreKind) throws {
        let context = try context(kind)
        let trip = Trip(name: "Rome")
        context.insert(trip)
        try context.save()
        let stop = Stop(title: "Forum")
        trip.stops.append(stop)
        context.delete(trip)
        context.rollback()
        #expect(stop.modelContext == nil && stop.title == "Forum")
        #expect(trip.modelContext == context && !trip.isDeleted && trip.stops.isEmpty)
        trip.stops.append(stop)
        context.delete(trip)
        context.processPendingChanges()
        #expect(stop.modelContext == nil && stop.title == "Forum")
        context.rollback()
        #expect(stop.modelContext == nil && stop.title == "Forum" && trip.stops.isEmpty)
        context.insert(stop)
        try context.save()
        #expect(try stored(Stop.self, context).map(\.title) == ["Forum"])
        #expect(try stored(Trip.self, context).map(\.name) == ["Rome"])
    }
}
#endif
