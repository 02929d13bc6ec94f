#if Macros
import Foundation
import Observation
import SwiftData
import TestSupport
import Testing

/// Which readers of models are notified of changes.
struct ObservationTests {
    private typealias House = Kin.House
    private typealias Room = Kin.Room

    private final class Count: @unchecked Sendable {
        // Counted on the test's thread only.
        var value = 0
    }

    private let folder: TemporaryFolder
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        folder = try TemporaryFolder()
        container = try ModelContainer(
            for: House.self, configurations: ModelConfiguration(url: folder.file("houses.store")))
        let filling = ModelContext(container)
        for name in ["a", "b", "c"] {
            let house = House(name: name)
            filling.insert(house)
            house.rooms = [Room(name: name + "1"), Room(name: name + "2")]
        }
        try filling.save()
        context = ModelContext(container)
    }

    private func houses() throws -> [House] {
        try context.fetch(FetchDescriptor<House>(sortBy: [SortDescriptor(\.name)]))
    }

    private func changes(_ reads: () -> Void, after changes: () throws -> Void) rethrows -> Int {
        let count = Count()
        withObservationTracking(reads) { count.value += 1 }
        try changes()
        return count.value
    }

    @Test func readersOfFetchedModelsHearOfWhatTheyRead() throws {
        let houses = try houses()
        _ = houses.map(\.name)
        #expect(changes({ _ = houses.map(\.name) }, after: { houses[1].name = "x" }) == 1)
        #expect(changes({ _ = houses[0].name }, after: { houses[1].name = "y" }) == 0)
        #expect(changes({ _ = houses[1].rooms }, after: { houses[1].name = "z" }) == 0)
        #expect(changes({ _ = houses[2].rooms.map(\.name) }, after: { houses[2].rooms[0].name = "w" }) == 1)
        #expect(changes({ _ = houses[2].rooms }, after: { houses[2].rooms.append(Room(name: "new")) }) == 1)
    }

    @Test func readsWithoutTrackingAreNotNoted() throws {
        let houses = try houses()
        let count = Count()
        withObservationTracking {
            _ = houses[0].name
        } onChange: {
            count.value += 1
        }
        _ = houses[1].name
        houses[1].name = "x"
        #expect(count.value == 0)
        houses[0].name = "x"
        houses[0].name = "y"
        #expect(count.value == 1)
    }

    @Test func nestedReadersHear() throws {
        let houses = try houses()
        let (outer, inner) = (Count(), Count())
        withObservationTracking {
            _ = houses[0].name
            withObservationTracking {
                _ = houses[1].name
            } onChange: {
                inner.value += 1
            }
            _ = houses[2].name
        } onChange: {
            outer.value += 1
        }
        houses[1].name = "x"
        #expect(inner.value == 1)
        houses[2].name = "x"
        #expect(outer.value == 1)
    }

    @Test func changesByOtherMeansAreHeard() throws {
        let houses = try houses()
        let room = try #require(houses[0].rooms.first)
        #expect(changes({ _ = houses[1].rooms }, after: { room.house = houses[1] }) == 1)
        #expect(changes({ _ = room.house }, after: { context.rollback() }) == 1)
        let other = ModelContext(container)
        let copy = try #require(try other.fetch(FetchDescriptor<Room>(sortBy: [SortDescriptor(\.name)])).first)
        copy.name = "a0"
        try other.save()
        let name = room.name
        #expect(try changes({ _ = room.name }, after: { _ = try context.fetch(FetchDescriptor<Room>()) }) == 1)
        #expect(name == "a1" && room.name == "a0")
    }

    @Test func modelsOutliveTheContextThatNotedTheirReads() throws {
        let room = Room(name: "loose")
        ({
            let own = ModelContext(container)
            own.insert(room)
            withObservationTracking {
                _ = room.name
            } onChange: {
            }
            own.rollback()
            #expect(room.modelContext == nil)
        })()
        // More key paths than the registrar's sets have room for at first.
        for _ in 0..<20 {
            withObservationTracking {
                _ = (room.name, room.house)
            } onChange: {
            }
        }
        let count = Count()
        withObservationTracking {
            _ = room.name
        } onChange: {
            count.value += 1
        }
        room.name = "changed"
        #expect(count.value == 1)
    }

    @Test func eachActorHasItsOwnReaders() async throws {
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { [container] in
                    let context = ModelContext(container)
                    var heard = 0
                    for house in (try? context.fetch(FetchDescriptor<House>())) ?? [] {
                        let count = Count()
                        for _ in 0..<20 { _ = house.name }
                        withObservationTracking {
                            _ = house.name
                        } onChange: {
                            count.value += 1
                        }
                        house.name += "!"
                        heard += count.value
                    }
                    return heard
                }
            }
            for await heard in group { #expect(heard == 3) }
        }
    }
}
#endif
