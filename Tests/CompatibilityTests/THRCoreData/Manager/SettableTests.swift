import THRCoreData
import TestSupport
import Testing

/// Handing the manager from screen to screen.
@MainActor struct SettableTests {
    class Screen {}

    final class First: Screen, CoreDataManagerSettable {
        var coreDataManager: CoreDataManager!

        func prepare(for destination: Screen) {
            if let next = destination as? any CoreDataManagerSettable { next.coreDataManager = coreDataManager }
        }
    }

    final class Second: Screen, CoreDataManagerSettable {
        var coreDataManager: CoreDataManager!
    }

    final class Third: Screen, PersistentContainerSettable {
        var persistentContainer: PersistentContainer!
    }

    /// Wants no manager.
    final class About: Screen {}

    // Feature THR-12
    @Test func aManagerIsHandedOn() throws {
        let studio = try Studio(.inMemory)
        let manager = studio.manager
        let (first, second, third) = (First(), Second(), Third())
        first.coreDataManager = manager
        first.prepare(for: second)
        #expect(second.coreDataManager === manager)
        #expect(second.managedObjectContext === manager.mainContext)
        first.prepare(for: About())
        #expect(!(About() as Screen is any CoreDataManagerSettable))
        third.persistentContainer = second.coreDataManager
        #expect(third.mainContext === manager.mainContext && third.backgroundContext === manager.backgroundContext)
        withExtendedLifetime(studio) {}
    }

    // Feature THR-12
    @Test func aManagerThatWasNotSetStopsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = Second().managedObjectContext }
        }
        #expect(said(result).contains("nil"))
    }
}
