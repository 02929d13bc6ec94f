import OpenCoreDataKit
import TestSupport
import Testing

/// Lists that follow what is saved, on any actor.
@Suite struct LiveValuesTests {
    /// An actor that keeps a list.
    private actor Screen {
        private(set) var lists: [ListSnapshot<String>] = []
        private var shown: [[String]] = []

        /// Follows a list until it has some number of rows.
        func follow(_ values: LiveValues<String>, until count: Int) async throws -> [[String]] {
            for try await list in values {
                lists.append(list)
                // Batches lead from each list to the next.
                let rows = list.sections.map(\.objects)
                shown = try list.changes.applied(to: shown) { rows[$0.section][$0.row] }
                if shown.reduce(0, { $0 + $1.count }) == count { break }
            }
            return shown
        }
    }

    @Test(arguments: Medium.allCases, [Layout.standard, .nested, .siblings, .manual])
    func aListFollowsOnAnActor(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        try await village.settle("Bob", age: 1)
        let screen = Screen()
        let names = LiveValues(Query(Villager.self).sorted(by: \.name), in: village.database) { $0.name ?? "" }
        async let shown = screen.follow(names, until: 4)
        for name in ["Cid", "Ada", "Dan"] { try await village.settle(name, age: 1) }
        #expect(try await shown == [["Ada", "Bob", "Cid", "Dan"]])
        #expect(await screen.lists.last?.values == ["Ada", "Bob", "Cid", "Dan"])
    }

    @Test(arguments: Medium.allCases) func aListHasSectionsAndBatches(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .standard)
        for (name, street) in [("Ada", "North"), ("Bob", "South")] {
            try await village.database.write { $0.addVillager(name).street = street }
        }
        let query = Query(Villager.self).sorted(by: \.street)
        var lists = LiveValues(query, sectionedBy: \.street, in: village.database) { $0.name ?? "" }.makeAsyncIterator()
        let first = try #require(try await lists.next())
        #expect(first.sections.map(\.name) == ["North", "South"])
        #expect(first.sections.map(\.objects) == [["Ada"], ["Bob"]])
        #expect(first.changes.insertedSections == [0, 1] && first.changes.insertedRows.count == 2)
        // Of no concern: nothing that the list shows.
        try await village.database.write { try $0.villager("Ada")?.age = 7 }
        try await village.database.write { context in
            try context.villager("Bob")?.name = "Ben"
            context.addVillager("Cid").street = "West"
        }
        let second = try #require(try await lists.next())
        #expect(second.values == ["Ada", "Ben", "Cid"])
        #expect(second.changes.insertedSections == [2])
        #expect(second.changes.updatedRows == [IndexPath(row: 0, section: 1)])
        if medium == .disk {
            try await village.database.write { context in
                _ = try context.batchDelete(Query(Villager.self).filter("name == %@", "Ada"))
            }
            #expect(try await lists.next()?.changes.deletedSections == [0])
        }
        try await village.database.close()
        #expect(try await lists.next() == nil)
    }

    @Test func aListWithoutAnOrderIsAnError() async throws {
        let village = try await Village.open(.memory)
        var lists = LiveValues(Query(Villager.self), in: village.database) { $0.name ?? "" }.makeAsyncIterator()
        await #expect(throws: DatabaseError.self) { _ = try await lists.next() }
    }
}
